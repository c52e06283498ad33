/** How near the meaning of a sentence is to a question, by the sentence encoder. */
import type { Asked, SentenceModel } from "./asked.ts";
import { dot } from "./similar.ts";

/** Of a longer unit only the start is read: its beginning says what it is about, and the encoder takes milliseconds. */
const MAX_CHARS = 400;
/** A question and the units of a few dozen passages. */
const MAX_CACHED = 2000;

const vectors = new WeakMap<SentenceModel, Map<string, Float32Array | undefined>>();

/** The cosine of a question and a text, at least 0; 0 without the encoder. */
export function sentenceCosine({ query, sentences }: Asked, text: string): number {
  if (!sentences) return 0;
  return Math.max(0, dot(vectorOf(sentences, query), vectorOf(sentences, text)));
}

/** A passage is compared several times for one answer: among all, and among those of its collection. */
function vectorOf(model: SentenceModel, whole: string): Float32Array | undefined {
  const text = whole.slice(0, MAX_CHARS);
  let known = vectors.get(model);
  if (!known || known.size > MAX_CACHED) {
    known = new Map();
    vectors.set(model, known);
  }
  if (!known.has(text)) known.set(text, model.embed(text));
  return known.get(text);
}
