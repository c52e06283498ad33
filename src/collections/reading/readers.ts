/** Reads a few documents in this thread, and many in a pool of threads. */
import { availableParallelism } from "node:os";
import type { VectorModel } from "../../ranking/query.ts";
import { ThreadPool } from "../../threads/pool.ts";
import { threadProgram } from "../../threads/program.ts";
import { TermReceiver } from "../../threads/term_delta.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";
import type { PostedResult, ReaderSetup } from "./worker.ts";

/** With less to read, starting threads takes longer than it saves. */
const MIN_BYTES_FOR_THREADS = 16 << 20;
/** Each thread needs memory of its own. */
const MAX_THREADS = 3;
/** Queued documents per thread, so a thread never waits for its next one. */
const JOBS_PER_THREAD = 4;

export class Readers {
  readonly #setup: ReaderSetup;
  readonly #own: DocumentDigester;
  #pool: ThreadPool<ReadJob, PostedResult, TermReceiver> | undefined;

  constructor(model: string | undefined) {
    this.#setup = { model };
    this.#own = new DocumentDigester(model);
  }

  get model(): VectorModel | undefined {
    return this.#own.model;
  }

  /** How many documents may be read at once. */
  get width(): number {
    return this.#pool?.width ?? 1;
  }

  /** Announces how much is about to be read, so threads start only when they pay off. */
  expect(bytes: number): void {
    if (bytes < MIN_BYTES_FOR_THREADS || this.#pool) return;
    this.#pool = new ThreadPool({
      program: threadProgram(import.meta.url, "documents_worker.js"),
      maxThreads: Math.min(MAX_THREADS, Math.max(1, availableParallelism())),
      jobsPerThread: JOBS_PER_THREAD,
      setup: () => ({ workerData: this.#setup, kept: new TermReceiver() }),
    });
  }

  async read(job: ReadJob): Promise<ReadResult> {
    if (!this.#pool) return readDigested(this.#own, job);
    let result: ReadResult | undefined;
    await this.#pool.run(job, ({ read, terms }, receiver) => {
      const names = terms && receiver.add(terms);
      result = names && "digested" in read ? { ...read, digested: { ...read.digested, names } } : read;
    });
    if (!result) throw new Error(`The thread posted nothing for ${job.path}.`);
    return result;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = undefined;
  }
}
