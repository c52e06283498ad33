import type { LoopFunctions } from "../../loops/loops.ts";

/**
 * If more than one in this many documents has a score, `reset` clears the whole array, which V8 does without a loop.
 */
const MAX_UNSCORED = 16;

/** The scores of a segment's documents. Most queries reach few of them: only those are visited. */
export class ScoreKeeper {
  /** By document; 0: no score. */
  readonly values: Float64Array;
  /** How many documents have a score. */
  count = 0;
  #documents: Uint32Array;
  readonly #run: LoopFunctions | undefined;

  /** Allocates its arrays, unless it gets some of that length in the memory of the loops. */
  constructor(documents: number, given?: { values: Float64Array; list: Uint32Array; run: LoopFunctions }) {
    this.values = given?.values ?? new Float64Array(documents);
    this.#documents = given?.list ?? new Uint32Array(256);
    this.#run = given?.run;
  }

  /** The documents with a score, in the order in which they got it. */
  get documents(): Uint32Array {
    return this.#documents.subarray(0, this.count);
  }

  /** Removes all scores. The next query counts in the same memory. */
  reset(): void {
    if (this.count > this.values.length / MAX_UNSCORED) this.values.fill(0);
    else for (let i = 0; i < this.count; i += 1) this.values[this.#documents[i] as number] = 0;
    this.count = 0;
  }

  add(document: number, score: number): void {
    const before = this.values[document] as number;
    this.values[document] = before + score;
    if (before !== 0) return;
    this.reserve(1)[this.count] = document;
    this.count += 1;
  }

  /** A factor of 0 removes all scores. */
  scale(factor: number): void {
    if (factor === 0) {
      this.reset();
      return;
    }
    const { values, count } = this;
    const documents = this.#documents;
    if (this.#run) {
      this.#run.scale(documents.byteOffset, count, values.byteOffset, factor);
      return;
    }
    for (let i = 0; i < count; i += 1) {
      const document = documents[i] as number;
      values[document] = (values[document] as number) * factor;
    }
  }

  /**
   * The list of documents, with room for `more`. A caller with thousands of documents writes `values`, the list and
   * `count` itself in one loop: until V8 has compiled it, calls cost more than the work.
   */
  reserve(more: number): Uint32Array {
    if (this.count + more > this.#documents.length) {
      const larger = new Uint32Array(Math.max(this.count + more, this.count * 4));
      larger.set(this.#documents);
      this.#documents = larger;
    }
    return this.#documents;
  }
}
