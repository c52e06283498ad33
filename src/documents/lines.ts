/** Access to a text by line without a string per line: sections and chunks are slices between line starts. */

export interface Lines {
  text: string;
  /** Offset of each line; a text that ends in a newline has an empty last line. */
  starts: Uint32Array;
}

export function linesOf(text: string): Lines {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts[line++] = at + 1;
  return { text, starts };
}

export function countLines(lines: Lines): number {
  return lines.starts.length;
}

/** Line by its number, from 1, without its newline. */
export function lineAt(lines: Lines, line: number): string {
  return sliceLines(lines, line, line);
}

/** Lines `first` to `last`, both from 1 and inclusive, without the last one's newline. */
export function sliceLines(lines: Lines, first: number, last: number): string {
  const { start, end } = rangeOfLines(lines, first, last);
  return lines.text.slice(start, end);
}

/** Where the same lines begin and end. */
export function rangeOfLines({ text, starts }: Lines, first: number, last: number): { start: number; end: number } {
  const start = starts[first - 1] ?? text.length;
  if (last < first) return { start, end: start };
  return { start, end: last < starts.length ? (starts[last] ?? text.length) - 1 : text.length };
}

export function isBlank({ text, starts }: Lines, line: number): boolean {
  const end = line < starts.length ? (starts[line] ?? text.length) - 1 : text.length;
  for (let at = starts[line - 1] ?? end; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    // Unicode spaces count as blank too; they are rare enough for the slow check.
    if (unit > 0x20 && (unit < 0x80 || !/\s/.test(text[at] ?? ""))) return false;
  }
  return true;
}

/** The first line from `line` on, up to `last`, that is not blank; `last + 1` when there is none. */
export function skipBlank(lines: Lines, line: number, last: number): number {
  let at = line;
  while (at <= last && isBlank(lines, at)) at += 1;
  return at;
}

/** The last line from `line` down to `first` that is not blank; `first - 1` when there is none. */
export function skipBlankBack(lines: Lines, line: number, first: number): number {
  let at = line;
  while (at >= first && isBlank(lines, at)) at -= 1;
  return at;
}
