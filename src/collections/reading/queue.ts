/** Documents that are read by this thread and another, and delivered in the order they were added, so the index is always the same. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { isPoolFailure } from "../../threads/pool.ts";
import type { Readers, ReadJob, ReadResult } from "./readers.ts";

/** Limit on the documents that are read and not delivered. */
const MAX_PENDING_BYTES = 8 << 20;

interface Entry {
  bytes: number;
  isRead: boolean;
  deliver: () => Promise<void>;
}

export class ReadQueue {
  readonly #readers: Readers;
  readonly #entries: Entry[] = [];
  #bytes = 0;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  /** Waits for earlier documents when many are pending. An error thrown by `take` ends the reading, and so does a thread that dies repeatedly. */
  async add(job: ReadJob, take: (read: ReadResult) => void, fail: (error: unknown) => void): Promise<void> {
    const reading = this.#readers.read(job);
    const read = reading.then(({ result }) => result);
    const failed = (error: unknown): void => {
      if (isPoolFailure(error)) throw error;
      fail(error);
    };
    const entry: Entry = { bytes: job.bytes.length, isRead: false, deliver: () => read.then(take, failed) };
    // A failure is reported in order; without a handler it would end the process.
    void read.then(ignore, ignore).then(() => {
      entry.isRead = true;
    });
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    await reading.catch(ignore);
    // Digests of the other thread arrive between two turns only.
    if (this.#readers.areGiven) await nextTurn();
    while (this.#entries[0]?.isRead || this.#bytes > MAX_PENDING_BYTES) await this.#first();
  }

  async end(): Promise<void> {
    while (this.#entries.length > 0) await this.#first();
  }

  async #first(): Promise<void> {
    const first = this.#entries.shift();
    if (!first) return;
    this.#bytes -= first.bytes;
    await first.deliver();
  }
}

function ignore(): void {}
