/** The page that lists every error code, its sentences and hints. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ErrorCase, errorCases } from "./error_cases.ts";

export async function errorsPage(root: string): Promise<string> {
  const files = globSync("src/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  return pageOf(await errorCases(files));
}

function pageOf(cases: readonly ErrorCase[]): string {
  const byCode = Map.groupBy(cases, ({ code }) => code);
  return [
    "# Errors",
    "",
    "Generated from the source by `npm run reference`. A command that fails prints a sentence and a hint to stderr. With",
    '`--json` it also prints `{"error": {"code", "message", "hint"}}` to stdout, and an MCP tool returns the code in',
    '`_meta["dex/error"]`. Each entry below is a sentence, followed by the hint in italics; `‹name›` stands for a value. The',
    "exit status is 2 unless the entry says otherwise. Codes are stable; sentences may change.",
    "",
    ...[...byCode.keys()].sort().flatMap((code) => [`## ${code}`, "", ...linesOf(byCode.get(code) ?? []), ""]),
  ].join("\n");
}

/** Sorted by text, so moving a file changes nothing. */
function linesOf(cases: readonly ErrorCase[]): string[] {
  const lines = cases.map(({ message, hint, exitCode }) => {
    const said = message.trim() === "" ? "The sentence depends on the cause." : markdown(message);
    const next = hint.trim() === "" ? "" : ` *${markdown(hint)}*`;
    return `- ${said}${next}${exitCode === 1 ? " Exit status 1." : ""}`;
  });
  return [...new Set(lines)].sort();
}

/** The text with everything escaped that Markdown would take for markup, except code marks. */
function markdown(text: string): string {
  const parts = text
    .trim()
    .replace(/\s+/g, " ")
    .split(/(`[^`]*`)/);
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(/[<>*_[\]]/g, "\\$&"))).join("");
}
