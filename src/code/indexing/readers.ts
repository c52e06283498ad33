/** Readers of files: this thread for a few files, a pool of worker threads for many. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { errorOf, type ReadFailure } from "./read_failure.ts";
import { type ReadFile, type ReadRequest, readFile } from "./read_file.ts";

/** Starting threads costs about as much as reading this many files. */
const MIN_FILES_FOR_THREADS = 150;
const MAX_THREADS = 4;
const READS_AHEAD_PER_THREAD = 8;

export interface Readers {
  /** How many files may be read at once. */
  width: number;
  read(request: ReadRequest): Promise<ReadFile>;
  close(): Promise<void>;
}

export function openReaders(files: number): Readers {
  if (files < MIN_FILES_FOR_THREADS) return { width: 1, read: readFile, close: async () => {} };
  return new ReaderPool(Math.min(MAX_THREADS, Math.max(1, availableParallelism())));
}

export interface WorkerAnswer {
  id: number;
  result?: ReadFile;
  failure?: ReadFailure;
}

interface PendingRead {
  path: string;
  done(result: ReadFile): void;
  fail(error: Error): void;
}

class ReaderPool implements Readers {
  readonly width: number;
  readonly #workers: Worker[];
  readonly #pending = new Map<number, PendingRead>();
  #next = 0;

  constructor(threads: number) {
    const here = import.meta.url;
    const program = new URL(here.endsWith(".ts") ? "./worker.ts" : "./code_worker.js", here);
    this.width = threads * READS_AHEAD_PER_THREAD;
    this.#workers = Array.from({ length: threads }, () => {
      const worker = new Worker(program);
      worker.on("message", (answer: WorkerAnswer) => this.#settle(answer));
      worker.on("error", (error: Error) => this.#failAll(error));
      return worker;
    });
  }

  read(request: ReadRequest): Promise<ReadFile> {
    const id = this.#next++;
    return new Promise((done, fail) => {
      this.#pending.set(id, { path: request.path, done, fail });
      this.#workers[id % this.#workers.length]?.postMessage({ id, ...request });
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #settle({ id, result, failure }: WorkerAnswer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (result !== undefined) pending?.done(result);
    else pending?.fail(errorOf(pending.path, failure ?? { message: "no result" }));
  }

  /** An uncaught error ends its thread, whose reads would never settle; the run fails with it. */
  #failAll(error: Error): void {
    const message = `A thread that reads code stopped: ${errorMessage(error)}`;
    const failure = new DexError("code_reader", message, { hint: "Run `dex code index` again.", cause: error });
    for (const { fail } of this.#pending.values()) fail(failure);
    this.#pending.clear();
  }
}
