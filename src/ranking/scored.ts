/** Scores of a segment's documents. Most questions reach few of them: only those are gone through. */
export class ScoreKeeper {
  /** By document; 0: no score. */
  readonly values: Float64Array;
  #documents = new Uint32Array(256);
  #count = 0;

  constructor(documents: number) {
    this.values = new Float64Array(documents);
  }

  /** Those that have a score, in the order in which they got it. */
  get documents(): Uint32Array {
    return this.#documents.subarray(0, this.#count);
  }

  /** As new. One question after another is counted in the same memory. */
  reset(): void {
    for (let i = 0; i < this.#count; i += 1) this.values[this.#documents[i] as number] = 0;
    this.#count = 0;
  }

  add(document: number, score: number): void {
    const before = this.values[document] as number;
    this.values[document] = before + score;
    if (before !== 0) return;
    if (this.#count === this.#documents.length) {
      const larger = new Uint32Array(Math.min(this.values.length, this.#count * 4));
      larger.set(this.#documents);
      this.#documents = larger;
    }
    this.#documents[this.#count] = document;
    this.#count += 1;
  }

  /** By 0: as if nothing had a score. */
  scale(factor: number): void {
    if (factor === 0) {
      this.reset();
      return;
    }
    for (let i = 0; i < this.#count; i += 1) {
      const document = this.#documents[i] as number;
      this.values[document] = (this.values[document] as number) * factor;
    }
  }
}

export function largestScore(lists: readonly ScoreKeeper[]): number {
  let most = 0;
  for (const { values, documents } of lists) {
    for (let i = 0; i < documents.length; i += 1) {
      const score = values[documents[i] as number] as number;
      if (score > most) most = score;
    }
  }
  return most;
}
