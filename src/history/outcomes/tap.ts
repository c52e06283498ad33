/** Parses TAP, versions 12 to 14, and node:test's nested TAP: `not ok 2 - name # SKIP reason`. */
import type { TestOutcome } from "../../store/history_records.ts";

export function isTap(text: string): boolean {
  return /^TAP version 1\d$/m.test(text) || (/^1\.\.\d+/m.test(text) && /^(?:not )?ok \d+/m.test(text));
}

interface Point {
  depth: number;
  name: string;
  ok: boolean;
  skipped: boolean;
  file: string | null;
  message: string | null;
}

const POINT = /^( *)(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/;

export function tapOutcomes(text: string): Partial<TestOutcome>[] {
  const found: Partial<TestOutcome>[] = [];
  const passed = { all: 0, failed: 0 };
  // Nested points come first; their parent's name follows.
  let open: Point[] = [];
  const emit = (point: Point, path: readonly string[]): void => {
    passed.all += 1;
    if (!point.ok) passed.failed += 1;
    found.push({
      name: [...path, point.name].join(" > "),
      status: point.skipped ? "skipped" : point.ok ? "passed" : "failed",
      file: point.file,
      message: point.message,
    });
  };
  const close = (depth: number, parent: Point): Point[] => {
    const children = open.filter((point) => point.depth > depth);
    for (const child of children) child.name = `${parent.name} > ${child.name}`;
    return children;
  };
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    const match = POINT.exec(line);
    if (!match) continue;
    const [, indent = "", not, rest = ""] = match;
    const directive = /(?:^|\s)# ?(SKIP|TODO)\b/i.exec(rest);
    const point: Point = {
      depth: indent.length,
      name: (directive ? rest.slice(0, directive.index) : rest.replace(/ # time=.*$/, ""))
        .replaceAll("\\#", "#")
        .trim(),
      ok: not === undefined,
      skipped: directive !== null,
      ...details(lines, i + 1, indent.length),
    };
    const children = close(point.depth, point);
    if (children.length === 0) open.push(point);
    if (point.depth > 0) continue;
    for (const each of open) emit(each, []);
    open = [];
  }
  for (const each of open) emit(each, []);
  return [{ status: passed.failed > 0 ? "failed" : "passed", total: passed.all }, ...found];
}

/** The YAML block below a point: the file of the test and its message. */
function details(lines: readonly string[], from: number, depth: number): Pick<Point, "file" | "message"> {
  const none = { file: null, message: null };
  if (lines[from]?.trim() !== "---") return none;
  let file: string | null = null;
  let message: string | null = null;
  for (let at = from + 1; at < Math.min(lines.length, from + 60); at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "...") break;
    if (line.trim() !== "" && line.length - line.trimStart().length < depth) break;
    file ??= /^\s*(?:location|at|file): ['"]?(?:file:\/\/)?([^'"\n]+?)(?::\d+)*['"]?$/.exec(line)?.[1] ?? null;
    const value = /^\s*(?:error|message): (.*)$/.exec(line)?.[1];
    if (value !== undefined) {
      message ??= /^[|>]-?$/.test(value.trim()) ? (lines[at + 1] ?? "").trim() : value.replace(/^['"]|['"]$/g, "");
    }
  }
  return { file, message };
}
