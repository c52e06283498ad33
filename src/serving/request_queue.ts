/**
 * Starts one HTTP request per turn of the event loop, in order. Without it, Node handles all waiting requests in one turn;
 * a turn accepts only one new connection, so a new client of a busy server would wait for many long turns. The queue does
 * not limit how many requests are in progress.
 */
export class RequestQueue {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#startNext());
    });
  }

  #startNext(): void {
    this.#waiting.shift()?.();
    this.#isScheduled = this.#waiting.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#startNext());
  }
}
