/** The score of the last of the best: of many thousand matches, only those few are worth building and sorting. */
import { largestScore, type ScoreKeeper } from "./score_keeper.ts";

/** Vectors are compared for the best texts by words, however far from the question their bit codes are. */
const MAX_BEST_BY_WORDS = 200;

/** `least`: at least `limit` of the documents that are taken have this score or more, where there are that many. */
export function bestScores(
  scores: readonly ScoreKeeper[],
  limit: number,
  taken?: (segment: number, document: number) => boolean,
): { total: number; least: number } {
  // A heap with the smallest at its root.
  const heap = new Float64Array(Math.max(1, limit));
  let [size, total] = [0, 0];
  for (const [segment, { values, documents }] of scores.entries()) {
    for (let i = 0; i < documents.length; i += 1) {
      const document = documents[i] as number;
      if (taken && !taken(segment, document)) continue;
      total += 1;
      const score = values[document] as number;
      if (size < heap.length) {
        heap[size] = score;
        size += 1;
        if (size === heap.length) for (let at = (size >> 1) - 1; at >= 0; at -= 1) sink(heap, at);
      } else if (score > (heap[0] as number)) {
        heap[0] = score;
        sink(heap, 0);
      }
    }
  }
  return { total, least: size < heap.length ? Number.NEGATIVE_INFINITY : (heap[0] as number) };
}

export interface BestByWords {
  /** For each segment its documents among those that score best, with all that score the same as the last. */
  documents: number[][];
  /** The best score; 0 if there is none. */
  largest: number;
}

export function bestByWords(scores: readonly ScoreKeeper[]): BestByWords {
  const { least, largest } = rangeOfBest(scores);
  const found = scores.map(({ values, documents }) => {
    const best: number[] = [];
    for (let i = 0; i < documents.length; i += 1) {
      const document = documents[i] as number;
      if ((values[document] as number) >= least) best.push(document);
    }
    return best;
  });
  return { documents: found, largest };
}

/** So few are sorted faster than a heap is kept, which runs before it is compiled. */
const MAX_SORTED = 20_000;
/** If at least one document in so many has a score, all are copied and sorted, which V8 does without running a loop. */
const MAX_UNSCORED = 4;

function rangeOfBest(scores: readonly ScoreKeeper[]): { least: number; largest: number } {
  const total = scores.reduce((sum, { count }) => sum + count, 0);
  if (total > MAX_SORTED) {
    return { least: bestScores(scores, MAX_BEST_BY_WORDS).least, largest: largestScore(scores) };
  }
  const sorted = scoresOf(scores, total).sort();
  const least = total <= MAX_BEST_BY_WORDS ? Number.NEGATIVE_INFINITY : sorted.at(-MAX_BEST_BY_WORDS);
  return { least: least ?? Number.NEGATIVE_INFINITY, largest: sorted.at(-1) ?? 0 };
}

/** All scores, perhaps with zeros for documents without one. */
function scoresOf(scores: readonly ScoreKeeper[], total: number): Float64Array {
  const documents = scores.reduce((sum, { values }) => sum + values.length, 0);
  const isDense = documents <= total * MAX_UNSCORED;
  const all = new Float64Array(isDense ? documents : total);
  let at = 0;
  for (const { values, documents: scored } of scores) {
    if (isDense) {
      all.set(values, at);
      at += values.length;
    } else for (let i = 0; i < scored.length; i += 1) all[at++] = values[scored[i] as number] as number;
  }
  return all;
}

/** The smallest of the `limit` largest values, so that the others need not be sorted. */
export function smallestOfBest(values: Float64Array, limit: number): number {
  if (values.length <= limit) return Number.NEGATIVE_INFINITY;
  return values.slice().sort()[values.length - Math.max(1, limit)] as number;
}

function sink(heap: Float64Array, start: number): void {
  const value = heap[start] as number;
  let at = start;
  for (;;) {
    const left = at * 2 + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const small = right < heap.length && (heap[right] as number) < (heap[left] as number) ? right : left;
    if ((heap[small] as number) >= value) break;
    heap[at] = heap[small] as number;
    at = small;
  }
  heap[at] = value;
}
