/** How near the meaning of a sentence is to a question, by the sentence encoder. */
import type { WeighedQuestion } from "../question/question_words.ts";
import { cachedVectors } from "./cached_vectors.ts";
import { dot } from "./similar.ts";

/** Only the start of a longer unit is encoded: it says what the unit is about, and encoding takes milliseconds. */
const MAX_CHARS = 400;
/** Enough for a question and the units of a few dozen passages, which one answer compares several times. */
const MAX_CACHED = 2000;

const vectorOf = cachedVectors(MAX_CACHED);

/** The cosine of a question and a text, at least 0; 0 without the encoder. */
export function sentenceCosine({ query, sentences }: WeighedQuestion, text: string): number {
  if (!sentences) return 0;
  return Math.max(
    0,
    dot(vectorOf(sentences, query.slice(0, MAX_CHARS)), vectorOf(sentences, text.slice(0, MAX_CHARS))),
  );
}
