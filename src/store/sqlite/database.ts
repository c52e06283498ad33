/** Opening the index: version check, pragmas, and plain words for what can be wrong with the file. */
import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  DexError,
  SQLITE_CANTOPEN,
  SQLITE_CORRUPT,
  SQLITE_NOTADB,
  SQLITE_READONLY,
  sqliteCode,
} from "../../kernel/errors.ts";
import { diskError, ensurePrivateFile } from "../../kernel/files.ts";
import { patience } from "../../kernel/lock_timeout.ts";
import { DamagedBlock } from "../../ranking/terms/postings.ts";
import { INDEX_VERSION, SCHEMA } from "./index/schema.ts";

/** A database that can be made anew from elsewhere: its tables, their version, and how it is made. */
export interface Derived {
  version: number;
  schema: string;
  /** The hint where it is damaged. */
  remedy: string;
  /** Whoever writes it fills an empty one by itself: a damaged file is then replaced without a word. */
  refills?: true;
}

export const INDEX: Derived = {
  version: INDEX_VERSION,
  schema: SCHEMA,
  remedy: "Run `dex doctor --fix`: it rebuilds the index from the archive. Nothing is lost.",
};

export type IndexState = "ready" | "missing" | "outdated" | "corrupt";

/** Opens for reading; undefined when there is no index that this version can read. */
export function openForReading(
  path: string,
  kind: Derived = INDEX,
): { database: DatabaseSync | undefined; state: IndexState } {
  if (!existsSync(path)) return { database: undefined, state: "missing" };
  let database: DatabaseSync | undefined;
  try {
    const opened = openReadable(path, kind);
    database = opened.database;
    if (opened.state === "ready") {
      database.exec("PRAGMA cache_size = -32000; PRAGMA mmap_size = 67108864; PRAGMA temp_store = MEMORY");
      return opened;
    }
    database.close();
    return { database: undefined, state: opened.state };
  } catch (error) {
    if (database?.isOpen) database.close();
    if (isCorruption(error)) return { database: undefined, state: "corrupt" };
    throw diskError(error, path);
  }
}

function openReadable(path: string, kind: Derived): { database: DatabaseSync; state: IndexState } {
  const database = openReadOnly(path);
  try {
    return { database, state: checkVersion(database, kind) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** In a folder that cannot be written SQLite cannot share its log: there the file is read as it lies. */
export function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: patience(5000) });
  try {
    database.prepare("PRAGMA user_version").get();
    return database;
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    if (code !== SQLITE_READONLY && code !== SQLITE_CANTOPEN) throw error;
    const asItLies = pathToFileURL(path);
    asItLies.searchParams.set("immutable", "1");
    return new DatabaseSync(asItLies, { readOnly: true });
  }
}

/** Opens for writing, creating or replacing what cannot be used. The caller holds the writer's lock. */
export function openForWriting(path: string, kind: Derived = INDEX): { database: DatabaseSync; created: boolean } {
  const { database: usable, state } = openForReading(path, kind);
  usable?.close();
  if (state === "corrupt" && !kind.refills) throw corruptIndex(path, undefined, kind);
  if (state === "outdated" || state === "corrupt") removeDatabase(path);
  ensurePrivateFile(path);
  try {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384");
    database.exec("PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864");
    if (state === "ready") return { database, created: false };
    database.exec(`BEGIN; ${kind.schema} PRAGMA user_version = ${kind.version}; COMMIT`);
    return { database, created: true };
  } catch (error) {
    throw diskError(error, path);
  }
}

export function corruptIndex(path: string, cause?: unknown, kind: Derived = INDEX): DexError {
  return new DexError("corrupt_index", `${path} is damaged.`, {
    hint: kind.remedy,
    cause,
  });
}

export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}

/** The folder that a database of code or of a history is about, whatever version wrote it; undefined: it does not say. */
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

/** Whether the error says that a database's content is damaged; told by SQLite's result code, never by its text. */
export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB || error instanceof DamagedBlock;
}

/** `ok`, or the first thing that is wrong. */
export function quickCheck(database: DatabaseSync): string {
  const row = database.prepare("PRAGMA quick_check(1)").get();
  return String(row?.quick_check ?? "no answer").replace(/^\*\*\* in database main \*\*\*\s*/, "");
}

function checkVersion(database: DatabaseSync, kind: Derived): IndexState {
  const row = database.prepare("PRAGMA user_version").get();
  const version = Number(row?.user_version ?? 0);
  if (version === 0) return "missing";
  if (version !== kind.version) return "outdated";
  // A damaged first page may still open, as a database without tables.
  const tables = database.prepare("SELECT count(*) n FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").get();
  return Number(tables?.n ?? 0) >= tableCount(kind) ? "ready" : "corrupt";
}

function tableCount({ schema }: Derived): number {
  return schema.split("CREATE TABLE ").length - 1;
}
