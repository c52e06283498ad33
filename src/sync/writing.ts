/** Opens the index for writing: under the lock, repaired after a crash, rebuilt if missing or of another version. */
import { existsSync, rmSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files.ts";
import type { IndexWriter } from "../store/ports.ts";
import { openForReading, openForWriting } from "../store/sqlite/database.ts";
import { SqliteWriter } from "../store/sqlite/index/writer.ts";
import { type LockedDatabase, replaceLocked, writeLocked } from "../store/sqlite/writing.ts";
import { rebuildAll, reconcile } from "./rebuild.ts";

export interface SyncPlaces {
  index: string;
  archive: string;
  lock: string;
  running: string;
  /** File of the embedding model; undefined: no vectors. */
  model?: string;
}

/** Undefined: another process holds the lock. */
export async function withWriter<T>(
  request: { places: SyncPlaces; waitMs: number; now: () => number },
  use: (writer: IndexWriter) => Promise<T> | T,
): Promise<T | undefined> {
  const { places } = request;
  let crashed = false;
  let created = false;
  const open = (): SqliteWriter => {
    crashed = existsSync(places.running);
    writeFileAtomic(places.running, JSON.stringify({ pid: process.pid, since: new Date(request.now()).toISOString() }));
    const opened = openForWriting(places.index);
    created = opened.created;
    return new SqliteWriter(opened.database);
  };
  return writeLocked(lockedIndex(places, request.waitMs), open, async (writer) => {
    if (created) rebuildAll(writer, places);
    else if (crashed) reconcile(writer, places);
    const result = await use(writer);
    // Commit first: until then a kill must be detected.
    writer.commit();
    rmSync(places.running, { force: true });
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
    (path) => new SqliteWriter(openForWriting(path).database),
    (writer) => {
      const { database: old } = openForReading(places.index);
      old?.close();
      // First, so a repaired conversation can have its container read again.
      if (old) writer.copyContainers(places.index);
      rebuildAll(writer, places, progress);
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
