/** The ranks of a graph's nodes. A caller mostly needs the first few of very many, so they are sorted as they are asked for. */
import type { Graph } from "./graph.ts";

export class Ranks {
  readonly #graph: Graph;
  /** The places with a rank, in order; all others have none. */
  readonly #places: Int32Array;
  readonly #ranks: Float64Array;

  constructor(graph: Graph, places: Int32Array, ranks: Float64Array) {
    this.#graph = graph;
    this.#places = places;
    this.#ranks = ranks;
  }

  /** Each node's number and rank: the highest rank first, then the lowest number. */
  *best(): Generator<[number: number, rank: number]> {
    const heap = new Int32Array(this.#places.length);
    let length = 0;
    for (let i = 0; i < heap.length; i += 1) {
      if (this.#ranks[i] === 0) continue;
      heap[length] = i;
      length += 1;
    }
    for (let i = (length >> 1) - 1; i >= 0; i -= 1) this.#sink(heap, length, i);
    for (; length > 0; length -= 1) {
      const best = heap[0] as number;
      yield [this.#numberOf(best), this.#ranks[best] as number];
      heap[0] = heap[length - 1] as number;
      this.#sink(heap, length - 1, 0);
    }
    for (const no of this.#withoutRank()) yield [no, 0];
  }

  /** Moves the entry at `top` of a heap down to where it belongs. */
  #sink(heap: Int32Array, length: number, top: number): void {
    let at = top;
    for (;;) {
      let best = at;
      for (let child = 2 * at + 1; child < length && child <= 2 * at + 2; child += 1)
        if (this.#isBefore(heap[child] as number, heap[best] as number)) best = child;
      if (best === at) return;
      [heap[at], heap[best]] = [heap[best] as number, heap[at] as number];
      at = best;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#ranks[a] as number, this.#ranks[b] as number];
    return one === other ? this.#numberOf(a) < this.#numberOf(b) : one > other;
  }

  #numberOf(position: number): number {
    return this.#graph.nodes[this.#places[position] as number] as number;
  }

  *#withoutRank(): Generator<number> {
    const { nodes, byNumber } = this.#graph;
    const isRanked = new Uint8Array(nodes.length);
    for (let i = 0; i < this.#places.length; i += 1) if (this.#ranks[i] !== 0) isRanked[this.#places[i] as number] = 1;
    for (const place of byNumber) if (isRanked[place] === 0) yield nodes[place] as number;
  }
}
