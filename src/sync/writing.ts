/** Opens the index for writing: under the lock, repaired after a crash, rebuilt if missing or of another version. */
import { existsSync, rmSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { openIndexWriter } from "../store/engine/index_writer.ts";
import { type LockedDatabase, replaceLocked, writeLocked } from "../store/engine/writing.ts";
import type { IndexWriter } from "../store/index_writer.ts";
import { rebuildAll, reconcile } from "./rebuild.ts";

export interface SyncPlaces {
  index: string;
  archive: string;
  lock: string;
  running: string;
  /** File of the embedding model; undefined: no vectors. */
  model?: string;
}

interface WriterRequest {
  places: SyncPlaces;
  waitMs: number;
  now: () => number;
  /** Is called with the share, from 0 to 1, of what was written that is merged. */
  merging?: (share: number) => void;
}

/** Undefined: another process holds the lock. */
export async function withWriter<T>(
  request: WriterRequest,
  use: (writer: IndexWriter) => Promise<T> | T,
): Promise<T | undefined> {
  const { places } = request;
  let crashed = false;
  let created = false;
  const open = (): IndexWriter => {
    crashed = existsSync(places.running);
    writeFileAtomic(places.running, JSON.stringify({ pid: process.pid, since: new Date(request.now()).toISOString() }));
    const opened = openIndexWriter(places.index);
    created = opened.created;
    return opened.writer;
  };
  return writeLocked(lockedIndex(places, request.waitMs), open, async (writer) => {
    if (created) rebuildAll(writer, places);
    else if (crashed) reconcile(writer, places);
    const result = await use(writer);
    // Commit first: until then a kill must be detected.
    writer.commit();
    rmSync(places.running, { force: true });
    writer.join(request.merging);
    return result;
  });
}

function lockedIndex({ index, lock }: SyncPlaces, waitMs: number): LockedDatabase {
  return { path: index, lock, waitMs };
}

/**
 * Builds a new index next to the old one and replaces it. Returns the number of conversations; undefined if another
 * process holds the lock.
 */
export async function rebuildIndex(
  places: SyncPlaces,
  waitMs: number,
  progress?: (done: number, total: number) => void,
): Promise<number | undefined> {
  return replaceLocked(
    lockedIndex(places, waitMs),
    (path): IndexWriter => openIndexWriter(path).writer,
    (writer) => {
      // First, so that a conversation that has to be repaired can have its container read again.
      writer.copyContainers(places.index);
      rebuildAll(writer, places, progress);
      writer.join();
      return writer.totals().conversations;
    },
    () => rmSync(places.running, { force: true }),
  );
}

/** Thrown when another process holds the lock. */
export function busyError(): DexError {
  return new DexError("busy", "Another dex process is writing the index.", {
    hint: "Wait for it to finish and run the command again.",
  });
}
