/**
 * Parses a query. There are no syntax errors: words are extracted as from messages, and anything that is not a filter
 * is words. Any of the words may match; the ranking weighs how many do and how rare they are.
 *
 *   "exact words"   must occur as typed
 *   -word           excludes messages with the word
 *   project: source: role: tool: file: after: before:   filter, like the flags
 */
import { ROLES, type Role } from "../../conversations/model.ts";
import { defined } from "../../kernel/defined.ts";
import type { TermQuery } from "../../ranking/query.ts";
import { Analyser, isCjkCharacter, SMALL_CAPACITY } from "../../text/analyser.ts";
import { toolMark } from "../../text/marks.ts";

export interface ParsedQuery extends TermQuery {
  /** The words as typed, for snippets and for "did you mean". */
  words: string[];
  /** The query without filters and excluded words. */
  text: string;
  /** Quoted phrases as typed: a message must contain them. */
  phrases: string[];
  /** Filters found in the text. */
  fields: QueryFields;
}

export interface QueryFields {
  project?: string;
  source?: string;
  file?: string;
  from?: string;
  to?: string;
  role?: Role;
  tool?: string;
}

const MAX_TERMS = 64;
const MAX_PATHS = 4;
const MAX_QUERY_CHARS = 100_000;
const MAX_PIECES = 1000;
const WORD = /[\p{L}\p{N}]+/gu;
/** A field with its value, a quoted phrase, or anything up to a space; each perhaps excluded. */
const PIECE =
  /(-?)(?:(project|source|role|tool|file|before|after|from|to):(?:"([^"]{1,500})"|(\S{1,500}))|"([^"]{1,1000})"|(\S+))/giu;

/** Words too common to search for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our should so that the their them then there these they this to was we were what when where which who " +
    "why will with would you your"
  ).split(" "),
);

/** A file name or a path, without the punctuation around it in a sentence or an error. */
function pathOf(piece: string): string[] {
  const path = piece.replace(/^[("'`[<]+|[)"'`\]>,;:.!?]+$|:\d+(?::\d+)?$/g, "").replace(/^\.\//, "");
  return /^[\w@.+/-]+\.[a-z]\w{0,7}$/i.test(path) ? [path] : [];
}

/** The last text without flags: the parts of one answer ask for the same prompt. */
let last: { typed: string; parsed: Readonly<ParsedQuery> | undefined } | undefined;

/** Undefined if the text has no word to search for. */
export function parseQuery(typed: string, flags?: QueryFields): ParsedQuery | undefined {
  if (flags) return parse(typed, flags);
  if (last?.typed !== typed) last = { typed, parsed: parse(typed, {}) };
  return last.parsed && { ...last.parsed };
}

function parse(typed: string, flags: QueryFields): ParsedQuery | undefined {
  const text = typed.slice(0, MAX_QUERY_CHARS).normalize("NFC");
  const fields: QueryFields = {};
  const phrases: string[] = [];
  const plain: string[] = [];
  const unwanted: string[] = [];
  let pieces = 0;
  for (const match of text.matchAll(PIECE)) {
    pieces += 1;
    if (pieces > MAX_PIECES) break;
    const [whole, minus, field, quoted, bare, phrase, word = ""] = match;
    const value = quoted ?? bare;
    if (field !== undefined && value !== undefined && minus === "" && setField(fields, field.toLowerCase(), value))
      continue;
    const content = phrase ?? (field === undefined ? word : whole.slice(minus?.length ?? 0));
    // A minus excludes only before a word: `-5` and `--flag` are searched for.
    if (minus === "-" && /^[\p{L}_]/u.test(content)) unwanted.push(content);
    else if (phrase !== undefined && (phrase.match(WORD)?.length ?? 0) > 1) phrases.push(phrase);
    else plain.push(content);
  }
  const all = [...phrases, ...plain].flatMap((piece) => piece.match(WORD) ?? []);
  const specific = all.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const words = [...new Set(specific.length > 0 ? specific : all)].slice(0, MAX_TERMS);
  if (words.length === 0) return undefined;
  const analyser = new Analyser(SMALL_CAPACITY);
  const termsIn = (list: readonly string[]): string[] => [...new Set(list.flatMap((word) => termsOf(analyser, word)))];
  const tool = flags.tool ?? fields.tool;
  return {
    text: [...phrases, ...plain].join(" "),
    paths: plain.flatMap(pathOf).slice(0, MAX_PATHS),
    terms: termsIn(words).slice(0, MAX_TERMS),
    required: termsIn(phrases.flatMap((phrase) => phrase.match(WORD) ?? [])),
    excluded: termsIn(unwanted.flatMap((piece) => piece.match(WORD) ?? [])),
    role: flags.role ?? fields.role,
    mark: tool === undefined ? undefined : analyser.words(toolMark(tool))[0],
    words,
    phrases,
    fields: { ...fields, ...defined(flags) },
  };
}

function setField(fields: QueryFields, name: string, value: string): boolean {
  if (name === "role") {
    const role = ROLES.find((each) => each === value.toLowerCase());
    if (role) fields.role = role;
    return role !== undefined;
  }
  if (name === "after" || name === "from") fields.from = value;
  else if (name === "before" || name === "to") fields.to = value;
  else if (name === "project" || name === "source" || name === "file" || name === "tool") fields[name] = value;
  return true;
}

/** A run of CJK characters is searched by its pairs, or by single characters if it has no pairs. */
function termsOf(analyser: Analyser, word: string): string[] {
  const terms = analyser.words(word);
  const longer = terms.filter((term) => !isCjkCharacter(term));
  return longer.length > 0 ? longer : terms;
}

/** Whether a text contains all phrases, ignoring case and whitespace. */
export function containsPhrases(text: string, phrases: readonly string[]): boolean {
  const flat = text.replace(/\s+/g, " ").toLowerCase();
  return phrases.every((phrase) => flat.includes(phrase.replace(/\s+/g, " ").trim().toLowerCase()));
}
