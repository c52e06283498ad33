/**
 * Parses a query. There are no syntax errors: anything that is not a filter is words, which are extracted as from
 * messages. Any of the words may match; the ranking weighs how many do and how rare they are.
 *
 *   "exact words"   must occur as typed; a quoted name (`"getUserID"`, `"max_tokens"`) also with its case
 *   -word           excludes messages with the word
 *   project: source: role: tool: file: after: before:   filter, like the flags
 */
import { defined } from "../../kernel/defined.ts";
import type { TermQuery } from "../../ranking/query.ts";
import { patternFor } from "../../text/patterns.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { isCjkCharacter, isCjkPair, type WrittenTerm, writtenTerms } from "../../text/terms/forms.ts";
import { FOREIGN_FUNCTION_WORDS } from "../../text/terms/function_words.ts";
import { toolMark } from "../../text/terms/marks.ts";
import { type Names, namesIn } from "../../text/terms/names.ts";
import type { Whole } from "../exact/whole.ts";
import { type Minus, type Pieces, piecesOf, type QueryFields, wordsIn } from "./pieces.ts";

export interface ParsedQuery extends TermQuery, Pick<Pieces, "fields" | "phrases" | "minuses"> {
  /** The words as typed, for snippets and for "did you mean". */
  words: string[];
  /** Each word with the terms that a text with the whole word has. */
  wordTerms: { word: string; terms: readonly string[] }[];
  /** The query without filters and excluded words. */
  text: string;
  /** The phrases, prepared for finding them in a text. */
  quoted: Whole[];
  /** Names that may be terms of their own. */
  names: string[];
  /** The query itself, if it is a single name or a few words: texts that contain it as typed rank first. */
  typed?: Typed;
}

export interface Typed extends Whole {
  isName: boolean;
  /** The names in it, as terms: a text with them is more likely to contain it. */
  names: readonly string[];
  /** The text is one of these names, so nearly every text with the term contains it literally. */
  isTerm: boolean;
}

