/**
 * Backpressure between two threads: the amount that one has sent and the other has not processed, as a number that both
 * can see.
 */

export class Backlog {
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array;

  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer);
  }

  /** The amount that is sent and not yet processed. */
  get waiting(): number {
    return Atomics.load(this.#count, 0);
  }

  /** Blocks the sender until less than `max` is waiting. A single piece may be larger: it passes alone. */
  add(weight: number, max: number): void {
    for (;;) {
      const now = Atomics.load(this.#count, 0);
      if (now < max) break;
      Atomics.wait(this.#count, 0, now, 1000);
    }
    Atomics.add(this.#count, 0, weight);
  }

  /** Call it when the receiver has processed this amount. */
  remove(weight: number): void {
    Atomics.sub(this.#count, 0, weight);
    Atomics.notify(this.#count, 0);
  }
}
