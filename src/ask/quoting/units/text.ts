/** The units of text: paragraphs, lists, and the rows of tables. */
import { indentOf } from "../../../text/indent.ts";
import { isIndented, isItem, isTerm, runEnd } from "./lines.ts";
import { announcesCode } from "./listings.ts";
import { sentences } from "./sentences.ts";
import type { Unit } from "./unit.ts";

/** reStructuredText: an automatically numbered item. */
const AUTOMATIC_NUMBER = /^#\.\s+/;
/** AsciiDoc: the mark that continues an item. */
const CONTINUATION = /^\+\s*$/;
/** Plain text and PDF: a term on a line of its own above its explanation. */
const LONE_TERM = /^(?=\S*[\p{L}\d])[^\s.,;:!?]{2,40}$/u;
const ROW = /^\s*\|.*\|\s*$/;
/** The delimiter row of a table, below its header. The pipes at both ends are optional. */
const RULE_ROW = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*){0,40}(?:\|\s*)?$/;
/** A row with an empty first cell, which continues the row above. */
const EMPTY_CELL = /^\s*\|\s*\|/;
/** The least words of a line of prose. */
const MIN_PROSE_WORDS = 4;

export const isRow = (line: string): boolean => ROW.test(line);

export function isTableHead(lines: readonly string[], at: number): boolean {
  const rule = lines[at + 1] ?? "";
  return (lines[at] ?? "").includes("|") && rule.includes("|") && RULE_ROW.test(rule);
}

/** Whether a list item or a term starts here. A single term that introduces code is a paragraph. */
export function isListed(lines: readonly string[]): boolean {
  const first = lines[0] ?? "";
  return isItem(first) || (isTerm(first) && (lines.length > 1 || !announcesCode(first)));
}

/**
 * In plain text an indented paragraph need not be code: it is prose if most lines have several words and few symbols,
 * and a sentence ends.
 */
export function isIndentedProse(lines: readonly string[], at: number): boolean {
  if (!isIndented(lines[at] ?? "")) return false;
  const paragraph = lines.slice(at, indentedProseEnd(lines, at));
  const text = paragraph.join("\n");
  const words = text.match(/(?<=^|[\s(])[\p{L}'’-]{2,}(?=[\s.,:;!?)]|$)/gmu)?.length ?? 0;
  const signs = text.match(/[{}[\]=<>$|\\;#&*+/]/g)?.length ?? 0;
  return (
    paragraph.length > 1 && words >= paragraph.length * MIN_PROSE_WORDS && signs * 4 <= words && /[.!?]\s*$/m.test(text)
  );
}

export function indentedProseEnd(lines: readonly string[], at: number): number {
  return runEnd(lines, at, (line) => isIndented(line) && !isItem(line));
}

export function paragraph(lines: readonly string[], block: number): Unit[] {
  const first = lines[0] ?? "";
  const made = sentenceUnits(lines.join(" ").replace(/[.!]?\s*::\s*$/, ":"), block, indentOf(first));
  const explains = lines.length > 1 && LONE_TERM.test(first.trim());
  return explains ? made.map((unit, at) => (at === 0 ? unit : { ...unit, continues: true })) : made;
}

export function sentenceUnits(text: string, block: number, indent: number): Unit[] {
  return sentences(text).map((each) => ({ kind: "sentence", text: each, block, indent }));
}

export function items(lines: readonly string[], block: number): Unit[] {
  const found: Unit[] = [];
  for (const line of lines) {
    if (CONTINUATION.test(line)) continue;
    const last = found.at(-1);
    if (!last || isItem(line) || isTerm(line))
      found.push({ kind: "item", text: line.trim().replace(AUTOMATIC_NUMBER, "- "), block, indent: indentOf(line) });
    else last.text += ` ${line.trim()}`;
  }
  return found;
}

export function rows(lines: readonly string[], block: number): Unit[] {
  const ruled = RULE_ROW.test(lines[1] ?? "");
  const head = ruled ? `${lines[0]?.trim()}\n${lines[1]?.trim()}` : "";
  return lines.slice(ruled ? 2 : 0).map((line, at) => {
    const continues = at > 0 && EMPTY_CELL.test(line);
    return { kind: "row", text: line.trim(), block, head, ...(continues ? { continues } : {}) };
  });
}
