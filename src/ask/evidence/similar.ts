/**
 * Compares the words of a text with those of a question. A word of similar meaning or of the same family counts in
 * part, because people ask with other words than the documentation uses.
 */
import type { WeighedQuestion, WeighedTerm, WordModel } from "../question/question_words.ts";
import { termsOf } from "../question/terms.ts";
import { cachedVectors } from "./cached_vectors.ts";

/** Below the first cosine two words are unrelated; above the second they mean the same. */
const MIN_WORD_COSINE = 0.3;
const MAX_WORD_COSINE = 0.8;
/**
 * Words that share this many leading letters, and differ little in length, are forms of one word: `expiry`, `expires`.
 */
const FAMILY_CHARS = 5;
const MAX_FAMILY_DIFFERENCE = 3;
/** Only so many distinct words of a text are compared. */
const MAX_WORDS = 2000;
const MIN_WORD_CHARS = 3;
/** Only so many words of a text are joined with the next one. */
const MAX_JOINED = 10_000;

/** A word with a digit (`http3`, `sha256`) means one thing: no other word is similar to it. */
const HAS_DIGIT = /\d/;

/** A text, prepared for comparison with the words of a question. */
export interface Wording {
  terms: ReadonlySet<string>;
  words: readonly string[];
  /** Each word joined with the next one. */
  joined: ReadonlySet<string>;
}

export function wordingOf(text: string): Wording {
  const all = text.toLowerCase().match(/[a-z]{1,40}|\d{1,40}/g) ?? [];
  const words = new Set(all.filter((word) => word.length >= MIN_WORD_CHARS && !HAS_DIGIT.test(word)));
  const joined = new Set(all.slice(1, MAX_JOINED).map((second, at) => `${all[at]}${second}`));
  return { terms: termsOf(text), words: [...words].slice(0, MAX_WORDS), joined };
}

/** Whether the text has the term, a word of the same family, or the same word joined or split. */
export function hasForm(asked: WeighedTerm, wording: Wording): boolean {
  if (hasTerm(asked, wording)) return true;
  return !HAS_DIGIT.test(asked.word) && wording.words.some((each) => isSameFamily(asked.word, each));
}

/** 1 if the text has the term, else up to 1 for its most similar word. */
export function presence(asked: WeighedQuestion, term: WeighedTerm, wording: Wording): number {
  if (hasTerm(term, wording)) return 1;
  if (HAS_DIGIT.test(term.word)) return 0;
  const alone = nearestOf(asked.model, term.word, wording.words);
  return term.phrasal ? Math.max(alone, nearestOf(asked.model, term.phrasal, wording.words)) : alone;
}

/** "timeout" and "time out" are the same word. */
export function hasTerm({ term, word, joined }: WeighedTerm, wording: Wording): boolean {
  return wording.terms.has(term) || wording.joined.has(word) || joined.some((each) => wording.terms.has(each));
}

/** The share of the question, 0 to 1, that a text covers. */
export function coverageByMeaning(asked: WeighedQuestion, wording: Wording): number {
  if (asked.total === 0) return 0;
  return asked.terms.reduce((sum, term) => sum + term.weight * presence(asked, term, wording), 0) / asked.total;
}

function nearestOf(model: WordModel | undefined, word: string, words: readonly string[]): number {
  return words.reduce((most, each) => (most === 1 ? 1 : Math.max(most, similarity(model, word, each))), 0);
}

function similarity(model: WordModel | undefined, a: string, b: string): number {
  if (isSameFamily(a, b)) return 1;
  const cosine = model ? dot(wordVector(model, a), wordVector(model, b)) : 0;
  return Math.max(0, Math.min(1, (cosine - MIN_WORD_COSINE) / (MAX_WORD_COSINE - MIN_WORD_COSINE)));
}

function isSameFamily(a: string, b: string): boolean {
  return (
    Math.min(a.length, b.length) >= FAMILY_CHARS &&
    Math.abs(a.length - b.length) <= MAX_FAMILY_DIFFERENCE &&
    a.slice(0, FAMILY_CHARS) === b.slice(0, FAMILY_CHARS)
  );
}

const MAX_CACHED_WORDS = 20_000;
const wordVector = cachedVectors(MAX_CACHED_WORDS);

/** The cosine of two unit vectors; 0 if one is missing. */
export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Returns a function that computes the cosine of a text and the question, at least 0; always 0 without a model. */
export function nearTo({ query, model }: WeighedQuestion): (text: string) => number {
  const vector = model?.embed(query);
  return (text) => Math.max(0, dot(vector, vector && model?.embed(text)));
}
