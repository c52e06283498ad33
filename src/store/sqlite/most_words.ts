/** Which documents have the most of the words: their vectors are looked at, wherever they stand by likeness. */
import type { Passes } from "./vectors.ts";

const MOST_WORDS = 200;

/** For each segment its documents among those that score best by words. */
export function mostWords(lexical: readonly Float64Array[], passes: Passes): number[][] {
  const edge = nthLargest(lexical, passes, MOST_WORDS);
  return lexical.map((list, i) => {
    const passing = passes[i] as Uint8Array;
    const documents: number[] = [];
    for (let document = 0; document < list.length; document += 1) {
      if ((list[document] as number) >= edge && passing[document] === 1) documents.push(document);
    }
    return documents;
  });
}

/** Just above 0 when fewer score at all. The heap holds the largest so far, the least of them on top. */
function nthLargest(lists: readonly Float64Array[], passes: Passes, n: number): number {
  const heap = new Float64Array(n);
  for (const [i, list] of lists.entries()) {
    const passing = passes[i] as Uint8Array;
    for (let document = 0; document < list.length; document += 1) {
      const score = list[document] as number;
      if (score <= (heap[0] as number) || passing[document] !== 1) continue;
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
  return (heap[0] as number) || Number.MIN_VALUE;
}
