/** Lines of Markdown, reStructuredText, AsciiDoc and plain text: their kinds, and the end of a run of lines. */

/** A field of reStructuredText (`:param name: text`) says as much alone as an item of a list. */
const ITEM = /^\s*(?:(?:[-*+•]|\d{1,3}[.)]|#\.)\s+|:\w[^:\n`]{0,60}:(?:\s|$))/;
const TERM = /^\S[^\n]*?::(?:\s+\S|\s*$)/;
const HEADING = /^\s{0,3}#{1,6}\s|^={1,6}\s\S/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
/** A line without text to quote: a comment, an anchor, a label or target of reStructuredText, names of a place at the right. */
const COMMENT =
  /^\s*<!--.*-->\s*$|^\[\[[^\]\n]*\]\]\s*$|^\[#[\w-]+\]\s*$|^\s*<a\s[^<>]*>\s*<\/a>\s*$|^\s*<\/?(?:details|summary|div|p|br|center|picture)\b[^<>]*>\s*$|^\.\. (?:_[^\s]|\|)|^ *\t[ \t]*(?:\*[^\s*]{1,80}\*\s*){1,9}$/;

export const isItem = (line: string): boolean => ITEM.test(line);
/** AsciiDoc: a term of a labelled list. */
export const isTerm = (line: string): boolean => TERM.test(line);
export const isIndented = (line: string): boolean => INDENTED.test(line);
export const isBlank = (line: string): boolean => line.trim() === "";

/** A line that is never quoted, and ends the paragraph above it. */
export function saysNothing(line: string): boolean {
  return isBlank(line) || HEADING.test(line) || COMMENT.test(line);
}

/** The index of the first line below `from` that does not go on. */
export function runEnd(lines: readonly string[], from: number, goesOn: (line: string, at: number) => boolean): number {
  let end = from + 1;
  while (end < lines.length && goesOn(lines[end] ?? "", end)) end += 1;
  return end;
}
