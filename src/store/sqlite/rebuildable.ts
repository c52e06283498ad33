/**
 * Opens a rebuildable database: one whose content dex can restore from elsewhere. A reader gets an empty database if
 * there is none that this version can read; a writer gets a new one. Only damage is an error.
 */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DexError } from "../../kernel/errors.ts";
import { diskError, ensurePrivateFile } from "../../kernel/files/atomic_write.ts";
import { isCorruption, openReadOnly, removeDatabase } from "./database.ts";

/** A kind of rebuildable database: its tables, their version, and how to rebuild it. */
export interface RebuildableDatabase {
  version: number;
  schema: string;
  /** The hint of the error for damage. */
  remedy: string;
  /** Its writer fills an empty database again, so a damaged file is replaced without an error. */
  refills?: true;
  /** Its writer stores the version in its first commit. Until then the database counts as missing. */
  finishedByCommit?: true;
}

export type DatabaseState = "ready" | "missing" | "outdated" | "corrupt";

export interface OpenedForReading {
  /** Empty and in memory, unless the state is `ready`. */
  database: DatabaseSync;
  state: Exclude<DatabaseState, "corrupt">;
}

export interface OpenedForWriting {
  database: DatabaseSync;
  /** It is new and empty: there was none, or none that could be used. */
  created: boolean;
}

/** Throws `corrupt_index` if the file is damaged. A writer's caller holds the writer's lock. */
export function openRebuildable(kind: RebuildableDatabase, path: string, mode: "read"): OpenedForReading;
export function openRebuildable(kind: RebuildableDatabase, path: string, mode: "write"): OpenedForWriting;
export function openRebuildable(
  kind: RebuildableDatabase,
  path: string,
  mode: "read" | "write",
): OpenedForReading | OpenedForWriting {
  return mode === "read" ? openForReading(kind, path) : openForWriting(kind, path);
}

function openForReading(kind: RebuildableDatabase, path: string): OpenedForReading {
  const { database, state } = openUsable(kind, path);
  if (state === "corrupt") throw corruptDatabase(kind, path);
  return { database: database ?? emptyDatabase(kind), state };
}

/** An empty database in memory. */
export function emptyDatabase({ schema }: RebuildableDatabase): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(schema);
  return database;
}

function openForWriting(kind: RebuildableDatabase, path: string): OpenedForWriting {
  const { database: usable, state } = openUsable(kind, path);
  usable?.close();
  if (state === "corrupt" && !kind.refills) throw corruptDatabase(kind, path);
  const isUnfinished = state === "missing" && kind.finishedByCommit;
  if (state === "outdated" || state === "corrupt" || isUnfinished) removeDatabase(path);
  ensurePrivateFile(path);
  try {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096");
    database.exec("PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864");
    if (state === "ready") return { database, created: false };
    const version = kind.finishedByCommit ? 0 : kind.version;
    database.exec(`BEGIN; ${kind.schema} PRAGMA user_version = ${version}; COMMIT`);
    return { database, created: true };
  } catch (error) {
    throw diskError(error, path);
  }
}

/** The file opened for reading, if this version can read it; its state in any case. */
export function openUsable(
  kind: RebuildableDatabase,
  path: string,
): { database: DatabaseSync | undefined; state: DatabaseState } {
  if (!existsSync(path)) return { database: undefined, state: "missing" };
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(path);
    const state = stateOf(database, kind);
    if (state === "ready") {
      database.exec("PRAGMA cache_size = -8000; PRAGMA mmap_size = 33554432; PRAGMA temp_store = MEMORY");
      return { database, state };
    }
    database.close();
    return { database: undefined, state };
  } catch (error) {
    if (database?.isOpen) database.close();
    if (isCorruption(error)) return { database: undefined, state: "corrupt" };
    throw diskError(error, path);
  }
}

export function corruptDatabase({ remedy }: RebuildableDatabase, path: string, cause?: unknown): DexError {
  return new DexError("corrupt_index", `${path} is damaged.`, { hint: remedy, cause });
}

/** Whether this version of dex can read an opened database. */
export function stateOf(database: DatabaseSync, kind: RebuildableDatabase): DatabaseState {
  const row = database.prepare("PRAGMA user_version").get();
  const version = Number(row?.user_version ?? 0);
  if (version === 0) return "missing";
  if (version !== kind.version) return "outdated";
  // A damaged first page may still open, as a database without tables.
  const tables = database.prepare("SELECT count(*) n FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").get();
  return Number(tables?.n ?? 0) >= tableCount(kind) ? "ready" : "corrupt";
}

function tableCount({ schema }: RebuildableDatabase): number {
  return schema.split("CREATE TABLE ").length - 1;
}
