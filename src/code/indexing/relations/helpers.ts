/** Threads that resolve relations of a large new store. */
import { availableParallelism } from "node:os";
import type { CodeWriter } from "../../../store/code.ts";
import { ThreadPool } from "../../../threads/pool.ts";
import { threadProgram } from "../../../threads/program.ts";
import type { FileRelations } from "./file_relations.ts";
import { type PackedRelations, unpackRelations } from "./packed.ts";

/** A thread compiles the same code and reads the same facts again: with fewer files, that takes as long as it saves. */
const FILES_PER_THREAD = 3000;
/** Then the thread that writes compiles it, too. */
const FILES_PER_THREAD_TO_JOIN = 3 * FILES_PER_THREAD;
const MAX_THREADS = 3;
const JOBS_PER_THREAD = 2;

/** How many files make a thread worth its start, and how many for each thread make the writing one join. */
export interface HelperSizes {
  perThread?: number;
  toJoin?: number;
}

export interface Helpers {
  /** How many calls may be under way at once. */
  width: number;
  /** Whether the thread that writes should resolve some as well. */
  needsMore: boolean;
  find(paths: readonly string[]): Promise<FileRelations[]>;
  close(): Promise<void>;
}

/** Undefined where they do not pay, or cannot read the store because it was there before. */
export function openHelpers(
  writer: CodeWriter,
  files: number,
  { perThread = FILES_PER_THREAD, toJoin = FILES_PER_THREAD_TO_JOIN }: HelperSizes = {},
): Helpers | undefined {
  const threads = Math.min(MAX_THREADS, availableParallelism() - 1, Math.floor(files / perThread));
  const path = threads > 0 ? writer.shareFiles() : undefined;
  if (path === undefined) return undefined;
  const pool = new ThreadPool<readonly string[], PackedRelations>({
    program: threadProgram(import.meta.url, "relations_worker.js"),
    maxThreads: threads,
    jobsPerThread: JOBS_PER_THREAD,
    setup: () => ({ workerData: path, kept: undefined }),
  });
  return {
    width: pool.width,
    needsMore: files >= threads * toJoin,
    find: async (paths) => {
      let found: FileRelations[] = [];
      await pool.run(paths, (packed) => {
        found = unpackRelations(packed);
      });
      return found;
    },
    close: () => pool.close(),
  };
}
