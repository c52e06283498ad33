/** One writer at a time, under its lock: into the existing database, or into a new one that then replaces it. */
import { renameSync } from "node:fs";
import { diskError } from "../../kernel/files/atomic_write.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { removeDatabase } from "./database.ts";

export interface LockedDatabase {
  path: string;
  lock: string;
  waitMs: number;
}

interface Writer {
  commit(): void;
  rollback(): void;
  close(): void;
}

/** Commits the changes of `use`, or none of its uncommitted ones. Undefined: another process holds the lock. */
export async function writeLocked<W extends Writer, T>(
  { path, lock: lockPath, waitMs }: LockedDatabase,
  open: () => W,
  use: (writer: W) => Promise<T> | T,
): Promise<T | undefined> {
  const lock = acquireLock(lockPath, waitMs);
  if (!lock) return undefined;
  try {
    const writer = open();
    try {
      const result = await use(writer);
      writer.commit();
      return result;
    } catch (error) {
      writer.rollback();
      throw diskError(error, path);
    } finally {
      writer.close();
    }
  } finally {
    lock.release();
  }
}

/** Builds a new database next to the old one and replaces it. Undefined: another process holds the lock. */
export async function replaceLocked<W extends Writer, T>(
  { path, lock: lockPath, waitMs }: LockedDatabase,
  open: (path: string) => W,
  build: (writer: W) => Promise<T> | T,
  replaced?: () => void,
): Promise<T | undefined> {
  const lock = acquireLock(lockPath, waitMs);
  if (!lock) return undefined;
  const building = `${path}.new`;
  try {
    removeDatabase(building);
    const writer = open(building);
    let result: T;
    try {
      result = await build(writer);
    } finally {
      writer.close();
    }
    removeDatabase(path);
    renameSync(building, path);
    replaced?.();
    return result;
  } catch (error) {
    throw diskError(error, path);
  } finally {
    removeDatabase(building);
    lock.release();
  }
}
