/**
 * Repairs fenced code that is read in parts: each part gets the fences that it lacks. A line of tildes or backticks as
 * wide as the text above it is the underline of a reStructuredText heading instead.
 */

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^\s{0,3}(=+|-+|\^+|~{3,}|`{4,}|"{3,}|'{3,}|#{3,}|\*{3,}|\+{3,}|\.{3,}|:{3,}|_{3,})\s*$/;
/** Lines of AsciiDoc (attributes, a continuation) below which a delimiter, not an underline, may follow. */
const NOT_HEADING = /^\[.*\]$|^\+$/;

/** In AsciiDoc either the underline of a short heading, or the delimiter of a listing directly below a longer line. */
const AMBIGUOUS = "----";
const MAX_SHORTER_UNDERLINE = 3;

/** A directive of reStructuredText whose content is code: its indentation and its language. */
export const RST_CODE = /^(\s*)\.\. (?:code|code-block|sourcecode|prompt|parsed-literal|doctest)::\s*([\w+#.-]*)/;

/** A line of punctuation marks alone, which is above or below a heading. */
export function isMarks(line: string): boolean {
  return UNDERLINE.test(line);
}

/** In Markdown an underline has any number of `=` or `-`; other underlines are as wide as their heading. */
export function isUnderline(lines: readonly string[], at: number): boolean {
  const above = (lines[at - 1] ?? "").trim();
  const mark = UNDERLINE.exec(lines[at] ?? "")?.[1] ?? "";
  if (mark === "" || above === "" || NOT_HEADING.test(above)) return false;
  if (mark === AMBIGUOUS) return above.length <= mark.length + MAX_SHORTER_UNDERLINE;
  return /^[=-]/.test(mark) || mark.length >= above.length;
}

/** The opening line of fenced code that is not closed in these lines. */
export function openFence(lines: readonly string[]): string | undefined {
  return lines.reduce<string | undefined>((open, line, at) => {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (mark === "" || (open === undefined && isUnderline(lines, at))) return open;
    if (open === undefined) return line;
    return mark.startsWith(FENCE.exec(open)?.[1] ?? mark) ? undefined : open;
  }, undefined);
}

/** The text, with a closing fence added if its last code block lacks one. */
export function closed(text: string): string {
  const mark = FENCE.exec(openFence(text.split("\n")) ?? "")?.[1];
  return mark === undefined ? text : `${text}\n${mark}`;
}
