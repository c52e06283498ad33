/**
 * One score from two: that of the words and that of the vectors. It is a convex sum of both, each relative to its best.
 * Ranks are not mixed, because a weak list then costs more than it brings.
 */

import type { QueryVector } from "../query.ts";
import type { Cosines } from "../vector_index.ts";
import { largestScore, type ScoreKeeper } from "./score_keeper.ts";

export interface Fused {
  /** The BM25 score that a document had before. */
  words(segment: number, document: number): number;
  /** Messages that were near, but not near enough (`needed`) to be found without one of the words. */
  dropped: { segment: number; document: number; cosine: number; needed: number }[];
}

/** The cosines with one model's vector of the question. */
export interface Likeness {
  vector: QueryVector;
  cosines: Cosines;
}

/**
 * Turns the scores by words into fused ones, in place: there are as many as messages. No document is in the cosines of
 * both; those of the stand-in count as much relative to words as if there were no other model.
 */
export function fuse(scores: readonly ScoreKeeper[], main: Likeness, standIn?: Likeness): Fused {
  const { share } = main.vector;
  const factor = (1 - share) / (largestScore(scores) || 1);
  const known = scores.map(() => new Map<number, number>());
  for (const { cosines } of standIn ? [main, standIn] : [main]) {
    for (const [segment, list] of cosines.entries()) {
      const { values } = scores[segment] as ScoreKeeper;
      for (const document of list.keys()) known[segment]?.set(document, values[document] as number);
    }
  }
  for (const keeper of scores) keeper.scale(factor);
  const dropped = addCosines(scores, main, share, known);
  if (standIn) {
    const own = standIn.vector.share;
    dropped.push(...addCosines(scores, standIn, share === 1 ? 1 : ((1 - share) * own) / (1 - own), known));
  }
  return {
    words: (segment, document) =>
      known[segment]?.get(document) ?? (scores[segment]?.values[document] ?? 0) / (factor || 1),
    dropped,
  };
}

/** `most`: the amount that the nearest document gets. */
function addCosines(
  scores: readonly ScoreKeeper[],
  { vector: { scale, share }, cosines }: Likeness,
  most: number,
  words: readonly Map<number, number>[],
): Fused["dropped"] {
  // For a search by meaning alone no message is found by words, so there is no better evidence to compare with.
  const needed = share === 1 ? scale.unrelated : scale.found;
  const weight = most / (Math.max(scale.found, nearestOf(cosines)) - scale.unrelated);
  const dropped: Fused["dropped"] = [];
  for (const [segment, keeper] of scores.entries()) {
    for (const [document, cosine] of cosines[segment] ?? []) {
      if (words[segment]?.get(document) === 0 && cosine < needed) dropped.push({ segment, document, cosine, needed });
      else if (cosine > scale.unrelated) keeper.add(document, weight * (cosine - scale.unrelated));
    }
  }
  return dropped;
}

function nearestOf(cosines: Cosines): number {
  let nearest = 0;
  for (const list of cosines) for (const cosine of list.values()) nearest = Math.max(nearest, cosine);
  return nearest;
}
