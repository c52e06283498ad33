/**
 * Caches the vectors of texts by model, because the same words are compared over and over. A cache above its limit
 * starts again empty.
 */
import type { SentenceModel } from "../question/question_words.ts";

export function cachedVectors(max: number): (model: SentenceModel, text: string) => Float32Array | undefined {
  const byModel = new WeakMap<SentenceModel, Map<string, Float32Array | undefined>>();
  return (model, text) => {
    let known = byModel.get(model);
    if (!known || known.size > max) {
      known = new Map();
      byModel.set(model, known);
    }
    if (!known.has(text)) known.set(text, model.embed(text));
    return known.get(text);
  };
}
