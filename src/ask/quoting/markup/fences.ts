/**
 * Fenced code in Markdown that is read in parts: each part gets the fences that it lacks. A line of tildes or backticks
 * that is as wide as the text above it underlines a heading of reStructuredText instead.
 */

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^\s{0,3}(=+|-+|\^+|~{3,}|`{4,}|"{3,}|'{3,}|#{3,}|\*{3,}|\+{3,}|\.{3,}|:{3,}|_{3,})\s*$/;
/** An attribute line and a continuation of AsciiDoc, below which a delimiter stands. */
const NOT_HEADING = /^\[.*\]$|^\+$/;

/** AsciiDoc: the underline of a short heading, or the delimiter of a listing, which may stand right below a longer line. */
const AMBIGUOUS = "----";
const MAX_SHORTER_UNDERLINE = 3;

/** A directive of reStructuredText whose content is code: its indentation and its language. */
export const RST_CODE = /^(\s*)\.\. (?:code|code-block|sourcecode|prompt|parsed-literal|doctest)::\s*([\w+#.-]*)/;

/** A line of marks alone: it underlines a heading or stands above one. */
export function isMarks(line: string): boolean {
  return UNDERLINE.test(line);
}

/** Markdown underlines with any number of `=` and `-`, the other marks are as wide as the heading. */
export function isUnderline(lines: readonly string[], at: number): boolean {
  const above = (lines[at - 1] ?? "").trim();
  const mark = UNDERLINE.exec(lines[at] ?? "")?.[1] ?? "";
  if (mark === "" || above === "" || NOT_HEADING.test(above)) return false;
  if (mark === AMBIGUOUS) return above.length <= mark.length + MAX_SHORTER_UNDERLINE;
  return /^[=-]/.test(mark) || mark.length >= above.length;
}

/** The line that starts the fenced code that these lines do not end. */
export function openFence(lines: readonly string[]): string | undefined {
  return lines.reduce<string | undefined>((open, line, at) => {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (mark === "" || (open === undefined && isUnderline(lines, at))) return open;
    if (open === undefined) return line;
    return mark.startsWith(FENCE.exec(open)?.[1] ?? mark) ? undefined : open;
  }, undefined);
}

/** The text with the fence that ends its last code, if that has none. */
export function closed(text: string): string {
  const mark = FENCE.exec(openFence(text.split("\n")) ?? "")?.[1];
  return mark === undefined ? text : `${text}\n${mark}`;
}
