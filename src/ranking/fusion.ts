/**
 * One score from two: what the words say and what the vectors say of a message. A convex sum of both, each in parts of
 * the best: ranks are not mixed, because a weak list then costs more than it brings.
 */
import { largestScore, type ScoreKeeper } from "./scored.ts";
import type { Cosines } from "./vector_index.ts";

/** A likeness that any two texts about software have; below it a vector says nothing. */
export const FLOOR = 0.2;
/** A message without one of the words is only brought up by a likeness of this. */
export const ALONE = 0.35;

export interface Fused {
  /** BM25 of a document, as it was before. */
  words(segment: number, document: number): number;
  /** Messages that were near, but not near enough to stand without one of the words. */
  dropped: { segment: number; document: number; cosine: number }[];
}

/** Turns the scores by words into fused ones, in place: they are as many as there are messages. */
export function fuse(scores: readonly ScoreKeeper[], cosines: Cosines, share: number): Fused {
  const factor = (1 - share) / (largestScore(scores) || 1);
  // Where meaning alone is asked for, words bring nothing up that it could be held against.
  const alone = share === 1 ? FLOOR : ALONE;
  let nearest = 0;
  for (const list of cosines) for (const cosine of list.values()) nearest = Math.max(nearest, cosine);
  const weight = share / (Math.max(ALONE, nearest) - FLOOR);
  const dropped: Fused["dropped"] = [];
  const words = cosines.map((list, segment) => {
    const { values } = scores[segment] as ScoreKeeper;
    return new Map([...list.keys()].map((document) => [document, values[document] as number]));
  });
  for (const [segment, keeper] of scores.entries()) {
    keeper.scale(factor);
    for (const [document, cosine] of cosines[segment] ?? []) {
      if (words[segment]?.get(document) === 0 && cosine < alone) dropped.push({ segment, document, cosine });
      else if (cosine > FLOOR) keeper.add(document, weight * (cosine - FLOOR));
    }
  }
  return {
    words: (segment, document) =>
      words[segment]?.get(document) ?? (scores[segment]?.values[document] ?? 0) / (factor || 1),
    dropped,
  };
}
