/**
 * Finds near-duplicate texts: by cosine similarity, if the built-in model knows the words, or by shared words. The
 * thresholds were measured on the pairs in near.test.ts. Near-duplicates are reported and the text is saved anyway:
 * "never commit to main" and "never commit to release" look alike and are two rules.
 */
import { Analyser, SMALL_CAPACITY } from "../text/terms/analyser.ts";

const MIN_COSINE = 0.7;
const MIN_WORD_OVERLAP = 0.57;
const MAX_RESULTS = 5;

const STOP_WORDS = new Set(
  "a an and are as at be by for in is it its of on or that the this to use used using with".split(" "),
);

export interface NearText<T> {
  of: T;
  /** Similarity from 0 to 1. */
  likeness: number;
}

export type Embed = (text: string) => Float32Array | undefined;

/** The nearest first. */
export function nearTexts<T extends { id: string; text: string }>(
  text: string,
  others: readonly T[],
  embed: Embed = () => undefined,
): NearText<T>[] {
  const analyser = new Analyser(SMALL_CAPACITY);
  const words = wordsOf(text, analyser);
  const vector = others.length > 0 ? embed(text) : undefined;
  return others
    .flatMap((other) => {
      const shared = overlap(words, wordsOf(other.text, analyser));
      const meaning = vector ? cosine(vector, embed(other.text)) : 0;
      if (shared < MIN_WORD_OVERLAP && meaning < MIN_COSINE) return [];
      return [{ of: other, likeness: Math.round(Math.max(shared, meaning) * 100) / 100 }];
    })
    .sort((a, b) => b.likeness - a.likeness || (a.of.id < b.of.id ? -1 : 1))
    .slice(0, MAX_RESULTS);
}

function wordsOf(text: string, analyser: Analyser): Set<string> {
  return new Set(analyser.words(text).filter((word) => !STOP_WORDS.has(word)));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return both === 0 ? 0 : both / (a.size + b.size - both);
}

function cosine(a: Float32Array, b: Float32Array | undefined): number {
  if (!b) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
