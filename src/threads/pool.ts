/**
 * Threads that do jobs for one owner, with one failure policy. A job that throws fails alone. A thread that dies fails the
 * job it was doing, with the cause; its other jobs go to the thread that replaces it. Threads that keep dying before any
 * job is finished are not replaced forever: then every job fails. `close` ends all threads, whatever they are doing.
 */
import { type ResourceLimits, Worker } from "node:worker_threads";
import { DexError, errorMessage } from "../kernel/errors.ts";
import type { Posted } from "./serve.ts";
import { CallGuard } from "./uninterrupted.ts";

/** Without a finished job between them. */
const MAX_DEATHS_IN_A_ROW = 5;

export interface PoolOptions<Kept> {
  /** The program of a thread; it calls `serveJobs`. */
  program: URL;
  maxThreads: number;
  /** How many jobs a thread is given at once, so that a thread that finishes one job finds the next already there. */
  jobsPerThread: number;
  /** For a new thread: its `workerData`, and an object that the owner keeps for messages of this thread. */
  setup: () => { workerData?: unknown; kept: Kept };
  resourceLimits?: ResourceLimits;
}

interface PendingJob<Job, Message, Kept> {
  id: number;
  job: Job;
  take: (message: Message, kept: Kept) => void;
  done: () => void;
  fail: (error: Error) => void;
}

interface Thread<Job, Message, Kept> {
  worker: Worker;
  kept: Kept;
  /** By id. The thread does them in this order, so the first is the one it is doing. */
  jobs: Map<number, PendingJob<Job, Message, Kept>>;
  /** Why the thread is about to exit. */
  error?: Error;
  guard: CallGuard;
}

export class ThreadPool<Job, Message, Kept = undefined> {
  readonly #options: PoolOptions<Kept>;
  readonly #threads = new Set<Thread<Job, Message, Kept>>();
  readonly #queue: PendingJob<Job, Message, Kept>[] = [];
  #nextId = 0;
  #deathsInARow = 0;
  /** Why there is not a thread any more. */
  #ended: Error | undefined;

  constructor(options: PoolOptions<Kept>) {
    this.#options = options;
  }

  /** How many jobs the threads hold at once. More than these wait in a queue: an owner that keeps to it bounds memory. */
  get width(): number {
    return this.#options.maxThreads * this.#options.jobsPerThread;
  }

  /** Resolves when the job is finished; `take` is called with every message that the thread posts for it before that. */
  run(job: Job, take: (message: Message, kept: Kept) => void): Promise<void> {
    return new Promise((done, fail) => {
      if (this.#ended) {
        fail(this.#ended);
        return;
      }
      this.#queue.push({ id: this.#nextId++, job, take, done, fail });
      this.#dispatch();
    });
  }

  /** Unfinished jobs fail. */
  async close(): Promise<void> {
    const threads = [...this.#threads];
    this.#end(new Error("The thread pool was closed."));
    await Promise.all(threads.map(terminate));
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const thread = this.#freeThread();
      const pending = thread && this.#queue.shift();
      if (!pending) return;
      thread.jobs.set(pending.id, pending);
      try {
        thread.worker.postMessage({ id: pending.id, job: pending.job });
      } catch (error) {
        thread.jobs.delete(pending.id);
        pending.fail(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #freeThread(): Thread<Job, Message, Kept> | undefined {
    let free: Thread<Job, Message, Kept> | undefined;
    for (const thread of this.#threads) {
      // A thread that has failed already is about to exit.
      if (!thread.error && (!free || thread.jobs.size < free.jobs.size)) free = thread;
    }
    const { maxThreads, jobsPerThread } = this.#options;
    if (free?.jobs.size !== 0 && this.#threads.size < maxThreads) return this.#start();
    return free && free.jobs.size < jobsPerThread ? free : undefined;
  }

  #start(): Thread<Job, Message, Kept> {
    const { program, resourceLimits, setup } = this.#options;
    const { workerData, kept } = setup();
    const worker = new Worker(program, { workerData, resourceLimits });
    const guard = new CallGuard();
    worker.postMessage({ guard: guard.buffer });
    const thread: Thread<Job, Message, Kept> = { worker, kept, jobs: new Map(), guard };
    worker.on("message", (posted: Posted<Message>) => this.#receive(thread, posted));
    worker.on("error", (error: unknown) => {
      thread.error = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("messageerror", (error: Error) => {
      thread.error = error;
      void terminate(thread);
    });
    // Messages that were posted before the exit arrive before this event.
    worker.on("exit", (status) => this.#bury(thread, status));
    this.#threads.add(thread);
    return thread;
  }

  #receive(thread: Thread<Job, Message, Kept>, posted: Posted<Message>): void {
    const pending = thread.jobs.get(posted.id);
    if (!pending) return;
    if (posted.type === "message") {
      try {
        pending.take(posted.message, thread.kept);
      } catch (error) {
        pending.fail(error instanceof Error ? error : new Error(String(error)));
      }
      return;
    }
    thread.jobs.delete(posted.id);
    this.#deathsInARow = 0;
    if (posted.type === "done") pending.done();
    else pending.fail(errorOf(posted));
    this.#dispatch();
  }

  /** A thread has exited. */
  #bury(thread: Thread<Job, Message, Kept>, status: number): void {
    this.#threads.delete(thread);
    if (this.#ended) return;
    const cause = thread.error ?? new Error(`It exited with status ${status}.`);
    const why = errorMessage(cause).replace(/\.?$/, ".");
    const [first, ...others] = thread.jobs.values();
    this.#queue.unshift(...others);
    first?.fail(new DexError("thread_died", `The thread that was reading this died: ${why}`, { cause }));
    this.#deathsInARow += 1;
    if (this.#deathsInARow < MAX_DEATHS_IN_A_ROW) {
      this.#dispatch();
      return;
    }
    const threads = [...this.#threads];
    this.#end(
      new DexError(
        "threads_died",
        `${MAX_DEATHS_IN_A_ROW} threads in a row died before any of them finished a job. The last one: ${why}`,
        { hint: "Free some memory and run the command again. If it fails again, reinstall dex.", cause },
      ),
    );
    for (const each of threads) void terminate(each);
  }

  /** No thread is started from here on, and every job fails. */
  #end(error: Error): void {
    this.#ended ??= error;
    const jobs = [...this.#threads].flatMap((thread) => [...thread.jobs.values()]);
    for (const thread of this.#threads) thread.jobs.clear();
    for (const { fail } of [...jobs, ...this.#queue.splice(0)]) fail(error);
  }
}

async function terminate({ worker, guard }: { worker: Worker; guard: CallGuard }): Promise<void> {
  await guard.close();
  await worker.terminate();
}

/** The job, and only this one, ended the thread that did it. */
export function hasKilledThread(error: unknown): boolean {
  return error instanceof DexError && error.code === "thread_died";
}

/** No thread of the pool could do this job or any other. */
export function isPoolFailure(error: unknown): boolean {
  return error instanceof DexError && error.code === "threads_died";
}

/** The error that a job threw in its thread: a `DexError` keeps its code. */
function errorOf({ code, hint, message, stack }: Extract<Posted<never>, { type: "failed" }>): Error {
  if (code !== undefined) return new DexError(code, message, { ...(hint === undefined ? {} : { hint }) });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
