/**
 * Equal calls that wait for a thread at the same time are answered together. A call joins another only before that has
 * begun, so its answer is not older than the call itself: a client always finds what it wrote before.
 */
interface Waiting {
  answer: Promise<unknown>;
  callers: number;
  /** Aborted when no caller is left. */
  controller: AbortController;
}

export class WaitingCalls {
  readonly #waiting = new Map<string, Waiting>();

  /**
   * The answer of the waiting call with this key; `start` starts a call if there is none. It receives a signal that is
   * aborted when every caller is gone, and a function to call when the work begins.
   */
  join<T>(
    key: string,
    start: (signal: AbortSignal, begun: () => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    // Calls with equal keys have answers of the same type.
    const waiting = (this.#waiting.get(key) ?? this.#start(key, start)) as Waiting & { answer: Promise<T> };
    waiting.callers += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal?.reason);
        waiting.callers -= 1;
        if (waiting.callers > 0) return;
        this.#remove(key, waiting);
        waiting.controller.abort(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.answer.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
    });
  }

  #start(key: string, start: (signal: AbortSignal, begun: () => void) => Promise<unknown>): Waiting {
    const controller = new AbortController();
    const remove = (): void => this.#remove(key, waiting);
    const waiting: Waiting = { answer: Promise.resolve(), callers: 0, controller };
    this.#waiting.set(key, waiting);
    waiting.answer = start(controller.signal, remove);
    waiting.answer.then(remove, remove);
    return waiting;
  }

  #remove(key: string, waiting: Waiting): void {
    if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
  }
}
