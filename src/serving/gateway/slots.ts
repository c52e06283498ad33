/**
 * A limited number of slots. Callers that find none wait in a queue of limited length and time; the others fail at
 * once.
 */

/** All slots are taken and the queue is full; the client may repeat the request later. */
export class Busy extends Error {}

export class Slots {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #waiting: { start(): void }[] = [];
  #free: number;

  constructor(places: number, maxWaiting: number, maxWaitMs: number) {
    this.#free = places;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Runs the work in a slot. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next.start();
      else this.#free += 1;
    }
  }

  #take(): Promise<void> | void {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new Busy();
    return new Promise((resolve, reject) => {
      const waiting = {
        start: (): void => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new Busy());
      }, this.#maxWaitMs);
      this.#waiting.push(waiting);
    });
  }
}
