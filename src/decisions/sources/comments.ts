/**
 * Joins the lines of a comment: a sentence that is wrapped over several lines is one sentence. In a block comment, lines
 * need no mark of their own.
 */

export interface CommentPart {
  /** 1-based line on which it starts. */
  line: number;
  text: string;
}

const WHOLE_LINE =
  /^\s*(?:(?:\/\/+!?|#+(?!!)|--(?:\[\[)?|;+|\*+(?!\/)|\/\*+!?|<!--|<#|\{-|\(\*+|%)(?:\s|$)|[rRuU]?(?:"""|'''))\s*(.*)$/;
const AFTER_CODE = /\s(?:\/\/|#|--)\s(.*)$/;
const CLOSE = /\s*(?:\*+\/|-->|#>|-\}|\*+\)|\]\]|"""|''')\s*$/;
/** How block comments begin, at the start of a line, and how they end. */
const BLOCKS: readonly (readonly [open: RegExp, close: string])[] = [
  [/^\s*\/\*/, "*/"],
  [/^\s*<!--/, "-->"],
  [/^\s*<#/, "#>"],
  [/^\s*\{-/, "-}"],
  [/^\s*\(\*(?=[\s*])/, "*)"],
  [/^\s*--\[\[/, "]]"],
  [/^\s*[rRuU]?"""/, '"""'],
  [/^\s*[rRuU]?'''/, "'''"],
];
/** A list item, a tag or a mark begins a part of its own. */
const BREAK = /^(?:[-*•+]\s|\d{1,2}[.)]\s|@\w|[A-Z]{3,}(?:\([^)]*\))?:)/;
const MAX_LINE_CHARS = 2000;
/** Lines in each direction. */
const MAX_LINES = 60;
const ENDED = /[.!?:)]$/;

/** The paragraph of the comment at this line (0-based); undefined if the line has no comment. */
export function commentAt(lines: readonly string[], at: number): CommentPart | undefined {
  if ((lines[at] ?? "").length > MAX_LINE_CHARS) return undefined;
  const block = blockAt(lines, at);
  const textAt = (i: number): string | undefined =>
    textOf(lines[i], block !== undefined && i > block[0] && i <= block[1]);
  if (textAt(at) === undefined) return afterCode(lines, at);
  const isPartAt = (i: number): boolean => BREAK.test(textAt(i) ?? "");
  let first = at;
  while (first > 0 && at - first < MAX_LINES && !isPartAt(first) && hasWords(textAt(first - 1))) first -= 1;
  let last = at;
  while (last - at < MAX_LINES && hasWords(textAt(last + 1)) && !isPartAt(last + 1)) last += 1;
  return { line: first + 1, text: joined(lines.slice(first, last + 1).map((_, i) => textAt(first + i) ?? "")) };
}

/** The first and the last line of the block comment that this line is in, if it has more than one. */
function blockAt(lines: readonly string[], at: number): readonly [first: number, last: number] | undefined {
  for (let first = at; first >= 0 && at - first <= MAX_LINES; first -= 1) {
    const line = lines[first] ?? "";
    const [open, close] = BLOCKS.find(([start]) => start.test(line)) ?? [];
    if (open === undefined || close === undefined) continue;
    const rest = line.replace(open, "");
    if (rest.includes(close)) continue;
    if (opensBlock(lines, first, rest)) {
      const end = lines.slice(first + 1, at + MAX_LINES).findIndex((each) => each.includes(close));
      return end < 0 || first + 1 + end < at ? undefined : [first, first + 1 + end];
    }
    // The end of an earlier text.
    if (first < at) return undefined;
  }
  return undefined;
}

/** Three quotation marks alone in a line open a text only below a head (`def f():`) or at the start of the file. */
function opensBlock(lines: readonly string[], at: number, rest: string): boolean {
  if (rest.trim() !== "" || !/["']{3}/.test(lines[at] ?? "")) return true;
  const before = lines.slice(Math.max(0, at - 3), at).findLast((line) => line.trim() !== "");
  return before === undefined || before.trimEnd().endsWith(":");
}

/** A comment behind code goes on in the next lines only if its sentence does. */
function afterCode(lines: readonly string[], at: number): CommentPart | undefined {
  const own = lines[at] ?? "";
  const match = AFTER_CODE.exec(own);
  if (!match || isQuoted(own.slice(0, match.index))) return undefined;
  const parts = [(match[1] ?? "").replace(CLOSE, "").trim()];
  for (let i = at + 1; i - at < MAX_LINES && !ENDED.test(parts.at(-1) ?? ""); i += 1) {
    const text = textOf(lines[i]) ?? "";
    if (!hasWords(text) || BREAK.test(text)) break;
    parts.push(text);
  }
  return { line: at + 1, text: joined(parts) };
}

/** The text of a comment's line. In a block comment, every line is one. */
function textOf(line: string | undefined, isInBlock = false): string | undefined {
  if (line === undefined || line.length > MAX_LINE_CHARS) return undefined;
  const text = WHOLE_LINE.exec(line)?.[1] ?? (isInBlock ? line : undefined);
  return text?.replace(CLOSE, "").trim();
}

function hasWords(text: string | undefined): boolean {
  return text !== undefined && /[\p{L}\p{N}]/u.test(text);
}

function joined(parts: readonly string[]): string {
  return parts.join(" ").replace(/\s+/g, " ").trim();
}

/** An open quotation mark: the text is a string of the program. */
function isQuoted(before: string): boolean {
  return ['"', "'", "`"].some((mark) => before.split(mark).length % 2 === 0);
}
