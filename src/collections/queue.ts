/** Documents that are being read by several threads, taken in the order in which they were given: so is the index made. */
import { isPoolFailure } from "../threads/pool.ts";
import type { ReadJob, ReadResult } from "./read.ts";
import type { Readers } from "./readers.ts";

/** Of documents that are under way. */
const MOST_BYTES = 8 << 20;

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

  /** Waits for earlier ones when many are under way. What `take` throws ends the reading, and so do threads that all die. */
  async add(job: ReadJob, take: (read: ReadResult) => void, fail: (error: unknown) => void): Promise<void> {
    const bytes = job.bytes.length;
    const reading = this.#readers.read(job);
    // A failure is told when its turn comes.
    reading.catch(() => {});
    const failed = (error: unknown): void => {
      if (isPoolFailure(error)) throw error;
      fail(error);
    };
    this.#entries.push({ bytes, settled: () => reading.then(take, failed) });
    this.#bytes += bytes;
    while (this.#entries.length >= this.#readers.width || (this.#bytes > MOST_BYTES && this.#entries.length > 0)) {
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
