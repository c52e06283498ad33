/**
 * The words of a question, weighed by how much each one decides whether a text answers it: a word that is rare in the
 * collection weighs more than a common one, and a word with a narrow meaning ("brotli") more than one for which a text
 * may use a synonym ("several").
 */
import type { TermCounts } from "../../ranking/hits.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { type Neighbours, neighboursIn } from "./neighbours.ts";
import { significantTerms } from "./terms.ts";

/** The built-in embedding model, as far as questions need it. */
export interface WordModel {
  /** How narrow the meaning of a word is; 0 for an unknown word. */
  strength(word: string): number;
  /** A unit vector; undefined for a text it does not know. */
  embed(text: string): Float32Array | undefined;
}

/** The sentence encoder, which recognises the same statement in other words. */
export interface SentenceModel {
  /** A unit vector; undefined for a text it does not know. */
  embed(text: string): Float32Array | undefined;
}

/** The models of the package; undefined if vectors are turned off. */
export interface Models {
  words: WordModel | undefined;
  sentences: SentenceModel | undefined;
}

export const NO_MODELS: Models = { words: undefined, sentences: undefined };

export interface WeighedTerm extends Neighbours {
  term: string;
  /** The word of the question from which the term was made. */
  word: string;
  weight: number;
  /** Whether the term occurs anywhere in the texts that are searched. */
  known: boolean;
  /** Whether it is written as a name, has letters and digits, or is a word that the model does not know. */
  isName: boolean;
}

export interface WeighedQuestion {
  query: string;
  terms: readonly WeighedTerm[];
  /** The sum of the weights. */
  total: number;
  /** The number of texts that the words were counted in. */
  texts: number;
  /** Whether the question asks for a number, a limit or a default. */
  quantity: boolean;
  /** Whether the question asks "how many" or "how much". */
  count: boolean;
  model: WordModel | undefined;
  sentences: SentenceModel | undefined;
}

/** A word with a narrower meaning than this is mostly the name of a product. */
export const NAME_STRENGTH = 2.5;
const MAX_STRENGTH = 3;
/** Added to the size of every collection: a word that all of three texts have is not a common word for that. */
const USUAL_TEXTS = 20;
/** The strength of words that the model does not know, and of all words without a model. */
const USUAL_STRENGTH = 1.5;

const HAS_LETTER_AND_DIGIT = /\p{L}\d|\d\p{L}/u;

const QUANTITY =
  /\bhow (?:many|much|long|big|large|deep|often|old|far|high|wide|fast)\b|\b(?:maximum|minimum)\b|\b(?:what|which)\b.{0,40}\b(?:(?<!by )default|limit|lifetime|length|size|version|port|number|percentage|timeout)\b/i;

/** "How do I see how many …" asks for a way, not for a number. */
const COUNT = /^(?!.*\bhow (?:do|can|could|should|to)\b).*\bhow (?:many|much)\b/is;

const analyser = new Analyser(SMALL_CAPACITY);

/** `assumed`: words in lower case that a text need not contain, unless the question has no others. */
export function weighQuestion(
  query: string,
  { texts, having }: TermCounts,
  { words: model, sentences }: Models,
  assumed: readonly string[] = [],
): WeighedQuestion {
  const wordOfTerm = wordsByTerm(query);
  const capitalized = capitalizedIn(query);
  const all = significantTerms(query);
  const wordOf = (term: string): string => wordOfTerm.get(term) ?? term;
  const said = all.filter((term) => !assumed.includes(wordOf(term)));
  const significant = said.length > 0 ? said : all;
  const parts = Map.groupBy(significant, wordOf);
  const neighbours = neighboursIn(query);
  const terms = significant.map((term): WeighedTerm => {
    const holding = having.get(term) ?? 0;
    const word = wordOf(term);
    // A name with several parts ("MongoDB") weighs as much as one word.
    const share = 1 / (parts.get(word)?.length ?? 1);
    const isName = capitalized.has(word) || HAS_LETTER_AND_DIGIT.test(word) || model?.strength(word) === 0;
    const rarity = Math.log(1 + (texts + USUAL_TEXTS - holding + 0.5) / (holding + 0.5));
    const weight = share * strengthOf(word, model) * Math.sqrt(rarity);
    return { term, word, joined: [], ...neighbours.get(word), weight, known: holding > 0, isName };
  });
  const asksFor = { quantity: QUANTITY.test(query), count: COUNT.test(query) };
  return { query, terms, total: weightOf(terms), texts, ...asksFor, model, sentences };
}

export function weightOf(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

function strengthOf(word: string, model: WordModel | undefined): number {
  const strength = model?.strength(word) ?? 0;
  return strength === 0 ? USUAL_STRENGTH : Math.min(MAX_STRENGTH, strength);
}

/**
 * A capital within a sentence marks a name in English, unless nearly all words have one, as in a title. In German every
 * noun has one.
 */
const MAX_CAPITALIZED_SHARE = 0.8;
const ENGLISH =
  /\b(?:the|how|what|which|who|when|where|why|does|do|is|are|can|should|with|without|for|from|to|of|by|my)\b/i;

function capitalizedIn(query: string): Set<string> {
  const words = [...query.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)].filter(({ index }) => !isFirst(query.slice(0, index)));
  const capitalized = words.filter(([word]) => /^\p{Lu}/u.test(word) && word !== "I");
  const telling = words.filter(([word]) => significantTerms(word).length > 0);
  if (!ENGLISH.test(query) || capitalized.length > telling.length * MAX_CAPITALIZED_SHARE) return new Set();
  return new Set(capitalized.map(([word]) => word.toLowerCase()));
}

function isFirst(before: string): boolean {
  return /(?:^|[.!?:]\s)[^\p{L}\p{N}]*$/u.test(before);
}

function wordsByTerm(query: string): Map<string, string> {
  analyser.trim();
  const words = new Map<string, string>();
  for (const word of query.normalize("NFC").match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []) {
    for (const term of analyser.words(word)) if (!words.has(term)) words.set(term, word.toLowerCase());
  }
  return words;
}