const MAX_TERMS = 64;
const MAX_PATHS = 4;
const MAX_QUERY_CHARS = 100_000;
/** Words too common to search for. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  ...FOREIGN_FUNCTION_WORDS,
  ...(
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our should so that the their them then there these they this to was we were what when where which who " +
    "why will with would you your"
  ).split(" "),
]);

/** Punctuation around a name in a sentence, and the parentheses of a call. */
const AROUND_NAME = /^[("'`[<{]+|[()"'`\]>},;:.!?]+$/g;
/**
 * A path, a flag, a call, a dotted, snake_case or camelCase name, an error code, or a hash. Its case and punctuation
 * count.
 */
const NAME = patternFor(
  String.raw`^--?\p{L}|^#\p{N}|[\p{L}\p{N}_]\(|[\p{L}\p{N}][-_./\\:@#$]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{Lu}{2}|\p{L}\p{N}|\p{N}\p{L}|^[./~@#$_][-\w./]*\p{L}`,
);
/** Full-width Latin letters are a variant of normal ones, so nobody expects them literally. */
const WIDE_LETTER = /[\uff21-\uff3a\uff41-\uff5a]/;
const CALL = patternFor(String.raw`[\p{L}\p{N}_]\([^()\s]*\)$`);
const CAMEL = /^[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*$/;
/** A longer query is a question, which nobody repeats word for word. */
const MAX_TYPED_WORDS = 12;

export function isName(text: string): boolean {
  return !/\s/.test(text) && NAME(text).test(text);
}

/** A file name or a path, without the punctuation around it in a sentence or an error. */
function pathOf(piece: string): string[] {
  // A quick check: compiling the expressions takes a new process longer than most words are worth.
  if (!piece.includes(".")) return [];
  const path = piece.replace(/^[("'`[<]+|[)"'`\]>,;:.!?]+$|:\d+(?::\d+)?$/g, "").replace(/^\.\//, "");
  return /^[\w@.+/-]+\.[a-z]\w{0,7}$/i.test(path) ? [path] : [];
}

/** One analyser for all queries, because a new one has to build its tables. */
let kept: Analyser | undefined;

function ownAnalyser(): Analyser {
  kept ??= new Analyser(SMALL_CAPACITY);
  kept.trim();
  return kept;
}

/** The last query without flags: the parts of one answer parse the same prompt. */
let last: { typed: string; parsed: Readonly<ParsedQuery> | undefined } | undefined;

/**
 * Undefined if the text has no word to search for. `withNames`: the query is for an index whose terms include names.
 */
export function parseQuery(
  typed: string,
  flags?: QueryFields,
  withNames = false,
  minus: Minus = "excludes",
): ParsedQuery | undefined {
  if (flags || withNames) return parse(typed, flags ?? {}, withNames, minus);
  if (last?.typed !== typed) last = { typed, parsed: parse(typed, {}, false, minus) };
  return last.parsed && { ...last.parsed };
}

function parse(typed: string, flags: QueryFields, withNames: boolean, minus: Minus): ParsedQuery | undefined {
  const text = typed.slice(0, MAX_QUERY_CHARS).normalize("NFC");
  const { fields, phrases, plain, excluded, minuses } = piecesOf(text, minus);
  const all = [...phrases, ...plain].flatMap(wordsIn);
  const none: Names = { snake: [], joined: [] };
  const names = withNames ? namesIn(plain.join("\n")) : none;
  // A longer name may contain a quoted one, so only the parts of the quoted name are certain to be terms of a text with
  // it.
  const quotedNames = withNames ? namesIn(phrases.join("\n")) : none;
  const wholeNames = lowered([...names.joined, ...names.snake, ...quotedNames.snake]);
  const specific = all.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const words = [...new Set(specific.length > 0 ? specific : all)].slice(0, MAX_TERMS);
  if (words.length === 0) return undefined;
  const analyser = ownAnalyser();
  const termsIn = (list: readonly string[]): string[] => [...new Set(list.flatMap((word) => termsOf(analyser, word)))];
  const tool = flags.tool ?? fields.tool;
  const wordTerms = words.map((word) => ({ word, terms: wholeTerms(analyser, word, []) }));
  return {
    text: [...phrases, ...plain].join(" "),
    paths: plain.flatMap(pathOf).slice(0, MAX_PATHS),
    terms: [...new Set([...wholeNames, ...lowered(quotedNames.joined), ...termsIn(words)])].slice(0, MAX_TERMS),
    required: [...new Set(phrases.flatMap((phrase) => wholeTerms(analyser, phrase, quotedNames.snake)))],
    whole: [...new Set([...wholeNames, ...wordTerms.flatMap(({ terms }) => terms)])].slice(0, MAX_TERMS),
    written: writtenIn(words),
    names: wholeNames,
    quoted: phrases.map((phrase) => wholeOf(analyser, phrase, quotedNames.snake)),
    typed: phrases.length > 0 ? undefined : typedWhole(analyser, plain, names),
    excluded: termsIn(excluded.flatMap(wordsIn)),
    role: flags.role ?? fields.role,
    mark: tool === undefined ? undefined : analyser.words(toolMark(tool))[0],
    words,
    wordTerms,
    phrases,
    minuses,
    fields: { ...fields, ...defined(flags) },
  };
}

/** Each term once. Single CJK characters are found through their pairs. */
function writtenIn(words: readonly string[]): WrittenTerm[] {
  const found = new Map<string, WrittenTerm>();
  for (const word of words) {
    const all = writtenTerms(word);
    const longer = all.filter(({ term }) => !isCjkCharacter(term));
    for (const each of longer.length > 0 ? longer : all) if (!found.has(each.term)) found.set(each.term, each);
  }
  return [...found.values()].slice(0, MAX_TERMS);
}

function lowered(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** The terms of whole words and names, without those of a name's parts. */
function wholeTerms(analyser: Analyser, text: string, names: readonly string[]): string[] {
  const own = names.filter((name) => text.includes(name));
  const others = wordsIn(own.reduce((rest, name) => rest.replaceAll(name, " "), text));
  const words = others.flatMap((word) => {
    const terms = termsOf(analyser, word);
    return terms.some((term) => isCjkPair(term)) ? terms : terms.slice(0, 1);
  });
  return [...own.map((name) => name.toLowerCase()), ...words];
}

/** Ignores case in plain words, unless some of them have capitals. */
function wholeOf(analyser: Analyser, text: string, names: readonly string[]): Whole {
  const anyCase = text === text.toLowerCase() && !isName(text.trim());
  return { text, terms: [...new Set(wholeTerms(analyser, text, names))], anyCase };
}

function typedWhole(analyser: Analyser, plain: readonly string[], { snake, joined }: Names): ParsedQuery["typed"] {
  const joinedWords = plain.join(" ");
  const bare = joinedWords.replace(AROUND_NAME, "");
  // Without its parentheses, a call of a plain word (`flush()`) would be just that word.
  const isCall = plain.length === 1 && !isName(bare) && CALL(joinedWords).test(joinedWords);
  const text = isCall ? joinedWords : bare;
  const words = wordsIn(text).length;
  const names = joined.filter((name) => text.includes(name)).map((name) => name.toLowerCase());
  if (plain.length === 1) {
    if (!isName(text) || WIDE_LETTER.test(text)) return undefined;
    // Terms ignore case, and a word in capitals is often another word: ERROR, error.
    const isTerm = text !== text.toUpperCase() && (snake.includes(text) || joined.includes(text) || CAMEL.test(text));
    return { ...wholeOf(analyser, text, snake), names, isName: true, isTerm };
  }
  if (words < 2 || plain.length > MAX_TYPED_WORDS) return undefined;
  return { ...wholeOf(analyser, text, snake), names, anyCase: true, isName: false, isTerm: false };
}

/** A run of CJK characters is searched by its pairs, or by single characters if it has no pairs. */
function termsOf(analyser: Analyser, word: string): string[] {
  const terms = analyser.words(word);
  const longer = terms.filter((term) => !isCjkCharacter(term));
  return longer.length > 0 ? longer : terms;
}
