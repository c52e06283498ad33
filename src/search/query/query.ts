/**
 * From what was typed to what is looked for. Nothing typed can be a syntax error: words are taken out of the text the
 * way they were taken out of messages, and what is no filter is words. Any of the words may match; how many do, and
 * how rare they are, is the ranking's business.
 *
 *   "exact words"   must stand there as typed
 *   -word           messages with it do not count
 *   project: source: role: tool: file: after: before:   narrow it down, as the flags do
 */
import { ROLES, type Role } from "../../conversations/model.ts";
import { defined } from "../../kernel/defined.ts";
import type { TermQuery } from "../../ranking/query.ts";
import { Analyser, isCjkCharacter, SMALL_CAPACITY } from "../../text/analyser.ts";
import { toolMark } from "../../text/marks.ts";

export interface ParsedQuery extends TermQuery {
  /** The words as typed, for snippets and for "did you mean". */
  words: string[];
  /** What is asked, without filters and what is excluded. */
  text: string;
  /** Quoted, as typed: a message must hold them. */
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

const MOST_TERMS = 64;
const MOST_PATHS = 4;
const LONGEST_QUERY = 100_000;
const MOST_PIECES = 1000;
const WORD = /[\p{L}\p{N}]+/gu;
/** A field with its value, a quoted phrase, or anything up to a space; each perhaps excluded. */
const PIECE =
  /(-?)(?:(project|source|role|tool|file|before|after|from|to):(?:"([^"]{1,500})"|(\S{1,500}))|"([^"]{1,1000})"|(\S+))/giu;

/** They tell nothing of what is asked. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our should so that the their them then there these they this to was we were what when where which who " +
    "why will with would you your"
  ).split(" "),
);

/** A file name or a path, without what may stand around it in a sentence or an error. */
function pathOf(piece: string): string[] {
  const path = piece.replace(/^[("'`[<]+|[)"'`\]>,;:.!?]+$|:\d+(?::\d+)?$/g, "").replace(/^\.\//, "");
  return /^[\w@.+/-]+\.[a-z]\w{0,7}$/i.test(path) ? [path] : [];
}

/** Undefined when there is no word in it to look for. */
export function parseQuery(typed: string, flags: QueryFields = {}): ParsedQuery | undefined {
  const text = typed.slice(0, LONGEST_QUERY).normalize("NFC");
  const fields: QueryFields = {};
  const phrases: string[] = [];
  const plain: string[] = [];
  const unwanted: string[] = [];
  let pieces = 0;
  for (const match of text.matchAll(PIECE)) {
    pieces += 1;
    if (pieces > MOST_PIECES) break;
    const [whole, minus, field, quoted, bare, phrase, word = ""] = match;
    const value = quoted ?? bare;
    if (field !== undefined && value !== undefined && minus === "" && setField(fields, field.toLowerCase(), value))
      continue;
    const said = phrase ?? (field === undefined ? word : whole.slice(minus?.length ?? 0));
    // A minus excludes only in front of a word: `-5` and `--flag` are looked for.
    if (minus === "-" && /^[\p{L}_]/u.test(said)) unwanted.push(said);
    else if (phrase !== undefined && (phrase.match(WORD)?.length ?? 0) > 1) phrases.push(phrase);
    else plain.push(said);
  }
  const all = [...phrases, ...plain].flatMap((piece) => piece.match(WORD) ?? []);
  const telling = all.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const words = [...new Set(telling.length > 0 ? telling : all)].slice(0, MOST_TERMS);
  if (words.length === 0) return undefined;
  const analyser = new Analyser(SMALL_CAPACITY);
  const termsIn = (list: readonly string[]): string[] => [...new Set(list.flatMap((word) => termsOf(analyser, word)))];
  const tool = flags.tool ?? fields.tool;
  return {
    text: [...phrases, ...plain].join(" "),
    paths: plain.flatMap(pathOf).slice(0, MOST_PATHS),
    terms: termsIn(words).slice(0, MOST_TERMS),
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

/** Of a run of CJK characters its pairs are looked for; single characters only where there is nothing else. */
function termsOf(analyser: Analyser, word: string): string[] {
  const terms = analyser.words(word);
  const longer = terms.filter((term) => !isCjkCharacter(term));
  return longer.length > 0 ? longer : terms;
}

/** Whether a text holds all phrases, but for case and the white space between words. */
export function holdsPhrases(text: string, phrases: readonly string[]): boolean {
  const flat = text.replace(/\s+/g, " ").toLowerCase();
  return phrases.every((phrase) => flat.includes(phrase.replace(/\s+/g, " ").trim().toLowerCase()));
}
