/**
 * The calls of all clients, in the order they came. A few run at a time, each begins in a turn of the event loop of its
 * own, and between two turns the server reads its connections: a ping is answered while calls wait, and a call that was
 * cancelled, or whose client went away, leaves the queue without having been begun.
 *
 * A single call that computes without a pause still holds the event loop until it is done: cancelling it only drops its
 * answer.
 */
const MAX_RUNNING = 4;

interface Waiting {
  begin(): void;
}

export class CallQueue {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isScheduled = false;

  /** `turn` lets the others of the server go first once more: before the part of a call that computes. */
  async run<T>(work: (turn: () => Promise<void>) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    await this.#enter(signal);
    try {
      return await work(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      });
    } finally {
      this.#running -= 1;
      this.#schedule();
    }
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const waiting: Waiting = {
        begin: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#running >= MAX_RUNNING) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const next = this.#running < MAX_RUNNING ? this.#waiting.shift() : undefined;
      if (next) {
        this.#running += 1;
        next.begin();
      }
      this.#schedule();
    });
  }
}
