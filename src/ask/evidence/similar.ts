/**
 * How far a text has the words of a question, where a word of similar meaning or of the same family counts in part:
 * people ask with other words than the documentation uses.
 */
import { termsOf } from "../terms.ts";
import type { Asked, AskedTerm, WordModel } from "./asked.ts";
import { cachedVectors } from "./cached_vectors.ts";

/** Cosines of two words below which they have nothing in common, and above which they mean the same. */
const MIN_WORD_COSINE = 0.3;
const MAX_WORD_COSINE = 0.8;
/** Words that begin with as many equal letters, and are about as long, are forms of one word: `expiry`, `expires`. */
const FAMILY_CHARS = 5;
const MAX_FAMILY_DIFFERENCE = 3;
/** Distinct words of a text that are compared, at most. */
const MAX_WORDS = 2000;
const MIN_WORD_CHARS = 3;
/** Words of a text that are compared with the next one, at most. */
const MAX_JOINED = 10_000;

/** A word with a digit (`http3`, `sha256`) means one thing: no other word is similar to it. */
const HAS_DIGIT = /\d/;

/** A text as the words of a question are compared with it. */
export interface Wording {
  terms: ReadonlySet<string>;
  words: readonly string[];
  /** Each word with the next one, written as one. */
  joined: ReadonlySet<string>;
}

export function wordingOf(text: string): Wording {
  const all = text.toLowerCase().match(/[a-z]{1,40}|\d{1,40}/g) ?? [];
  const words = new Set(all.filter((word) => word.length >= MIN_WORD_CHARS && !HAS_DIGIT.test(word)));
  const joined = new Set(all.slice(1, MAX_JOINED).map((second, at) => `${all[at]}${second}`));
  return { terms: termsOf(text), words: [...words].slice(0, MAX_WORDS), joined };
}

/** Whether the text has the term, a word of the same family, or the word in one piece or in two. */
export function hasForm(asked: AskedTerm, wording: Wording): boolean {
  if (hasTerm(asked, wording)) return true;
  return !HAS_DIGIT.test(asked.word) && wording.words.some((each) => isSameFamily(asked.word, each));
}

/** 1 if the text has the term, else up to 1 for its most similar word. */
export function presence(asked: Asked, term: AskedTerm, wording: Wording): number {
  if (hasTerm(term, wording)) return 1;
  if (HAS_DIGIT.test(term.word)) return 0;
  const alone = nearestOf(asked.model, term.word, wording.words);
  return term.phrasal ? Math.max(alone, nearestOf(asked.model, term.phrasal, wording.words)) : alone;
}

/** "timeout" and "time out" are the same word. */
export function hasTerm({ term, word, joined }: AskedTerm, wording: Wording): boolean {
  return wording.terms.has(term) || wording.joined.has(word) || joined.some((each) => wording.terms.has(each));
}

/** The share of the question, 0 to 1, that a text covers. */
export function coverageByMeaning(asked: Asked, wording: Wording): number {
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

/** Gives the cosine of a text and the question, at least 0; 0 without a model. */
export function nearTo({ query, model }: Asked): (text: string) => number {
  const vector = model?.embed(query);
  return (text) => Math.max(0, dot(vector, vector && model?.embed(text)));
}
