/**
 * One score from two: that of the words and that of the vectors. It is a convex sum of both, each relative to its best.
 * Ranks are not mixed, because a weak list then costs more than it brings.
 */

import type { Cosines } from "../vector_index.ts";
import type { ScoreKeeper } from "./score_keeper.ts";

/** Any two texts about software have a cosine of about this; below it a vector carries no information. */
const MIN_COSINE = 0.2;
/** A message that has none of the words is found by its vector only from this cosine on. */
export const MIN_COSINE_WITHOUT_WORDS = 0.35;

export interface Fused {
  /** The BM25 score that a document had before. */
  words(segment: number, document: number): number;
  /** Messages that were near, but not near enough to be found without one of the words. */
  dropped: { segment: number; document: number; cosine: number }[];
}

/** Turns the scores by words, of which `largest` is the best, into fused ones, in place: there are as many as messages. */
export function fuse(scores: readonly ScoreKeeper[], largest: number, cosines: Cosines, share: number): Fused {
  const factor = (1 - share) / (largest || 1);
  // For a search by meaning alone no message is found by words, so there is no better evidence to compare with.
  const needed = share === 1 ? MIN_COSINE : MIN_COSINE_WITHOUT_WORDS;
  let nearest = 0;
  for (const list of cosines) for (const cosine of list.values()) nearest = Math.max(nearest, cosine);
  const weight = share / (Math.max(MIN_COSINE_WITHOUT_WORDS, nearest) - MIN_COSINE);
  const dropped: Fused["dropped"] = [];
  const words = cosines.map((list, segment) => {
    const { values } = scores[segment] as ScoreKeeper;
    return new Map([...list.keys()].map((document) => [document, values[document] as number]));
  });
  for (const [segment, keeper] of scores.entries()) {
    keeper.scale(factor);
    for (const [document, cosine] of cosines[segment] ?? []) {
      if (words[segment]?.get(document) === 0 && cosine < needed) dropped.push({ segment, document, cosine });
      else if (cosine > MIN_COSINE) keeper.add(document, weight * (cosine - MIN_COSINE));
    }
  }
  return {
    words: (segment, document) =>
      words[segment]?.get(document) ?? (scores[segment]?.values[document] ?? 0) / (factor || 1),
    dropped,
  };
}
