/** Runs jobs in reader threads, or in this one when there is little to read. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { SMALL_CAPACITY } from "../text/analyser.ts";
import { Digester } from "./digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";
import type { PostedEvent } from "./worker.ts";

/** Below this a thread costs more to start than it saves. */
const WORTH_A_THREAD = 4 << 20;
/** The main thread records and is idle for most of the time; memory grows with each reader. */
const MAX_THREADS = 2;
/** A reader that is killed for its memory would lose its job; this is far above what bounded reading needs. */
const THREAD_MEMORY_MB = 192;

export interface ReaderPool {
  /** How many jobs may run at once. */
  readonly width: number;
  run(job: ReadJob): void;
  close(): Promise<void>;
}

export function openPool(
  bytes: number,
  threads: number | undefined,
  setup: ReaderSetup,
  onEvent: (event: ReadEvent) => void,
  onFailure: (error: Error) => void,
): ReaderPool {
  const wanted =
    threads ?? (bytes < WORTH_A_THREAD ? 0 : Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)));
  if (wanted > 0) return new ThreadPool(wanted, setup, onEvent, onFailure);
  const digester = new Digester(setup.model, bytes < WORTH_A_THREAD ? SMALL_CAPACITY : undefined);
  return {
    width: 1,
    run: (job) => {
      runJob(job, setup, digester, onEvent).catch(onFailure);
    },
    close: async () => {},
  };
}

interface Reader {
  worker: Worker;
  /** Characters handed over and not yet recorded. */
  outstanding: Int32Array;
  /** The terms of its analyser. */
  names: string[];
  jobs: number;
}

/** A reader that has finished one job finds the next already there. */
const JOBS_AHEAD = 2;

/**
 * Events of one job are passed on without those of another between them: the full-text table takes rows in order, and
 * a reader that gets ahead waits.
 */
class ThreadPool implements ReaderPool {
  readonly width: number;
  readonly #readers: Reader[];
  readonly #busy = new Map<number, Reader>();
  readonly #waiting = new Map<number, PostedEvent[]>();
  readonly #onEvent: (event: ReadEvent) => void;
  #active: number | undefined;

  constructor(width: number, setup: ReaderSetup, onEvent: (event: ReadEvent) => void, onFailure: (e: Error) => void) {
    this.width = width * JOBS_AHEAD;
    this.#onEvent = onEvent;
    this.#readers = Array.from({ length: width }, () => {
      const shared = new SharedArrayBuffer(4);
      const worker = new Worker(workerFile(), {
        workerData: { ...setup, outstanding: shared },
        resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB, maxYoungGenerationSizeMb: 32 },
      });
      worker.on("message", (event: PostedEvent) => this.#receive(event));
      worker.on("error", onFailure);
      return { worker, outstanding: new Int32Array(shared), names: [], jobs: 0 };
    });
  }

  run(job: ReadJob): void {
    const reader = this.#readers.reduce((a, b) => (b.jobs < a.jobs ? b : a));
    reader.jobs += 1;
    this.#busy.set(job.number, reader);
    reader.worker.postMessage(job);
  }

  async close(): Promise<void> {
    await Promise.all(this.#readers.map(({ worker }) => worker.terminate()));
  }

  #receive(event: PostedEvent): void {
    this.#active ??= event.job;
    if (event.job !== this.#active) {
      const queue = this.#waiting.get(event.job);
      if (queue) queue.push(event);
      else this.#waiting.set(event.job, [event]);
      return;
    }
    this.#pass(event);
    while (this.#active === undefined && this.#waiting.size > 0) {
      const [next, queue] = this.#waiting.entries().next().value as [number, PostedEvent[]];
      this.#waiting.delete(next);
      this.#active = next;
      for (const each of queue) this.#pass(each);
    }
  }

  #pass(posted: PostedEvent): void {
    const reader = this.#busy.get(posted.job);
    const event = reader && posted.type === "block" ? { ...posted, names: learn(reader, posted) } : posted;
    if (event.type === "done") {
      this.#active = undefined;
      this.#busy.delete(event.job);
      if (reader) reader.jobs -= 1;
    }
    this.#onEvent(event);
    if (event.type !== "block" || !reader) return;
    Atomics.sub(reader.outstanding, 0, event.weight);
    Atomics.notify(reader.outstanding, 0);
  }
}

function learn(reader: Reader, { names, anew }: { names: readonly string[]; anew?: boolean }): readonly string[] {
  if (anew) reader.names = [...names];
  else for (const name of names) reader.names.push(name);
  return reader.names;
}

/** The bundle has the worker beside it; run from source, it is this folder's own file. */
function workerFile(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./worker.js", here);
}
