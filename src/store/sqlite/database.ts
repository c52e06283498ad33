/** SQLite files of any kind: opening one read-only, recognising damage, removing one. */
import { rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  SQLITE_CANTOPEN,
  SQLITE_CORRUPT,
  SQLITE_IOERR,
  SQLITE_NOTADB,
  SQLITE_READONLY,
  sqliteCode,
} from "../../kernel/errors.ts";
import { isDiskFull } from "../../kernel/files/atomic_write.ts";
import { lockTimeout } from "../../kernel/lock_timeout.ts";
import { DamagedBlock } from "../../ranking/terms/damage.ts";

/**
 * If the folder is not writable, or the disk is full, SQLite cannot share its log: dex then reads the file as immutable. On
 * a full disk others may write to the log, so dex does this only if there is none.
 */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockTimeout(5000) });
  try {
    database.prepare("PRAGMA user_version").get();
    return database;
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    const isFull = code === SQLITE_IOERR && isDiskFull(path) && !hasLog(path);
    if (code !== SQLITE_READONLY && code !== SQLITE_CANTOPEN && !isFull) throw error;
    const immutable = pathToFileURL(path);
    immutable.searchParams.set("immutable", "1");
    return new DatabaseSync(immutable, { readOnly: true });
  }
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}

/** The project folder that a database of code or history belongs to, whatever version wrote it; undefined: unknown. */
export function rootOfDatabase(path: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    const root = database.prepare("SELECT value FROM meta WHERE key = 'root'").get()?.value;
    return typeof root === "string" && root !== "" ? root : undefined;
  } catch {
    return undefined;
  } finally {
    if (database?.isOpen) database.close();
  }
}

/** Whether an error means that a database's content is damaged: by SQLite's result code, never by its text. */
export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB || error instanceof DamagedBlock;
}

/** `ok`, or the first problem found. */
export function quickCheck(database: DatabaseSync): string {
  const row = database.prepare("PRAGMA quick_check(1)").get();
  return String(row?.quick_check ?? "no answer").replace(/^\*\*\* in database main \*\*\*\s*/, "");
}
