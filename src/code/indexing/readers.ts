/** Who reads files: this thread for a few, threads of their own for many. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DexError } from "../../kernel/errors.ts";
import { type ReadFile, type ReadRequest, readFile } from "./read_file.ts";

/** Starting threads costs about as much as reading so many files. */
const MANY = 150;
const MOST_THREADS = 4;

export interface Readers {
  /** How many files may be under way at once. */
  width: number;
  read(request: ReadRequest): Promise<ReadFile>;
  close(): Promise<void>;
}

export function openReaders(files: number): Readers {
  if (files < MANY) return { width: 1, read: readFile, close: async () => {} };
  return new ReaderPool(Math.min(MOST_THREADS, Math.max(1, availableParallelism())));
}

interface Answer {
  id: number;
  result?: ReadFile;
  failure?: string;
}

class ReaderPool implements Readers {
  readonly width: number;
  readonly #workers: Worker[];
  readonly #waiting = new Map<number, { done(result: ReadFile): void; fail(error: Error): void }>();
  #next = 0;

  constructor(threads: number) {
    const here = import.meta.url;
    const program = new URL(here.endsWith(".ts") ? "./worker.ts" : "./code_worker.js", here);
    this.width = threads * 8;
    this.#workers = Array.from({ length: threads }, () => {
      const worker = new Worker(program);
      worker.on("message", (answer: Answer) => this.#take(answer));
      worker.on("error", (error: Error) => this.#failAll(error));
      return worker;
    });
  }

  read(request: ReadRequest): Promise<ReadFile> {
    const id = this.#next++;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#workers[id % this.#workers.length]?.postMessage({ id, ...request });
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #take({ id, result, failure }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (result !== undefined) waiting?.done(result);
    else waiting?.fail(new DexError("no_grammar", failure ?? "A file could not be read.", { hint: "Reinstall dex." }));
  }

  #failAll(error: Error): void {
    for (const { fail } of this.#waiting.values()) fail(error);
    this.#waiting.clear();
  }
}
