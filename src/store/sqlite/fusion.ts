/**
 * One score from two: what the words say and what the vectors say of a message. A convex sum of both, each in parts of
 * the best: ranks are not mixed, because a weak list then costs more than it brings.
 */
import type { Cosines, Passes } from "./vectors.ts";

/** A likeness that any two texts about software have; below it a vector says nothing. */
export const FLOOR = 0.2;
/** A message without one of the words is only brought up by a likeness of this. */
export const ALONE = 0.35;

export interface Fused {
  scores: Float64Array[];
  /** Messages that were near, but not near enough to stand without one of the words. */
  dropped: { segment: number; document: number; cosine: number }[];
}

export function fuse(lexical: readonly Float64Array[], cosines: Cosines, share: number, passes: Passes): Fused {
  const bestWords = best(lexical, passes);
  const scores = lexical.map((list) =>
    share === 1 ? new Float64Array(list.length) : scaled(list, (1 - share) / bestWords),
  );
  const dropped: Fused["dropped"] = [];
  // Where meaning alone is asked for, words bring nothing up that it could be held against.
  const alone = share === 1 ? FLOOR : ALONE;
  let nearest = 0;
  for (const list of cosines) for (const cosine of list.values()) nearest = Math.max(nearest, cosine);
  const span = Math.max(ALONE, nearest) - FLOOR;
  for (const [segment, list] of cosines.entries()) {
    const target = scores[segment] as Float64Array;
    for (const [document, cosine] of list) {
      const words = (lexical[segment] as Float64Array)[document] as number;
      if (words === 0 && cosine < alone) dropped.push({ segment, document, cosine });
      else if (cosine > FLOOR) target[document] = (target[document] as number) + (share * (cosine - FLOOR)) / span;
    }
  }
  return { scores, dropped };
}

function best(lists: readonly Float64Array[], passes: Passes): number {
  let most = 0;
  for (const [segment, list] of lists.entries()) {
    const passing = passes[segment] as Uint8Array;
    for (let document = 0; document < list.length; document += 1) {
      const score = list[document] as number;
      if (score > most && passing[document] === 1) most = score;
    }
  }
  return most || 1;
}

function scaled(list: Float64Array, factor: number): Float64Array {
  return list.map((score) => score * factor);
}
