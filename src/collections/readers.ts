/** Who reads documents: this thread for a few, threads of their own for many. The order of the answers is the caller's. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DexError } from "../kernel/errors.ts";
import type { VectorModel } from "../ranking/query.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";
import type { PostedResult, ReaderSetup } from "./worker.ts";

/** Below this a thread takes longer to warm up than it saves. */
const WORTH_A_THREAD = 16 << 20;
/** Memory grows with each. */
const MOST_THREADS = 3;
/** A thread that has finished one finds the next already there. */
const AHEAD = 4;

interface Thread {
  worker: Worker;
  /** The terms of its analyser. */
  names: string[];
  waiting: Map<number, { done(read: ReadResult): void; fail(error: Error): void }>;
  answered: boolean;
}

export class Readers {
  readonly #setup: ReaderSetup;
  readonly #own: DocumentDigester;
  readonly #threads: Thread[] = [];
  #next = 0;

  constructor(model: string | undefined) {
    this.#setup = { model };
    this.#own = new DocumentDigester(model);
  }

  get model(): VectorModel | undefined {
    return this.#own.model;
  }

  /** How many documents may be under way at once. */
  get width(): number {
    return Math.max(1, this.#threads.length * AHEAD);
  }

  /** So much is about to be read. */
  expect(bytes: number): void {
    if (bytes < WORTH_A_THREAD || this.#threads.length > 0) return;
    const count = Math.min(MOST_THREADS, Math.max(1, availableParallelism()));
    for (let i = 0; i < count; i += 1) this.#threads.push(this.#start());
  }

  read(job: ReadJob): Promise<ReadResult> {
    const free = this.#threads.reduce<Thread | undefined>(
      (best, each) => (best && best.waiting.size <= each.waiting.size ? best : each),
      undefined,
    );
    if (!free) return readDigested(this.#own, job);
    const id = this.#next++;
    return new Promise((done, fail) => {
      free.waiting.set(id, { done, fail });
      free.worker.postMessage({ id, ...job });
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    const here = import.meta.url;
    const program = new URL(here.endsWith(".ts") ? "./worker.ts" : "./documents_worker.js", here);
    const worker = new Worker(program, { workerData: this.#setup });
    const thread: Thread = { worker, names: [], waiting: new Map(), answered: false };
    thread.worker.on("message", (posted: PostedResult) => take(thread, posted));
    // A document that needs more memory than there is ends its thread, not the sync.
    thread.worker.on("error", (error) => this.#replace(thread, error));
    return thread;
  }

  #replace(thread: Thread, error: Error): void {
    const at = this.#threads.indexOf(thread);
    // One that never got to work would not the next time either: without threads, this one reads.
    if (at >= 0) this.#threads.splice(at, 1, ...(thread.answered ? [this.#start()] : []));
    for (const { fail } of thread.waiting.values()) {
      fail(new DexError("reader_died", `It could not be read: its reader ended (${error.message}).`, { cause: error }));
    }
    thread.waiting.clear();
  }
}

function take(thread: Thread, posted: PostedResult): void {
  const waiting = thread.waiting.get(posted.id);
  thread.waiting.delete(posted.id);
  thread.answered = true;
  if ("failure" in posted) {
    waiting?.fail(new DexError("unreadable", posted.failure));
    return;
  }
  if (posted.anew) thread.names = [...posted.names];
  else for (const name of posted.names) thread.names.push(name);
  const { read } = posted;
  waiting?.done("digested" in read ? { ...read, digested: { ...read.digested, names: thread.names } } : read);
}
