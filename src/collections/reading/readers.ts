/** Readers of documents: this thread for a few documents, a pool of worker threads for many. Results may arrive in any order. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DexError } from "../../kernel/errors.ts";
import type { VectorModel } from "../../ranking/query.ts";
import { TermReceiver } from "../../text/term_delta.ts";
import { DocumentDigester } from "./digest.ts";
import { type ReadJob, type ReadResult, readDigested } from "./read.ts";
import type { PostedResult, ReaderSetup } from "./worker.ts";

/** With less to read, starting threads takes longer than it saves. */
const MIN_BYTES_FOR_THREADS = 16 << 20;
/** Each thread needs memory of its own. */
const MAX_THREADS = 3;
/** Queued documents per thread, so a thread never waits for its next one. */
const READS_AHEAD_PER_THREAD = 4;

interface Thread {
  worker: Worker;
  /** The terms of its analyser. */
  terms: TermReceiver;
  pending: Map<number, { done(read: ReadResult): void; fail(error: Error): void }>;
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

  /** How many documents may be read at once. */
  get width(): number {
    return Math.max(1, this.#threads.length * READS_AHEAD_PER_THREAD);
  }

  /** Announces how much is about to be read, so threads start only when they pay off. */
  expect(bytes: number): void {
    if (bytes < MIN_BYTES_FOR_THREADS || this.#threads.length > 0) return;
    const count = Math.min(MAX_THREADS, Math.max(1, availableParallelism()));
    for (let i = 0; i < count; i += 1) this.#threads.push(this.#start());
  }

  read(job: ReadJob): Promise<ReadResult> {
    const free = this.#threads.reduce<Thread | undefined>(
      (best, each) => (best && best.pending.size <= each.pending.size ? best : each),
      undefined,
    );
    if (!free) return readDigested(this.#own, job);
    const id = this.#next++;
    return new Promise((done, fail) => {
      free.pending.set(id, { done, fail });
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
    const thread: Thread = { worker, terms: new TermReceiver(), pending: new Map(), answered: false };
    thread.worker.on("message", (posted: PostedResult) => take(thread, posted));
    // A document that exhausts a thread's memory ends the thread, not the sync.
    thread.worker.on("error", (error) => this.#replace(thread, error));
    return thread;
  }

  #replace(thread: Thread, error: Error): void {
    const at = this.#threads.indexOf(thread);
    // A thread that never answered would fail again: without threads, this one reads.
    if (at >= 0) this.#threads.splice(at, 1, ...(thread.answered ? [this.#start()] : []));
    for (const { fail } of thread.pending.values()) {
      fail(
        new DexError("reader_died", `It could not be read: the reader thread ended (${error.message}).`, {
          cause: error,
        }),
      );
    }
    thread.pending.clear();
  }
}

function take(thread: Thread, posted: PostedResult): void {
  const pending = thread.pending.get(posted.id);
  thread.pending.delete(posted.id);
  thread.answered = true;
  if ("failure" in posted) {
    pending?.fail(new DexError("unreadable", posted.failure));
    return;
  }
  const { read, terms } = posted;
  const names = terms ? thread.terms.receive(terms) : [];
  pending?.done("digested" in read ? { ...read, digested: { ...read.digested, names } } : read);
}
