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
const JOBS_PER_THREAD = 8;
/** Nearly all that a thread allocates is dropped with the file. */
const YOUNG_MEMORY_MB = 16;

export interface Readers {
  /** How many files may be under way at once. */
  width: number;
  read(request: ReadRequest): Promise<ReadFile>;
  close(): Promise<void>;
}

export function openReaders(files: number): Readers {
  if (files < MIN_FILES_FOR_THREADS) return { width: 1, read: readFile, close: async () => {} };
  const pool = new ThreadPool<ReadRequest, ReadFile>({
    program: threadProgram(import.meta.url, "code_worker.js"),
    maxThreads: Math.min(MAX_THREADS, Math.max(1, availableParallelism())),
    jobsPerThread: JOBS_PER_THREAD,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
    setup: () => ({ kept: undefined }),
  });
  return { width: pool.width, read: (request) => readWith(pool, request), close: () => pool.close() };
}

async function readWith(pool: ThreadPool<ReadRequest, ReadFile>, request: ReadRequest): Promise<ReadFile> {
  let read: ReadFile | undefined;
  try {
    await pool.run(request, (file) => {
      read = file;
    });
  } catch (error) {
    // A file that ends the thread of its parser is left out and listed; the rest of the project is indexed.
    if (hasKilledThread(error)) return { gone: `${UNREADABLE} (${redactText(errorMessage(error)).text})` };
    throw error;
  }
  if (read === undefined) throw new Error(`The thread posted nothing for ${request.path}.`);
  return read;
}
