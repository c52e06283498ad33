/** Listings: finds where code begins and ends in Markdown, reStructuredText and AsciiDoc, and makes a unit of it. */
import { dedented, indentOf } from "../../../text/indent.ts";
import { isUnderline, RST_CODE } from "../markup/fences.ts";
import { isBlank, runEnd } from "./lines.ts";
import type { Unit } from "./unit.ts";

const FENCE = /^\s{0,3}(`{3,}|~{3,}|-{4}\s*$|\.{4}\s*$)/;
const DELIMITER = /^(?:-{4,}|\.{4,})\s*$/;
/** AsciiDoc: a line of attributes above a listing. */
const ASCIIDOC_SOURCE = /^\[(?:source|listing|,)[^\]]*\]\s*$/;
/** A line that includes another file, which the passage does not have. */
const INCLUDE = /^\s*include::\S[^\n]*\]\s*$/;
/** reStructuredText: the end of a paragraph that introduces an indented literal block. */
const RST_LITERAL = /(?:^|[^:])::\s*$/;

export const isAsciidocSource = (line: string): boolean => ASCIIDOC_SOURCE.test(line);
export const isFenceLine = (line: string): boolean => FENCE.test(line);
export const announcesCode = (line: string): boolean => RST_LITERAL.test(line);

/** Whether a fence starts here, and not the underline of a heading. */
export function isFence(lines: readonly string[], at: number): boolean {
  return FENCE.test(lines[at] ?? "") && !isUnderline(lines, at);
}

/** Whether attributes start here that describe the listing below. */
export function isAsciidocListing(lines: readonly string[], at: number): boolean {
  return isAsciidocSource(lines[at] ?? "") && DELIMITER.test(lines[at + 1] ?? "");
}

export function asciidocListingEnd(lines: readonly string[], from: number): number {
  return listingEnd(lines, from + 1, DELIMITER);
}

export function fenceEnd(lines: readonly string[], from: number): number {
  return listingEnd(lines, from, FENCE);
}

function listingEnd(lines: readonly string[], from: number, opening: RegExp): number {
  const [whole = "", fence = whole.trim()] = opening.exec(lines[from] ?? "") ?? [];
  for (let i = from + 1; i < lines.length; i += 1) if ((lines[i] ?? "").trim().startsWith(fence)) return i + 1;
  // Four dashes without a closing line are a horizontal rule.
  return /^[-.]/.test(fence) ? from + 1 : lines.length;
}

/** Whether the text above the blank line before `at` ends in `::` and an indented block starts here. */
export function isLiteral(lines: readonly string[], at: number): boolean {
  const blank = at - 1;
  if (blank < 1 || !isBlank(lines[blank] ?? "")) return false;
  const text = lines[lastTextLine(lines, blank)] ?? "";
  return announcesCode(text) && !RST_CODE.test(text) && indentOf(lines[at] ?? "") > indentOf(text);
}

/** The end of the lines that are indented deeper than the line that introduces them, which is at or above `from`. */
export function literalEnd(lines: readonly string[], from: number): number {
  const indent = indentOf(lines[lastTextLine(lines, from)] ?? "");
  const end = runEnd(lines, from, (line) => isBlank(line) || indentOf(line) > indent);
  let last = end;
  while (last > from + 1 && isBlank(lines[last - 1] ?? "")) last -= 1;
  return last;
}

function lastTextLine(lines: readonly string[], from: number): number {
  let above = from;
  while (above > 0 && isBlank(lines[above] ?? "")) above -= 1;
  return above;
}

/** The lines of fenced code, unchanged. */
export function fenced(lines: readonly string[], block: number): Unit[] {
  if (lines.length < 2) return [];
  return [{ kind: "code", text: dedented(lines).join("\n").trim(), block, indent: indentOf(lines[0] ?? "") }];
}

/** Code without its common indentation, inside a fence. */
export function literal(lines: readonly string[], language: string, block: number): Unit[] {
  const code = dedented(lines).join("\n");
  const text = `\`\`\`${language}\n${code.replace(/^(?:\s*\n)+/, "").trimEnd()}\n\`\`\``;
  return [{ kind: "code", text, block, indent: indentOf(lines.find((line) => !isBlank(line)) ?? "") }];
}

/** `[source,js]` above a delimited listing, or above the lines of a paragraph. */
export function asciidocListing(lines: readonly string[], block: number): Unit[] {
  const language = /,\s*([\w+#.-]+)/.exec(lines[0] ?? "")?.[1] ?? "";
  return literal(DELIMITER.test(lines[1] ?? "") ? lines.slice(2, -1) : lines.slice(1), language, block);
}

/** Options of the directive such as `:caption:` come before the first blank line. */
export function directiveListing(lines: readonly string[], block: number): Unit[] {
  const blank = lines.findIndex((line, at) => at > 0 && isBlank(line));
  const options = lines.slice(1).findIndex((line) => !/^\s+:[\w-]+:/.test(line)) + 1;
  const code = lines.slice(blank > 0 && blank <= options ? blank : options);
  return code.some((line) => !isBlank(line)) ? literal(code, RST_CODE.exec(lines[0] ?? "")?.[2] ?? "", block) : [];
}

/** A listing without lines, or an AsciiDoc listing whose lines are in another file. */
export function isEmptyListing({ kind, text }: Unit): boolean {
  if (kind !== "code") return false;
  return text.split("\n").every((line) => isBlank(line) || FENCE.test(line) || INCLUDE.test(line));
}
