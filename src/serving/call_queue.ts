/**
 * Limits how many tool calls run at once, whatever the transport. Calls start in order, each in its own turn of the
 * event loop, so between two calls the server reads its connections: it answers pings, and a call that was cancelled or
 * whose client disconnected leaves the queue before it starts.
 *
 * A call that computes without a pause still blocks the event loop until it is done: cancelling it only drops its answer.
 */
const MAX_RUNNING = 4;

interface Waiting {
  begin(): void;
}

export class CallQueue {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isScheduled = false;

  /** `work` awaits `turn` before the part that computes, so that the server can read its connections once more. */
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
