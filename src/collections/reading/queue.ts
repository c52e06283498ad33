/** Documents read by several threads and delivered in the order they were added, so the index is always the same. */
import { isPoolFailure } from "../../threads/pool.ts";
import type { ReadJob, ReadResult } from "./read.ts";
import type { Readers } from "./readers.ts";

/** Limit on the documents being read at once. */
const MAX_PENDING_BYTES = 8 << 20;

interface Entry {
  bytes: number;
  settled: () => Promise<void>;
}

export class ReadQueue {
  readonly #readers: Readers;
  readonly #entries: Entry[] = [];
  #bytes = 0;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  /** Waits for earlier documents when many are pending. An error thrown by `take` ends the reading, and so does a pool whose threads all died. */
  async add(job: ReadJob, take: (read: ReadResult) => void, fail: (error: unknown) => void): Promise<void> {
    const bytes = job.bytes.length;
    const reading = this.#readers.read(job);
    // The failure is reported in order; without a handler it would end the process.
    reading.catch(() => {});
    const failed = (error: unknown): void => {
      if (isPoolFailure(error)) throw error;
      fail(error);
    };
    this.#entries.push({ bytes, settled: () => reading.then(take, failed) });
    this.#bytes += bytes;
    while (
      this.#entries.length >= this.#readers.width ||
      (this.#bytes > MAX_PENDING_BYTES && this.#entries.length > 0)
    ) {
      await this.#first();
    }
  }

  async end(): Promise<void> {
    while (this.#entries.length > 0) await this.#first();
  }

  async #first(): Promise<void> {
    const first = this.#entries.shift();
    if (!first) return;
    this.#bytes -= first.bytes;
    await first.settled();
  }
}
