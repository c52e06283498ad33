/**
 * Many events become one piece of work. A batch begins with its first event and ends after a moment of quiet, or when
 * it has lasted too long, or later while something says that more is under way. One batch is worked on at a time; what
 * comes meanwhile makes the next one, so that no event is ever lost.
 */
export interface Clock {
  /** Milliseconds that never run backwards. */
  now(): number;
  /** Returns how to call it off. */
  after(ms: number, run: () => void): () => void;
}

export interface BatcherOptions<T> {
  quietMs: number;
  /** From the first event on; a steady stream of events is worked on so often. */
  mostMs: number;
  /** Something is in the middle of making more events: the batch waits for it, yet no longer than `holdMs`. */
  held?(): boolean;
  holdMs?: number;
  merge(known: T | undefined, more: T): T;
  work(batch: T): Promise<void>;
  /** What `work` did not take care of itself. */
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
    if (!this.#running && !this.#cancel) this.#look(this.#options.quietMs);
  }

  /** No batch is begun any more; the one that is worked on is finished. What was pending is dropped. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#pending = undefined;
    await this.#running;
  }

  #look(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.#begin();
    });
  }

  /** Timers are not set anew by each of ten thousand events: one that rings too early is set again. */
  #begin(): void {
    const pending = this.#pending;
    if (!pending || this.#closed) return;
    const { quietMs, mostMs, holdMs = 0, held } = this.#options;
    const now = this.#clock.now();
    const quietIn = pending.last + quietMs - now;
    const mostIn = pending.first + mostMs - now;
    if (quietIn > 0 && mostIn > 0) {
      this.#look(Math.min(quietIn, mostIn));
      return;
    }
    if (now - pending.first < holdMs && held?.()) {
      this.#look(quietMs);
      return;
    }
    this.#pending = undefined;
    this.#running = this.#options
      .work(pending.batch)
      .catch((error: unknown) => this.#options.failed(error))
      .finally(() => {
        this.#running = undefined;
        if (this.#pending && !this.#closed) this.#look(Math.max(0, this.#pending.last + quietMs - this.#clock.now()));
      });
  }
}
