/**
 * Starts one HTTP request per turn of the event loop, in order. Without it, Node handles all waiting requests in one turn;
 * a turn accepts only one new connection, so a new client of a busy server would wait for many long turns. The queue does
 * not limit how many requests are in progress.
 */
interface Waiting {
  signal: AbortSignal | undefined;
  start(isTurn: boolean): void;
}

export class RequestQueue {
  #waiting: Waiting[] = [];
  #isScheduled = false;

  /** Resolves to true when it is the caller's turn, and to false if the signal was aborted before. */
  next(signal?: AbortSignal): Promise<boolean> {
    return new Promise((start) => {
      this.#waiting.push({ signal, start });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#startNext());
    });
  }

  /** Requests whose client is gone do not take a turn. */
  #startNext(): void {
    const at = this.#waiting.findIndex(({ signal }) => !signal?.aborted);
    const gone = this.#waiting.splice(0, at < 0 ? this.#waiting.length : at);
    for (const { start } of gone) start(false);
    this.#waiting.shift()?.start(true);
    this.#isScheduled = this.#waiting.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#startNext());
  }
}
