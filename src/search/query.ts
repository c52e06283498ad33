/**
 * From what was typed to a full-text query. Nothing typed can be a syntax error: words are taken out of the text and
 * quoted one by one. Any of the words may match; how many do, and how rare they are, is the ranking's business.
 */
import { roleMark, toolMark } from "../kernel/marks.ts";
import { camelPieces, cjkPairs, hasCjk } from "../kernel/words.ts";

export interface TextQuery {
  /** In the full-text engine's own syntax. */
  match: string;
  /** The words looked for, for snippets. */
  terms: string[];
}

export interface QueryFilter {
  role?: string;
  tool?: string;
}

const MOST_TERMS = 48;
const LONGEST_QUERY = 100_000;
const WORD = /[\p{L}\p{N}]+/gu;
const PHRASE = /"([^"]+)"/g;

const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our should so that the their them then there these they this to was we were what when where which who " +
    "why will with would you your"
  ).split(" "),
);

/** Undefined when there is no word in it to look for. */
export function parseQuery(typed: string, filter: QueryFilter = {}): TextQuery | undefined {
  const text = typed.slice(0, LONGEST_QUERY).normalize("NFC");
  const clauses = new Map<string, string>();
  const add = (term: string, clause: string): void => {
    if (clauses.size < MOST_TERMS && !clauses.has(term)) clauses.set(term, clause);
  };
  for (const match of text.matchAll(PHRASE)) {
    const words = match[1]?.match(WORD) ?? [];
    if (words.length > 1) add(words.join(" ").toLowerCase(), quote(words.join(" ")));
  }
  const words = text.match(WORD) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  for (const word of telling.length > 0 ? telling : words) {
    if (hasCjk(word)) add(word, `(${cjkPairs(word).map(quote).join(" AND ")} OR ${quote(word)})`);
    else add(word.toLowerCase(), quote(word));
    for (const piece of camelPieces(word)) add(piece, quote(piece));
  }
  if (clauses.size === 0) return undefined;
  const marks: string[] = [];
  if (filter.role !== undefined) marks.push(quote(roleMark(filter.role)));
  if (filter.tool !== undefined) marks.push(quote(toolMark(filter.tool)));
  const any = `(${[...clauses.values()].join(" OR ")})`;
  return { match: [any, ...marks].join(" AND "), terms: [...clauses.keys()] };
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
