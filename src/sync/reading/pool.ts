/** Runs read jobs in worker threads, or in this thread when there is little to read. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { LITTLE } from "../../text/analyser.ts";
import { TermReceiver } from "../../text/term_delta.ts";
import { Digester } from "../digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { runJob } from "./read.ts";
import type { PostedEvent } from "./worker.ts";

/** With less to read, starting threads costs more than it saves. */
const MIN_BYTES_FOR_THREADS = 4 << 20;
/** The main thread records and is mostly idle; each reader needs memory. */
const MAX_THREADS = 2;
/** A reader killed for its memory would lose its job; bounded reading needs far less than this. */
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
    threads ?? (bytes < MIN_BYTES_FOR_THREADS ? 0 : Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)));
  if (wanted > 0) return new ThreadPool(wanted, setup, onEvent, onFailure);
  const digester = new Digester(setup.model, bytes < MIN_BYTES_FOR_THREADS ? LITTLE : undefined);
  return {
    width: 1,
    run: (job) => {
      runJob(job, setup, digester, onEvent).catch(onFailure);
    },
    close: async () => {},
  };
}

type PostedBlock = Extract<PostedEvent, { type: "block" }>;

interface Reader {
  worker: Worker;
  /** Characters posted and not yet recorded. */
  outstanding: Int32Array;
  /** The terms of its analyser. */
  terms: TermReceiver;
  jobs: number;
}

/** Queued jobs per reader, so a reader never waits for its next one. */
const JOBS_AHEAD = 2;

/**
 * Passes on the events of one job at a time, because the full-text table takes rows in order; a reader that gets ahead
 * waits.
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
      return { worker, outstanding: new Int32Array(shared), terms: new TermReceiver(), jobs: 0 };
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
    const event = reader && posted.type === "block" ? withTerms(reader, posted) : posted;
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

function withTerms(reader: Reader, { terms, ...event }: PostedBlock): ReadEvent {
  return terms ? { ...event, names: reader.terms.receive(terms) } : event;
}

/** Next to the bundle when built; in this folder when running from source. */
function workerFile(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./worker.js", here);
}
