/** Which documents have the most of the words: their vectors are looked at, wherever they stand by likeness. */
import type { ScoreKeeper } from "./scored.ts";

const MOST_WORDS = 200;

/** For each segment its documents among those that score best by words; all that score the same as the last of them. */
export function mostWords(lexical: readonly ScoreKeeper[]): number[][] {
  const edge = nthLargest(lexical, MOST_WORDS);
  return lexical.map(({ values, documents }) => {
    const most: number[] = [];
    for (let i = 0; i < documents.length; i += 1) {
      const document = documents[i] as number;
      if ((values[document] as number) >= edge) most.push(document);
    }
    return most;
  });
}

/** 0 when there are fewer. The heap holds the largest so far, the least of them on top. */
function nthLargest(lists: readonly ScoreKeeper[], n: number): number {
  const heap = new Float64Array(n);
  for (const { values, documents } of lists) {
    for (let i = 0; i < documents.length; i += 1) {
      const score = values[documents[i] as number] as number;
      if (score <= (heap[0] as number)) continue;
      let at = 0;
      for (;;) {
        const left = 2 * at + 1;
        if (left >= n) break;
        const right = left + 1;
        const least = right < n && (heap[right] as number) < (heap[left] as number) ? right : left;
        if ((heap[least] as number) >= score) break;
        heap[at] = heap[least] as number;
        at = least;
      }
      heap[at] = score;
    }
  }
  return heap[0] as number;
}
