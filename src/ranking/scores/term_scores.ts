/**
 * Adds up the scores of texts, term by term. The loop runs as WebAssembly: it visits every posting of a question's terms,
 * most often in a process that ends before V8 has compiled its JavaScript.
 */
import { Loops } from "../../loops/loops.ts";
import type { Passes } from "../conditions.ts";
import type { Segment } from "../segment.ts";
import type { PostingList } from "../terms/posting_list.ts";
import { ScoreKeeper } from "./score_keeper.ts";

/** How many of the best texts a search compares by vectors, too, however far from the question their bit codes are. */
const MAX_BEST = 200;
/** Postings that are copied into the loop's memory at a time. */
const CHUNK = 1 << 13;

export interface BestByWords {
  /** By segment, its documents among those that score best, with all that score the same as the last. */
  documents: number[][];
  /** The best score; 0 if there is none. */
  largest: number;
}

export class TermScores {
  /** By segment. One question after another counts in the same memory. */
  readonly keepers: readonly ScoreKeeper[];
  readonly #run: Loops["run"];
  readonly #scale: number;
  readonly #lengths: readonly Uint8Array[];
  readonly #scored: readonly Uint32Array[];
  readonly #norms: Float64Array;
  readonly #documents: Uint32Array;
  readonly #weights: Uint8Array;
  /** The best scores, the smallest of them first. */
  readonly #heap: Float64Array;

  /** `norms`: by length byte, how much the length of a text weakens its terms; `scale`: K1 + 1 of BM25. */
  constructor(segments: readonly Segment[], norms: Float64Array, scale: number) {
    const loops = new Loops([
      ...segments.flatMap(({ documents, lengths }) => [lengths.length, documents * 4, documents * 8]),
      norms.byteLength,
      CHUNK * 4,
      CHUNK,
      MAX_BEST * 8,
    ]);
    this.#run = loops.run;
    this.#scale = scale;
    this.#lengths = segments.map(({ lengths }) => copied(lengths, loops.bytes(lengths.length)));
    this.#scored = segments.map(({ documents }) => loops.words(documents));
    this.keepers = segments.map(
      ({ documents }, i) => new ScoreKeeper(documents, loops.doubles(documents), this.#scored[i]),
    );
    this.#norms = copied(norms, loops.doubles(norms.length));
    this.#documents = loops.words(CHUNK);
    this.#weights = loops.bytes(CHUNK);
    this.#heap = loops.doubles(MAX_BEST);
  }

  reset(): void {
    for (const keeper of this.keepers) keeper.reset();
  }

  /** Adds one term, whose lists are by segment, to the scores of the texts that have it and pass. */
  add(lists: readonly PostingList[], rarity: number, passes: Passes): void {
    for (let i = 0; i < lists.length; i += 1) {
      const { documents, weights, count } = lists[i] as PostingList;
      const pass = passes[i];
      for (let from = 0; from < count; from += CHUNK) {
        const to = Math.min(count, from + CHUNK);
        if (pass) this.#score(i, this.#copyPassing(documents, weights, from, to, pass), rarity);
        else {
          this.#documents.set(documents.subarray(from, to));
          this.#weights.set(weights.subarray(from, to));
          this.#score(i, to - from, rarity);
        }
      }
    }
  }

  /** The texts that score best. */
  best(): BestByWords {
    let kept = 0;
    for (const [i, { values, count }] of this.keepers.entries()) {
      const { byteOffset: scoredAt } = this.#scored[i] as Uint32Array;
      kept = this.#run.keepBest(values.byteOffset, scoredAt, count, this.#heap.byteOffset, MAX_BEST, kept);
    }
    const least = kept < MAX_BEST ? Number.NEGATIVE_INFINITY : (this.#heap[0] as number);
    const documents = this.keepers.map((_, segment) => this.#atLeast(segment, least));
    return { documents, largest: this.#heap.subarray(0, kept).reduce((most, score) => Math.max(most, score), 0) };
  }

  #atLeast(segment: number, least: number): number[] {
    const { values, count } = this.keepers[segment] as ScoreKeeper;
    const { byteOffset: scoredAt } = this.#scored[segment] as Uint32Array;
    const found: number[] = [];
    for (let from = 0; from < count; from += CHUNK) {
      const some = Math.min(CHUNK, count - from);
      const size = this.#run.atLeast(values.byteOffset, scoredAt + from * 4, some, least, this.#documents.byteOffset);
      for (let i = 0; i < size; i += 1) found.push(this.#documents[i] as number);
    }
    return found;
  }

  #copyPassing(
    documents: Uint32Array,
    weights: Uint8Array,
    from: number,
    to: number,
    pass: (document: number) => boolean,
  ): number {
    let kept = 0;
    for (let at = from; at < to; at += 1) {
      const document = documents[at] as number;
      if (!pass(document)) continue;
      this.#documents[kept] = document;
      this.#weights[kept] = weights[at] as number;
      kept += 1;
    }
    return kept;
  }

  #score(segment: number, count: number, rarity: number): void {
    const keeper = this.keepers[segment] as ScoreKeeper;
    keeper.count = this.#run.score(
      this.#documents.byteOffset,
      this.#weights.byteOffset,
      count,
      rarity,
      this.#scale,
      (this.#lengths[segment] as Uint8Array).byteOffset,
      this.#norms.byteOffset,
      keeper.values.byteOffset,
      (this.#scored[segment] as Uint32Array).byteOffset,
      keeper.count,
    );
  }
}

function copied<T extends Uint8Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
