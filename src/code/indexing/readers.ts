/** Reads a few files in this thread, and many in a pool of threads. */
import { availableParallelism } from "node:os";
import { errorMessage } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import { hasKilledThread, ThreadPool } from "../../threads/pool.ts";
import { threadProgram } from "../../threads/program.ts";
import { type ReadFile, type ReadRequest, readFile, UNREADABLE } from "./read_file.ts";

/** Starting threads costs about as much as reading this many files. */
const MIN_FILES_FOR_THREADS = 150;
const MAX_THREADS = 4;
const JOBS_PER_THREAD = 2;
/** Each message between threads wakes one of them, which takes as long as parsing some lines. */
const FILES_PER_JOB = 8;

/** Nearly all that a thread allocates is dropped with the file. */
const YOUNG_MEMORY_MB = 32;

type ReaderPool = ThreadPool<readonly ReadRequest[], readonly ReadFile[]>;

export interface Readers {
  /** How many files one call reads. */
  batch: number;
  /** How many calls may be under way at once. */
  width: number;
  read(requests: readonly ReadRequest[]): Promise<ReadFile[]>;
  close(): Promise<void>;
}

export function openReaders(files: number): Readers {
  if (files < MIN_FILES_FOR_THREADS)
    return { batch: 1, width: 1, read: (requests) => Promise.all(requests.map(readFile)), close: async () => {} };
  const pool: ReaderPool = new ThreadPool({
    program: threadProgram(import.meta.url, "code_worker.js"),
    maxThreads: Math.min(MAX_THREADS, Math.max(1, availableParallelism())),
    jobsPerThread: JOBS_PER_THREAD,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
    setup: () => ({ kept: undefined }),
  });
  return {
    batch: FILES_PER_JOB,
    width: pool.width,
    read: (requests) => readWith(pool, requests),
    close: () => pool.close(),
  };
}

async function readWith(pool: ReaderPool, requests: readonly ReadRequest[]): Promise<ReadFile[]> {
  let read: readonly ReadFile[] | undefined;
  try {
    await pool.run(requests, (files) => {
      read = files;
    });
  } catch (error) {
    if (!hasKilledThread(error)) throw error;
    // A file that ends the thread of its parser is left out and listed; the rest of the project is indexed.
    if (requests.length === 1) return [{ gone: `${UNREADABLE} (${redactText(errorMessage(error)).text})` }];
    const each = await Promise.all(requests.map((request) => readWith(pool, [request])));
    return each.flat();
  }
  if (read?.length !== requests.length)
    throw new Error(`The thread did not post all of ${requests[0]?.path} and others.`);
  return [...read];
}
