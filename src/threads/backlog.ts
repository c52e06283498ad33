/** Backpressure between two threads: how much one has sent and the other has not worked off, as a number both can see. */

export class Backlog {
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array;

  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer);
  }

  /** How much waits. */
  get waiting(): number {
    return Atomics.load(this.#count, 0);
  }

  /** The sender blocks until less than `max` is waiting. One piece may be larger than that: it passes alone. */
  add(weight: number, max: number): void {
    for (;;) {
      const now = Atomics.load(this.#count, 0);
      if (now < max) break;
      Atomics.wait(this.#count, 0, now, 1000);
    }
    Atomics.add(this.#count, 0, weight);
  }

  /** The receiver has worked it off. */
  remove(weight: number): void {
    Atomics.sub(this.#count, 0, weight);
    Atomics.notify(this.#count, 0);
  }
}
