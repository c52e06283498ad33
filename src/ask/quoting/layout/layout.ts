/**
 * Rewrites the tables, definition lists, boxes and tabs of each markup as Markdown lists, tables and paragraphs, so
 * that all of them can be split in the same way. Code stays unchanged.
 */
import { isUnderline, RST_CODE } from "../markup/fences.ts";
import { asciidocAt, closingDelimiter } from "./asciidoc.ts";
import type { Block } from "./block.ts";
import { htmlBlockAt } from "./html_blocks.ts";
import { markdownAt } from "./markdown.ts";
import { rstTableAt } from "./rst_tables.ts";

const FENCE = /^\s{0,12}(`{3,}|~{3,})/;
const LISTING = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,})\s*$/;
/** A longer line is text. */
const MAX_LINE_CHARS = 2000;
/** AsciiDoc: the next block belongs to the item above. */
const CONTINUATION = "+";
/** A footnote or citation of reStructuredText. */
const FOOTNOTE = /^\.\. (?=\[[#*\w.-]{1,60}\]\s)/;
/** Replaced lines may contain further markup, up to this depth. */
const MAX_DEPTH = 6;

export function laidOut(lines: readonly string[], depth = 0): string[] {
  const found: string[] = [];
  /** Merges blank lines. */
  const add = (line: string): void => {
    if (line.trim() !== "" || found.at(-1) !== "") found.push(line.trim() === "" ? "" : line);
  };
  const delimiters = new Set<number>();
  let at = 0;
  while (at < lines.length) {
    const code = codeEnd(lines, at);
    if (code !== undefined) {
      const isContinued = LISTING.test(lines[at] ?? "") && (lines[at - 1] ?? "").trim() === CONTINUATION;
      for (const line of isContinued ? fenced(lines.slice(at + 1, code - 1)) : lines.slice(at, code)) found.push(line);
      at = code;
      continue;
    }
    const closing = delimiters.has(at) ? at : closingDelimiter(lines, at);
    if (closing !== undefined) {
      delimiters.add(closing);
      add("");
      at += 1;
      continue;
    }
    if (lines[at]?.trim() === CONTINUATION && ((found.at(-1) ?? "") === "" || startsBlock(lines, at + 1))) {
      add("");
      at += 1;
      continue;
    }
    const block = blockAt(lines, at);
    const isNested = block !== undefined && depth < MAX_DEPTH && block.end > at + 1;
    for (const line of isNested ? laidOut(block.lines, depth + 1) : (block?.lines ?? [lines[at] ?? ""])) add(line);
    at = block?.end ?? at + 1;
  }
  return found;
}

function startsBlock(lines: readonly string[], at: number): boolean {
  return LISTING.test(lines[at] ?? "") || closingDelimiter(lines, at) !== undefined;
}

function fenced(code: readonly string[]): string[] {
  const fence = code.some((line) => line.includes("```")) ? "`````" : "```";
  return ["", fence, ...code, fence, ""];
}

function blockAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  if (line === "" || line.startsWith("    ")) return undefined;
  if (FOOTNOTE.test(line)) return { lines: ["", line.replace(FOOTNOTE, "")], end: at + 1 };
  const table = rstTableAt(lines, at) ?? htmlBlockAt(lines, at);
  if (table || line.length > MAX_LINE_CHARS) return table;
  return asciidocAt(lines, at) ?? markdownAt(lines, at);
}

/** The index after the code that starts at `at`. */
function codeEnd(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? "";
  if (RST_CODE.test(line)) {
    const indent = line.search(/\S/);
    let end = at + 1;
    while (end < lines.length && ((lines[end] ?? "").trim() === "" || (lines[end] ?? "").search(/\S/) > indent))
      end += 1;
    return end;
  }
  const mark = (FENCE.exec(line)?.[1] ?? LISTING.exec(line)?.[0])?.trim();
  if (mark === undefined || isUnderline(lines, at)) return undefined;
  for (let end = at + 1; end < lines.length; end += 1) if ((lines[end] ?? "").trim().startsWith(mark)) return end + 1;
  return FENCE.test(line) ? lines.length : undefined;
}
