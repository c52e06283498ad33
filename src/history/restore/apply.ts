/** Applies a step to the text of a file. A step that does not fit exactly is not applied: dex does not guess. */
import type { FileStep, Hunk, Replacement } from "./steps.ts";

/** The text after the step, null for a deleted file, or the reason why the step cannot be applied. */
export type Applied = { text: string | null } | { why: string };

export function applyStep(text: string | null | undefined, step: FileStep): Applied {
  if (step.kind === "write") return { text: step.text };
  if (step.kind === "delete") return { text: null };
  if (step.kind === "unclear") return { why: "the call does not state what it changed" };
  // An edit that replaces nothing creates the file.
  const first = step.kind === "replace" ? step.replacements[0] : undefined;
  const isNew = first?.before === "" && (text === undefined || text === null || text === "");
  const base = isNew ? "" : text;
  if (base === undefined || base === null) return { why: "the file's content before this edit is unknown" };
  if (step.kind === "insert") return insertAfter(base, step.line, step.text);
  return step.kind === "replace" ? replaceIn(base, step.replacements) : patchIn(base, step.hunks);
}

function replaceIn(base: string, replacements: readonly Replacement[]): Applied {
  let text = base;
  for (const { before, after, all } of replacements) {
    if (before === "") {
      if (text !== "") return { why: "it replaces an empty text in a file that is not empty" };
      text = after;
      continue;
    }
    const at = text.indexOf(before);
    if (at < 0) return { why: "the text that it replaces is not there" };
    if (all) text = text.split(before).join(after);
    else if (text.includes(before, at + 1)) return { why: "the text that it replaces occurs several times" };
    else text = text.slice(0, at) + after + text.slice(at + before.length);
  }
  return { text };
}

function insertAfter(base: string, line: number, inserted: string): Applied {
  const lines = base.split("\n");
  if (!Number.isInteger(line) || line < 0 || line > lines.length)
    return { why: "the line that it follows is not there" };
  lines.splice(line, 0, ...inserted.replace(/\n$/, "").split("\n"));
  return { text: lines.join("\n") };
}

function patchIn(base: string, hunks: readonly Hunk[]): Applied {
  const ends = base.endsWith("\n");
  const lines = (ends ? base.slice(0, -1) : base).split("\n");
  let from = 0;
  for (const { anchor, before, after } of hunks) {
    if (anchor !== "") {
      const at = find(lines, [anchor], from);
      if (at >= 0) from = at + 1;
    }
    const at = before.length === 0 ? lines.length : find(lines, before, from);
    const found = at < 0 && from > 0 ? find(lines, before, 0) : at;
    if (found < 0) return { why: "the lines that it changes are not there" };
    lines.splice(found, before.length, ...after);
    from = found + after.length;
  }
  return { text: lines.join("\n") + (ends || base === "" ? "\n" : "") };
}

/** Agents' patches may differ from the file in white space at the end of lines. */
function find(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (const plain of [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    const first = plain(wanted[0] ?? "");
    for (let at = from; at + wanted.length <= lines.length; at += 1) {
      if (plain(lines[at] ?? "") !== first) continue;
      if (wanted.every((line, i) => plain(lines[at + i] ?? "") === plain(line))) return at;
    }
  }
  return -1;
}
