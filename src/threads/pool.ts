/**
 * Threads that do jobs for one owner, with one failure policy. A job that throws fails alone. A thread that dies fails the
 * job it was doing, with the cause; its other jobs go to the thread that replaces it. Threads that keep dying before any
 * job is finished are not replaced forever: then every job fails. A job that is cancelled is asked to end; if it goes on
 * computing, its thread is ended. `close` ends all threads, whatever they are doing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { asError, DexError, errorMessage } from "../kernel/errors.ts";
import { receivedError } from "./posted_error.ts";
import type { Ordered, Posted } from "./serve.ts";
import { CallGuard, holdThread } from "./uninterrupted.ts";

/** Without a finished job between them. */
const MAX_DEATHS_IN_A_ROW = 5;
/** How long a cancelled job may take to end by itself. */
const CANCEL_GRACE_MS = 50;
/** How often the pool checks whether the thread of a cancelled job may be terminated. */
const CANCEL_RETRY_MS = 5;

export interface PoolOptions<Kept, Job = never> {
  /** The program of a thread; it calls `serveJobs`. */
  program: URL;
  maxThreads: number;
  /** How many jobs a thread is given at once, so that a thread that finishes one job finds the next already there. */
  jobsPerThread: number;
  /** For a new thread: its `workerData`, and an object that the owner keeps for messages of this thread. */
  setup: () => { workerData?: unknown; kept: Kept };
  resourceLimits?: ResourceLimits;
  /** The first job of every thread but the first: while it starts, the others do what waits. */
  firstJob?: Job;
  /** Whether a job may compute for long. Such jobs leave one thread to the others. */
  isLong?: (job: Job) => boolean;
}

interface PendingJob<Job, Message, Kept> {
  id: number;
  job: Job;
  take: (message: Message, kept: Kept) => void;
  given?: (() => void) | undefined;
  done: () => void;
  fail: (error: Error) => void;
  isCancelled?: true;
}

interface Thread<Job, Message, Kept> {
  worker: Worker;
  kept: Kept;
  /** By id. The thread does them in this order, so the first is the one it is doing. */
  jobs: Map<number, PendingJob<Job, Message, Kept>>;
  /** Jobs that wait for another program while the thread does others. */
  waiting: Map<number, PendingJob<Job, Message, Kept>>;
  /** Lets the thread that owns this pool be terminated. */
  release: () => void;
  /** Why the thread is about to exit. */
  error?: Error;
  /** The pool ends it, because the job it was doing was cancelled. */
  isEnding?: true;
  guard: CallGuard;
}

export class ThreadPool<Job, Message, Kept = undefined> {
  readonly #options: PoolOptions<Kept, Job>;
  readonly #threads = new Set<Thread<Job, Message, Kept>>();
  readonly #queue: PendingJob<Job, Message, Kept>[] = [];
  #nextId = 0;
  #deathsInARow = 0;
  /** Why the pool has no thread left. */
  #ended: Error | undefined;

  constructor(options: PoolOptions<Kept, Job>) {
    this.#options = options;
  }

  /** How many jobs the threads hold at once. More than these wait in a queue: an owner that keeps to it bounds memory. */
  get width(): number {
    return this.#options.maxThreads * this.#options.jobsPerThread;
  }

