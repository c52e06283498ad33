/** Runs read jobs in worker threads, or in this thread when there is little to read. */
import { availableParallelism } from "node:os";
import { errorMessage } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import { Backlog } from "../../threads/backlog.ts";
import { holdYoungGeneration, startThreadsWithYoungGeneration } from "../../threads/heap_generations.ts";
import { hasKilledThread, ThreadPool } from "../../threads/pool.ts";
import { threadProgram } from "../../threads/program.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { unpackFacts } from "./packed_digests.ts";
import { runJob } from "./read.ts";
import type { PostedEvent, WorkerSetup } from "./worker.ts";

/** With less to read, starting threads costs more than it saves. */
const MIN_BYTES_FOR_THREADS = 4 << 20;
/** The main thread records and is mostly idle; each reader needs memory. */
const MAX_THREADS = 2;
/** A reader killed for its memory would lose its job; bounded reading needs far less than this. */
const THREAD_MEMORY_MB = 192;
/** Queued jobs per thread, so that a reader need not wait for the main thread, even if jobs are small. */
const JOBS_PER_THREAD = 8;
/** With the usual 1 MB, a reader spends a seventh of its time on collecting garbage. */
const THREAD_YOUNG_MB = 4;
/** After this many characters, the young generations of both threads have reached their size. */
const SETTLED_CHARACTERS = 4 << 20;

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
  program = threadProgram(import.meta.url, "worker.js"),
): ReaderPool {
  const wanted =
    threads ?? (bytes < MIN_BYTES_FOR_THREADS ? 0 : Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)));
  if (wanted > 0) return new ThreadedReaders(program, wanted, setup, onEvent, onFailure);
  return {
    width: 1,
    run: (job) => {
      runJob(job, setup, onEvent).catch(onFailure);
    },
    close: async () => {},
  };
}

/** An event, and the backlog of the reader that it came from. */
interface Arrived {
  event: ReadEvent;
  backlog: Backlog | undefined;
}

/**
 * Passes on the events of one job at a time, because the full-text table takes rows in order; a reader that gets ahead
 * waits.
 */
class ThreadedReaders implements ReaderPool {
  readonly #pool: ThreadPool<ReadJob, PostedEvent[], { backlog: Backlog }>;
  readonly #waiting = new Map<number, Arrived[]>();
  readonly #onEvent: (event: ReadEvent) => void;
  readonly #onFailure: (error: Error) => void;
  #active: number | undefined;
  #passedCharacters = 0;
  #releaseMemory: (() => void) | undefined;
  readonly #usualThreads = startThreadsWithYoungGeneration(THREAD_YOUNG_MB);

  constructor(
    program: URL,
    threads: number,
    setup: Omit<WorkerSetup, "backlog">,
    onEvent: (event: ReadEvent) => void,
    onFailure: (e: Error) => void,
  ) {
    this.#onEvent = onEvent;
    this.#onFailure = onFailure;
    this.#pool = new ThreadPool({
      program,
      maxThreads: threads,
      jobsPerThread: JOBS_PER_THREAD,
      setup: () => {
        const backlog = new Backlog();
        const workerData: WorkerSetup = { ...setup, backlog: backlog.buffer };
        return { workerData, kept: { backlog } };
      },
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB, maxYoungGenerationSizeMb: 8 },
    });
  }

  get width(): number {
    return this.#pool.width;
  }

  run(job: ReadJob): void {
    const reading = this.#pool.run(job, (batch, { backlog }) => {
      for (const posted of batch) {
        const event = posted.type === "block" ? { ...posted, facts: unpackFacts(posted.facts) } : posted;
        this.#receive({ event, backlog });
      }
    });
    reading.catch((error: Error) => {
      if (hasKilledThread(error)) this.#giveUp(job, error);
      else this.#onFailure(error);
    });
  }

  close(): Promise<void> {
    this.#releaseMemory?.();
    this.#releaseMemory = undefined;
    this.#usualThreads();
    return this.#pool.close();
  }

  /** One container that a thread cannot read must not stop the others; the next sync tries it again. */
  #giveUp({ number, state }: ReadJob, cause: Error): void {
    const error = redactText(errorMessage(cause)).text;
    const nothing = { malformed: 0, redactions: 0, leftOut: {}, onlyForgotten: false };
    this.#receive({ event: { type: "done", job: number, state, error, ...nothing }, backlog: undefined });
  }

  #receive(arrived: Arrived): void {
    const { job } = arrived.event;
    this.#active ??= job;
    if (job !== this.#active) {
      const queue = this.#waiting.get(job);
      if (queue) queue.push(arrived);
      else this.#waiting.set(job, [arrived]);
      return;
    }
    this.#pass(arrived);
    while (this.#active === undefined && this.#waiting.size > 0) {
      const [next, queue] = this.#waiting.entries().next().value as [number, Arrived[]];
      this.#waiting.delete(next);
      this.#active = next;
      for (const each of queue) this.#pass(each);
    }
  }

  #pass({ event, backlog }: Arrived): void {
    if (event.type === "done") this.#active = undefined;
    this.#onEvent(event);
    if (event.type !== "block") return;
    backlog?.remove(event.weight);
    this.#passedCharacters += event.weight;
    if (this.#passedCharacters >= SETTLED_CHARACTERS) this.#releaseMemory ??= holdYoungGeneration();
  }
}
