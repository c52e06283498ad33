/** Reads documents in this thread when there are a few, in threads of their own when there are many. */
import { availableParallelism } from "node:os";
import type { VectorModel } from "../ranking/query.ts";
import { ThreadPool } from "../threads/pool.ts";
import { threadProgram } from "../threads/program.ts";
import { TermReceiver } from "../threads/term_delta.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";
import type { PostedResult, ReaderSetup } from "./worker.ts";

/** Below this a thread takes longer to warm up than it saves. */
const WORTH_A_THREAD = 16 << 20;
/** Memory grows with each. */
const MAX_THREADS = 3;
/** A thread that has finished one document finds the next already there. */
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

  /** How many documents may be under way at once. */
  get width(): number {
    return this.#pool?.width ?? 1;
  }

  /** So much is about to be read. */
  expect(bytes: number): void {
    if (bytes < WORTH_A_THREAD || this.#pool) return;
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