  /**
   * Resolves when the job is finished; `take` is called with every message that the thread posts for it before that.
   * Rejects as soon as the signal is aborted. `given` is called when a thread gets the job.
   */
  run(job: Job, take: (message: Message, kept: Kept) => void, signal?: AbortSignal, given?: () => void): Promise<void> {
    return new Promise((done, fail) => {
      if (this.#ended || signal?.aborted) {
        fail(this.#ended ?? signal?.reason);
        return;
      }
      const pending: PendingJob<Job, Message, Kept> = { id: this.#nextId++, job, take, given, done, fail };
      if (signal) this.#cancelBy(signal, pending);
      this.#queue.push(pending);
      this.#dispatch();
    });
  }

  /** Starts the first thread before there is a job for it. */
  warm(): void {
    if (!this.#ended && this.#threads.size === 0) this.#start();
  }

  #cancelBy(signal: AbortSignal, pending: PendingJob<Job, Message, Kept>): void {
    const { done, fail } = pending;
    const cancel = (): void => {
      pending.isCancelled = true;
      fail(signal.reason);
      const at = this.#queue.indexOf(pending);
      if (at >= 0) this.#queue.splice(at, 1);
      else void this.#stop(pending.id);
    };
    const settled = (): void => signal.removeEventListener("abort", cancel);
    signal.addEventListener("abort", cancel, { once: true });
    pending.done = () => {
      settled();
      done();
    };
    pending.fail = (error) => {
      settled();
      fail(error);
    };
  }

  /** Ends the thread of a cancelled job, unless the job ends first or only waits for another program. */
  async #stop(id: number): Promise<void> {
    const thread = [...this.#threads].find((each) => each.jobs.has(id) || each.waiting.has(id));
    if (!thread) return;
    thread.worker.postMessage({ cancel: id } satisfies Ordered<Job>);
    const isDoingIt = (): boolean => !this.#ended && thread.jobs.keys().next().value === id;
    await sleep(CANCEL_GRACE_MS, undefined, { ref: false });
    while (isDoingIt()) {
      if (thread.guard.tryClose()) {
        thread.isEnding = true;
        await thread.worker.terminate();
        return;
      }
      await sleep(CANCEL_RETRY_MS, undefined, { ref: false });
    }
  }

  /** Unfinished jobs fail. */
  async close(): Promise<void> {
    const threads = [...this.#threads];
    this.#end(new Error("The thread pool was closed."));
    await Promise.all(threads.map(terminate));
  }

  #dispatch(): void {
    for (let at = this.#nextInQueue(); at >= 0; at = this.#nextInQueue()) {
      const thread = this.#freeThread();
      const [pending] = thread ? this.#queue.splice(at, 1) : [];
      if (!thread || !pending) return;
      this.#give(thread, pending);
    }
  }

  /** The first waiting job that may start; -1 if there is none. */
  #nextInQueue(): number {
    const { isLong, maxThreads } = this.#options;
    if (!isLong) return this.#queue.length === 0 ? -1 : 0;
    const given = [...this.#threads].flatMap(({ jobs }) => [...jobs.values()]);
    const mayBeLong = given.filter(({ job }) => isLong(job)).length < Math.max(1, maxThreads - 1);
    return this.#queue.findIndex(({ job }) => mayBeLong || !isLong(job));
  }

  #give(thread: Thread<Job, Message, Kept>, pending: PendingJob<Job, Message, Kept>): void {
    thread.jobs.set(pending.id, pending);
    pending.given?.();
    try {
      thread.worker.postMessage({ id: pending.id, job: pending.job } satisfies Ordered<Job>);
    } catch (error) {
      thread.jobs.delete(pending.id);
      pending.fail(asError(error));
    }
  }

  #freeThread(): Thread<Job, Message, Kept> | undefined {
    let free: Thread<Job, Message, Kept> | undefined;
    for (const thread of this.#threads) {
      // A thread that has failed already is about to exit.
      if (!thread.error && !thread.isEnding && (!free || thread.jobs.size < free.jobs.size)) free = thread;
    }
    const { maxThreads, jobsPerThread, firstJob } = this.#options;
    if (free?.jobs.size !== 0 && this.#threads.size < maxThreads) {
      const started = this.#start();
      if (!free || firstJob === undefined) return started;
      this.#give(started, { id: this.#nextId++, job: firstJob, take: ignore, done: ignore, fail: ignore });
    }
    return free && free.jobs.size < jobsPerThread ? free : undefined;
  }

  #start(): Thread<Job, Message, Kept> {
    const { program, resourceLimits, setup } = this.#options;
    const { workerData, kept } = setup();
    const worker = new Worker(program, { workerData, resourceLimits });
    const guard = new CallGuard();
    worker.postMessage({ guard: guard.buffer } satisfies Ordered<Job>);
    const release = holdThread();
    const thread: Thread<Job, Message, Kept> = { worker, kept, jobs: new Map(), waiting: new Map(), guard, release };
    worker.on("message", (posted: Posted<Message>) => this.#receive(thread, posted));
    worker.on("error", (error: unknown) => {
      thread.error = asError(error);
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
    const pending = thread.jobs.get(posted.id) ?? thread.waiting.get(posted.id);
    if (!pending) return;
    if (posted.type === "message") {
      try {
        pending.take(posted.message, thread.kept);
      } catch (error) {
        pending.fail(asError(error));
      }
      return;
    }
    thread.jobs.delete(posted.id);
    if (posted.type === "waits") {
      thread.waiting.set(posted.id, pending);
    } else {
      thread.waiting.delete(posted.id);
      this.#deathsInARow = 0;
      if (posted.type === "done") pending.done();
      else pending.fail(receivedError(posted));
    }
    this.#dispatch();
  }

  /** A thread has exited. */
  #bury(thread: Thread<Job, Message, Kept>, status: number): void {
    this.#threads.delete(thread);
    thread.release();
    if (this.#ended) return;
    const jobs = [...thread.jobs.values()];
    const killer = thread.isEnding ? undefined : jobs.shift();
    this.#queue.unshift(...[...jobs, ...thread.waiting.values()].filter(({ isCancelled }) => !isCancelled));
    if (thread.isEnding) {
      this.#dispatch();
      return;
    }
    const cause = thread.error ?? new Error(`It exited with status ${status}.`);
    const why = errorMessage(cause).replace(/\.?$/, ".");
    killer?.fail(new DexError("thread_died", `The thread that was reading this died: ${why}`, { cause }));
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
    const jobs = [...this.#threads].flatMap(({ jobs, waiting }) => [...jobs.values(), ...waiting.values()]);
    for (const thread of this.#threads) {
      thread.jobs.clear();
      thread.waiting.clear();
    }
    for (const { fail } of [...jobs, ...this.#queue.splice(0)]) fail(error);
  }
}

function ignore(): void {}

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
