/**
 * Debounces events into batches. A batch begins with its first event and ends after a quiet period or a maximum time;
 * it may be held longer while more events are expected. One batch is processed at a time; events that arrive meanwhile
 * form the next one, and none is lost.
 */
export interface Clock {
  /** Monotonic clock, ms. */
  now(): number;
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
}

export interface BatcherOptions<T> {
  quietMs: number;
  /** The longest batch, from its first event. */
  maxMs: number;
  /** More events are expected: the batch waits, at most `holdMs`. */
  held?(): boolean;
  holdMs?: number;
  merge(known: T | undefined, more: T): T;
  work(batch: T): Promise<void>;
  /** Called with an error of `work`. */
  failed(error: unknown): void;
  clock?: Clock;
}

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export class Batcher<T> {
  readonly #options: BatcherOptions<T>;
  readonly #clock: Clock;
  #pending: { batch: T; first: number; last: number } | undefined;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: BatcherOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? REAL_CLOCK;
  }

  add(more: T): void {
    if (this.#closed) return;
    const now = this.#clock.now();
    const batch = this.#options.merge(this.#pending?.batch, more);
    this.#pending = { batch, first: this.#pending?.first ?? now, last: now };
    if (!this.#running && !this.#cancel) this.#schedule(this.#options.quietMs);
  }

  /** Finishes the current batch, drops the pending one and starts no other. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#pending = undefined;
    await this.#running;
  }

  #schedule(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.#begin();
    });
  }

  /** Events do not reset the timer, which would be slow for thousands of them: a timer that fires early is set again. */
  #begin(): void {
    const pending = this.#pending;
    if (!pending || this.#closed) return;
    const { quietMs, maxMs, holdMs = 0, held } = this.#options;
    const now = this.#clock.now();
    const quietIn = pending.last + quietMs - now;
    const mostIn = pending.first + maxMs - now;
    if (quietIn > 0 && mostIn > 0) {
      this.#schedule(Math.min(quietIn, mostIn));
      return;
    }
    if (now - pending.first < holdMs && held?.()) {
      this.#schedule(quietMs);
      return;
    }
    this.#pending = undefined;
    this.#running = this.#options
      .work(pending.batch)
      .catch((error: unknown) => this.#options.failed(error))
      .finally(() => {
        this.#running = undefined;
        if (this.#pending && !this.#closed)
          this.#schedule(Math.max(0, this.#pending.last + quietMs - this.#clock.now()));
      });
  }
}
