/** Joins the lines of a comment: a sentence that is wrapped over several lines is one sentence. */

export interface CommentPart {
  /** 1-based line on which it starts. */
  line: number;
  text: string;
}

const WHOLE_LINE = /^\s*(?:\/\/+!?|#+(?!!)|--|;+|\*+(?!\/)|\/\*+!?|<!--|"""|%)(?:\s|$)\s*(.*)$/;
const AFTER_CODE = /\s(?:\/\/|#|--)\s(.*)$/;
const CLOSE = /\s*(?:\*\/|-->)\s*$/;
/** A list item, a tag or a mark begins a part of its own. */
const BREAK = /^(?:[-*•+]\s|\d{1,2}[.)]\s|@\w|[A-Z]{3,}(?:\([^)]*\))?:)/;
const MAX_LINE_CHARS = 2000;
/** Lines in each direction. */
const MAX_LINES = 60;
const ENDED = /[.!?:)]$/;

/** The paragraph of the comment at this line (0-based); undefined if the line has no comment. */
export function commentAt(lines: readonly string[], at: number): CommentPart | undefined {
  const own = lines[at] ?? "";
  if (own.length > MAX_LINE_CHARS) return undefined;
  if (wholeLine(own) === undefined) return afterCode(lines, at);
  let first = at;
  while (first > 0 && at - first < MAX_LINES && !startsPart(lines, first) && goesOn(lines[first - 1])) first -= 1;
  let last = at;
  while (last - at < MAX_LINES && goesOn(lines[last + 1]) && !startsPart(lines, last + 1)) last += 1;
  return { line: first + 1, text: joined(lines.slice(first, last + 1).map((line) => wholeLine(line) ?? "")) };
}

/** A comment behind code goes on in the next lines only if its sentence does. */
function afterCode(lines: readonly string[], at: number): CommentPart | undefined {
  const own = lines[at] ?? "";
  const match = AFTER_CODE.exec(own);
  if (!match || isQuoted(own.slice(0, match.index))) return undefined;
  const parts = [(match[1] ?? "").replace(CLOSE, "").trim()];
  for (let i = at + 1; i - at < MAX_LINES && !ENDED.test(parts.at(-1) ?? ""); i += 1) {
    if (!goesOn(lines[i]) || startsPart(lines, i)) break;
    parts.push(wholeLine(lines[i] ?? "") ?? "");
  }
  return { line: at + 1, text: joined(parts) };
}

function wholeLine(line: string): string | undefined {
  return line.length > MAX_LINE_CHARS ? undefined : WHOLE_LINE.exec(line)?.[1]?.replace(CLOSE, "").trim();
}

function goesOn(line: string | undefined): boolean {
  const text = line === undefined ? undefined : wholeLine(line);
  return text !== undefined && /[\p{L}\p{N}]/u.test(text);
}

function startsPart(lines: readonly string[], at: number): boolean {
  return BREAK.test(wholeLine(lines[at] ?? "") ?? "");
}

function joined(parts: readonly string[]): string {
  return parts.join(" ").replace(/\s+/g, " ").trim();
}

/** An open quotation mark: the text is a string of the program. */
function isQuoted(before: string): boolean {
  return ['"', "'", "`"].some((mark) => before.split(mark).length % 2 === 0);
}
