/** The score of each document: by its words, or by its words and its similarity to the query's vectors. */
import type { Bm25 } from "../bm25.ts";
import type { Barred } from "../conditions.ts";
import type { QueryVector, TermQuery, VectorModel } from "../query.ts";
import type { Segment } from "../segment.ts";
import type { Cosines, VectorIndex } from "../vector_index.ts";
import { type Fused, fuse, type Likeness, relativeOf } from "./fusion.ts";
import type { OwnerMeaning } from "./grouping.ts";
import type { ScoreKeeper } from "./score_keeper.ts";

/** The score of a text that only the second vector finds: its owner is ranked by that vector. */
const FOUND_BY_MEANING = 1e-9;

export interface Compared {
  scores: readonly ScoreKeeper[];
  /** The best score by words; 0 if there is none. */
  largest: number;
  first?: Likeness;
  second?: Likeness;
}

interface ScoredDocuments extends Fused {
  scores: readonly ScoreKeeper[];
  cosines: Cosines;
}

/** The scores by words, and the cosines with the query's vectors. */
export function compare(
  query: TermQuery,
  barred: Barred,
  bm25: Bm25,
  vectorsOf: (model: VectorModel) => VectorIndex,
): Compared {
  const scores = bm25.score(query.terms, barred);
  const { vector } = query;
  // Until the second model has embedded some texts, only the first counts.
  const second = query.second && vectorsOf(query.second.model).windows > 0 ? query.second : undefined;
  if (!vector && !second) return { scores, largest: 0 };
  const { documents: best, largest } = bm25.best();
  const likeness = (each: QueryVector, share: number): Likeness => {
    const index = vectorsOf(each.model);
    const cosines = index.nearest(each, barred);
    for (const [segment, documents] of best.entries()) index.compare(each, segment, documents, cosines);
    return { cosines, share, scale: each.scale };
  };
  if (!second) return vector ? { scores, largest, first: likeness(vector, vector.share) } : { scores, largest };
  const own = likeness(second, second.share);
  if (!vector || second.share === 1) return { scores, largest, second: own };
  return { scores, largest, first: likeness(vector, second.firstShare), second: own };
}

/** Scores for a search of single documents. */
export function scoreDocuments({ scores, largest, first, second }: Compared): ScoredDocuments {
  const likenesses = [first, second].filter((each) => each !== undefined);
  if (likenesses.length > 0) return { ...fuse(scores, largest, likenesses), scores, cosines: lastCosines(likenesses) };
  return {
    scores,
    cosines: [],
    words: (segment, document) => scores[segment]?.values[document] ?? 0,
    dropped: [],
  };
}

/**
 * Scores for a search of owners. The second vector counts once per owner and not for each text, because a long
 * conversation has some text near any query.
 */
export function scoreOwners(
  compared: Compared,
  segments: readonly Segment[],
  weight: number,
): ScoredDocuments & { meaning?: OwnerMeaning } {
  const { scores, largest, first, second } = compared;
  if (!second || second.share === 1) return scoreDocuments(compared);
  const fused = fuse(scores, largest, first ? [first] : []);
  const relative = relativeOf(second);
  const values = new Map<number, number>();
  for (const [segment, keeper] of scores.entries()) {
    const { places } = segments[segment] as Segment;
    for (const [document, cosine] of second.cosines[segment] ?? []) {
      const no = places[document * 2] as number;
      values.set(no, Math.max(values.get(no) ?? 0, relative(cosine)));
      if (keeper.values[document] === 0 && cosine >= second.scale.found) keeper.add(document, FOUND_BY_MEANING);
    }
  }
  const likenesses = first ? [first, second] : [second];
  return { ...fused, scores, cosines: lastCosines(likenesses), meaning: { weight, values } };
}

/** By document: the cosine in the last list that contains it. */
function lastCosines(likenesses: readonly Likeness[]): Cosines {
  const [first, ...others] = likenesses.map(({ cosines }) => cosines);
  if (!first || others.length === 0) return first ?? [];
  return first.map((list, segment) => new Map([...list, ...others.flatMap((each) => [...(each[segment] ?? [])])]));
}
