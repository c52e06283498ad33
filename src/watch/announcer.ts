/** Tells the caller of a watcher about batches, one after the other, and about problems, each once between two batches. */
import { errorMessage } from "../kernel/errors.ts";
import type { ChangeBatch } from "../suggest/model.ts";

interface Listener {
  changed(batch: ChangeBatch, ms: number): void | Promise<void>;
  report(line: string): void;
}

export class Announcer {
  readonly #listener: Listener;
  /** Calls of `changed`, one after the other. */
  #notifying: Promise<void> = Promise.resolve();
  /** Messages since the last batch: none is repeated. */
  readonly #reported = new Set<string>();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** Calls `changed` in order; the next update does not wait for it. */
  notify(batch: ChangeBatch, ms: number): void {
    const { changed, removed, head, conversations, tests } = batch;
    if (changed.length + removed.length === 0 && !head && !conversations && !tests) return;
    this.#reported.clear();
    this.#notifying = this.#notifying
      .then(() => this.#listener.changed(batch, ms))
      .catch((error: unknown) => this.report(errorMessage(error)));
  }

  report(line: string): void {
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.#listener.report(line);
  }

  /** When every batch has been passed on. */
  async settled(): Promise<void> {
    await this.#notifying;
  }
}
