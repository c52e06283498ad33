/**
 * Detects the markup of a text whose name does not tell it: many projects name their reStructuredText or AsciiDoc
 * `.txt`, and a `README` or `llms.txt` may be anything. Several signs that plain text does not have must agree; a text
 * with too few of them stays plain.
 */
import type { DocumentFormat } from "../model.ts";

type Markup = Extract<DocumentFormat, "markdown" | "rst" | "asciidoc">;

/** The signs of a markup occur early. */
const MAX_EXAMINED_CHARS = 50_000;
const MAX_LINE_CHARS = 300;

/** reStructuredText: directives, labels, substitutions, roles. */
const RST_SIGN =
  /^[ \t]*\.\. (?:[\w-]+(?::[\w-]+)*::|_[^:\n]{1,100}:|\|[^|\n]{1,60}\| [\w-]+::)|:[\w+.-]{1,40}(?::[\w+.-]{1,40})?:`[^`\n]+`/;
/** AsciiDoc: block attributes, block macros, document attributes, listings, links with a bracket, labelled lists. */
const ASCIIDOC_SIGN =
  /^\[(?:source|verse|listing|quote|NOTE|TIP|WARNING|\[|#)[^\n]*\]$|^(?:include|image|ifdef|ifndef|endif|toc)::|^:[\w-]{1,60}:(?: |$)|\b(?:link|linkgit|xref|image):[^\s[\]]{0,200}\[|^\S[^\n]{0,150}::$/;
const ASCIIDOC_HEADING = /^={1,6} \S/;
const MARKDOWN_TITLE = /^# \S/;
const MARKDOWN_HEADING = /^#{2,6} \S/;
const UNDERLINE = /^([=\-~^"'`#*+.:])\1{2,}$/;
/** A single underlined line may be chance; from two on it is a habit. */
const MIN_HEADINGS = 2;

/** Undefined: plain text. */
export function markupOf(text: string): Markup | undefined {
  const lines = text
    .slice(0, MAX_EXAMINED_CHARS)
    .split("\n")
    .map((line) => line.slice(0, MAX_LINE_CHARS).trimEnd());
  if (isMarkdown(lines)) return "markdown";
  const count = (sign: RegExp): number => lines.filter((line) => sign.test(line)).length;
  const underlined = lines.filter((_, at) => isUnderlined(lines, at)).length;
  const rst = count(RST_SIGN);
  const asciidoc = count(ASCIIDOC_SIGN);
  const marked = count(ASCIIDOC_HEADING);
  if (asciidoc > rst && (marked > 0 ? asciidoc + marked >= MIN_HEADINGS : underlined >= MIN_HEADINGS))
    return "asciidoc";
  if (marked >= MIN_HEADINGS && rst === 0) return "asciidoc";
  if (underlined > 0 && (rst > 0 || underlined >= MIN_HEADINGS)) return "rst";
  return undefined;
}

/** A title at the top and a heading below it: a line that starts with `#` may be a comment. */
function isMarkdown(lines: readonly string[]): boolean {
  const first = lines.find((line) => line !== "") ?? "";
  return MARKDOWN_TITLE.test(first) && lines.some((line) => MARKDOWN_HEADING.test(line));
}

/** A short line at the start of a paragraph, underlined over its whole length. */
function isUnderlined(lines: readonly string[], at: number): boolean {
  const title = lines[at] ?? "";
  const under = lines[at + 1] ?? "";
  const above = lines[at - 1] ?? "";
  if (!/^[\p{L}\p{N}"'`(:<]/u.test(title) || !UNDERLINE.test(under)) return false;
  return Math.abs(under.length - title.length) <= 2 && (above === "" || above === under);
}
