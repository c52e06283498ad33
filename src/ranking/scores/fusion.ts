/**
 * Fuses the score of the words and the cosines of vectors into one score: a weighted sum of each relative to its best.
 * Ranks are not fused, because there a weak list costs more than it contributes.
 */
import type { CosineScale } from "../query.ts";
import type { Cosines } from "../vector_index.ts";
import type { ScoreKeeper } from "./score_keeper.ts";

/** The cosines with one model's vector of the query, and their weight. */
export interface Likeness {
  cosines: Cosines;
  share: number;
  scale: CosineScale;
}

export interface Fused {
  /** The BM25 score of a document before fusion. */
  words(segment: number, document: number): number;
  /**
   * Messages without any of the words that were near, but below the cosine (`needed`) at which a vector alone finds
   * them.
   */
  dropped: { segment: number; document: number; cosine: number; needed: number }[];
}

/**
 * Replaces the word scores by fused ones, in place because every message may have one. `largest`: the best word score.
 */
export function fuse(scores: readonly ScoreKeeper[], largest: number, likenesses: readonly Likeness[]): Fused {
  const vectorShare = likenesses.reduce((sum, { share }) => sum + share, 0);
  const factor = (1 - vectorShare) / (largest || 1);
  const words = scores.map(() => new Map<number, number>());
  for (const { cosines } of likenesses) {
    for (const [segment, list] of cosines.entries()) {
      const { values } = scores[segment] as ScoreKeeper;
      for (const document of list.keys()) words[segment]?.set(document, values[document] as number);
    }
  }
  const isFound = (segment: number, document: number): boolean =>
    (words[segment]?.get(document) ?? 0) > 0 ||
    likenesses.some((each) => (each.cosines[segment]?.get(document) ?? -1) >= neededOf(each));
  for (const keeper of scores) keeper.scale(factor);
  const dropped: Fused["dropped"] = [];
  for (const likeness of likenesses) {
    const relative = relativeOf(likeness);
    const needed = neededOf(likeness);
    for (const [segment, keeper] of scores.entries()) {
      for (const [document, cosine] of likeness.cosines[segment] ?? []) {
        if (!isFound(segment, document)) dropped.push({ segment, document, cosine, needed });
        else if (cosine > likeness.scale.unrelated) keeper.add(document, likeness.share * relative(cosine));
      }
    }
  }
  return {
    words: (segment, document) =>
      words[segment]?.get(document) ?? (scores[segment]?.values[document] ?? 0) / (factor || 1),
    dropped,
  };
}

/**
 * The least cosine at which a vector alone finds a message. It is lower for a search by meaning alone, which has no
 * words.
 */
function neededOf({ share, scale }: Likeness): number {
  return share === 1 ? scale.unrelated : scale.found;
}

/** A cosine scaled to 0 for unrelated texts and 1 for the nearest one. */
export function relativeOf({ cosines, scale }: Pick<Likeness, "cosines" | "scale">): (cosine: number) => number {
  let nearest = 0;
  for (const list of cosines) for (const cosine of list.values()) nearest = Math.max(nearest, cosine);
  const weight = 1 / (Math.max(scale.found, nearest) - scale.unrelated);
  return (cosine) => Math.max(0, weight * (cosine - scale.unrelated));
}
