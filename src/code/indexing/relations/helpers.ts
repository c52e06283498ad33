/**
 * Threads that resolve the relations of a large new store, while the main thread only writes them: if it resolved some
 * as well, it would compile the same code and read the same surfaces.
 */
import { availableParallelism } from "node:os";
import type { CodeWriter } from "../../../store/code.ts";
import { ThreadPool } from "../../../threads/pool.ts";
import { threadProgram } from "../../../threads/program.ts";
import type { FileRelations } from "./file_relations.ts";
import { type PackedRelations, unpackRelations } from "./packed.ts";

/** With fewer, starting a thread takes as long as it saves. */
const FILES_PER_THREAD = 3000;
const MAX_THREADS = 3;
const JOBS_PER_THREAD = 2;

export interface Helpers {
  /** How many calls may be under way at once. */
  width: number;
  find(paths: readonly string[]): Promise<FileRelations[]>;
  close(): Promise<void>;
}

/** Undefined where they do not pay, or cannot read the store because it was there before. */
export function openHelpers(
  writer: CodeWriter,
  files: number,
  filesPerThread: number = FILES_PER_THREAD,
): Helpers | undefined {
  const threads = Math.min(MAX_THREADS, availableParallelism() - 1, Math.floor(files / filesPerThread));
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
    find: async (paths) => {
      let found: FileRelations[] = [];
      await pool.run(paths, (packed) => {
        found = unpackRelations(packed);
      });
      if (found.length !== paths.length) throw new Error(`The thread did not post all of ${paths[0]} and others.`);
      return found;
    },
    close: () => pool.close(),
  };
}
