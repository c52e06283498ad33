/**
 * A lock between processes, for one writer at a time. The operating system holds the lock (through SQLite's file
 * locking), so a killed process never leaves a lock behind, and no heartbeat is needed.
 */

import { lstatSync, rmSync, statSync, truncateSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_BUSY, SQLITE_LOCKED, sqliteCode } from "./errors.ts";
import { diskError, ensurePrivateFile } from "./files/atomic_write.ts";

export interface Lock {
  release(): void;
}

/** The lock, or undefined when another process still holds it after `waitMs`. */
export function acquireLock(path: string, waitMs: number): Lock | undefined {
  // Emptying a link would empty the file that it leads to.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path, { force: true });
  ensurePrivateFile(path);
  // A lock file is empty. One with content is damaged; emptying it does not affect the locks on it.
  if (statSync(path).size > 0) truncateSync(path, 0);
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { timeout: waitMs });
  } catch (error) {
    throw diskError(error, path);
  }
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    if (code === SQLITE_BUSY || code === SQLITE_LOCKED) return undefined;
    throw diskError(error, path);
  }
  return {
    release: () => {
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
