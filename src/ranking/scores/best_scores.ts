/**
 * Finds the threshold of the best scores, because of many thousand matches only a few are worth building and sorting.
 */
import type { ScoreKeeper } from "./score_keeper.ts";

/** `least`: at least `limit` of the accepted documents have this score or more, if there are that many. */
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
