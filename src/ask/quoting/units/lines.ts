/** Classifies lines of Markdown, reStructuredText, AsciiDoc and plain text, and finds the end of a run of lines. */

/** List items, and fields of reStructuredText (`:param name: text`), which make as much sense by themselves. */
const ITEM = /^\s*(?:(?:[-*+•]|\d{1,3}[.)]|#\.)\s+|:\w[^:\n`]{0,60}:(?:\s|$))/;
const TERM = /^\S[^\n]*?::(?:\s+\S|\s*$)/;
const HEADING = /^\s{0,3}#{1,6}\s|^={1,6}\s\S/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
/**
 * A line with nothing to quote: a comment, an anchor, a label or target of reStructuredText, or the tags of a Vim help
 * file.
 */
const COMMENT =
  /^\s*<!--.*-->\s*$|^\[\[[^\]\n]*\]\]\s*$|^\[#[\w-]+\]\s*$|^\s*<a\s[^<>]*>\s*<\/a>\s*$|^\s*<\/?(?:details|summary|div|p|br|center|picture)\b[^<>]*>\s*$|^\.\. (?:_[^\s]|\|)|^ *\t[ \t]*(?:\*[^\s*]{1,80}\*\s*){1,9}$/;

export const isItem = (line: string): boolean => ITEM.test(line);
/** AsciiDoc: a term of a description list. */
export const isTerm = (line: string): boolean => TERM.test(line);
export const isIndented = (line: string): boolean => INDENTED.test(line);
export const isBlank = (line: string): boolean => line.trim() === "";

/** A line that is never quoted, and ends the paragraph above it. */
export function saysNothing(line: string): boolean {
  return isBlank(line) || HEADING.test(line) || COMMENT.test(line);
}

/** The index of the first line after `from` that does not continue the run. */
export function runEnd(lines: readonly string[], from: number, goesOn: (line: string, at: number) => boolean): number {
  let end = from + 1;
  while (end < lines.length && goesOn(lines[end] ?? "", end)) end += 1;
  return end;
}
