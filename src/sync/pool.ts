/** Runs jobs in reader threads, or in this one when there is little to read. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";

/** Below this a thread costs more to start than it saves. */
const WORTH_A_THREAD = 4 << 20;
const MAX_THREADS = 6;
/** A reader that is killed for its memory would lose its job; this is far above what bounded reading needs. */
const THREAD_MEMORY_MB = 512;

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
  return {
    width: 1,
    run: (job) => runJob(job, setup, onEvent),
    close: async () => {},
  };
}

class ThreadPool implements ReaderPool {
  readonly width: number;
  readonly #workers: Worker[];
  readonly #idle: Worker[];
  readonly #busy = new Map<number, Worker>();

  constructor(width: number, setup: ReaderSetup, onEvent: (event: ReadEvent) => void, onFailure: (e: Error) => void) {
    this.width = width;
    const outstanding = new SharedArrayBuffer(4);
    const counter = new Int32Array(outstanding);
    this.#workers = Array.from({ length: width }, () => {
      const worker = new Worker(workerFile(), {
        workerData: { ...setup, outstanding },
        resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB, maxYoungGenerationSizeMb: 32 },
      });
      worker.on("message", (event: ReadEvent) => {
        if (event.type === "done") this.#release(event.job);
        onEvent(event);
        if (event.type !== "block") return;
        Atomics.sub(counter, 0, event.weight);
        Atomics.notify(counter, 0);
      });
      worker.on("error", onFailure);
      return worker;
    });
    this.#idle = [...this.#workers];
  }

  run(job: ReadJob): void {
    const worker = this.#idle.pop();
    if (!worker) throw new Error("no idle reader");
    this.#busy.set(job.number, worker);
    worker.postMessage(job);
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #release(job: number): void {
    const worker = this.#busy.get(job);
    this.#busy.delete(job);
    if (worker) this.#idle.push(worker);
  }
}

/** The bundle has the worker beside it; run from source, it is this folder's own file. */
function workerFile(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./worker.js", here);
}
