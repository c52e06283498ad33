/** Opening the index: version check, pragmas, and plain words for what can be wrong with the file. */
import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { diskError, ensurePrivateFile } from "../../kernel/files.ts";
import { INDEX_VERSION, SCHEMA } from "./schema.ts";

export type IndexState = "ready" | "missing" | "outdated" | "corrupt";

/** Opens for reading; undefined when there is no index that this version can read. */
export function openForReading(path: string): { database: DatabaseSync | undefined; state: IndexState } {
  if (!existsSync(path)) return { database: undefined, state: "missing" };
  let database: DatabaseSync | undefined;
  try {
    const opened = openReadable(path);
    database = opened.database;
    if (opened.state === "ready") {
      database.exec("PRAGMA cache_size = -32000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY");
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

/** In a folder that cannot be written SQLite cannot share its log: there the file is read as it lies. */
function openReadable(path: string): { database: DatabaseSync; state: IndexState } {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return { database, state: checkVersion(database) };
  } catch (error) {
    database.close();
    if (!/readonly|unable to open/i.test(errorMessage(error))) throw error;
    const asItLies = pathToFileURL(path);
    asItLies.searchParams.set("immutable", "1");
    const still = new DatabaseSync(asItLies, { readOnly: true });
    return { database: still, state: checkVersion(still) };
  }
}

/** Opens for writing, creating or replacing what cannot be used. The caller holds the writer's lock. */
export function openForWriting(path: string): { database: DatabaseSync; created: boolean } {
  const { database: usable, state } = openForReading(path);
  usable?.close();
  if (state === "corrupt") {
    throw corruptIndex(path);
  }
  if (state === "outdated") removeDatabase(path);
  ensurePrivateFile(path);
  try {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384");
    database.exec("PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864");
    if (state === "ready") return { database, created: false };
    database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${INDEX_VERSION}; COMMIT`);
    return { database, created: true };
  } catch (error) {
    throw diskError(error, path);
  }
}

export function corruptIndex(path: string, cause?: unknown): DexError {
  return new DexError("corrupt_index", `${path} is damaged.`, {
    hint: "Run `dex doctor --fix`: it rebuilds the index from the archive. Nothing is lost.",
    cause,
  });
}

export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}

export function isCorruption(error: unknown): boolean {
  return /not a database|malformed|corrupt|disk i\/o error|vtable constructor failed/i.test(errorMessage(error));
}

function checkVersion(database: DatabaseSync): IndexState {
  const row = database.prepare("PRAGMA user_version").get();
  const version = Number(row?.user_version ?? 0);
  if (version === INDEX_VERSION) return "ready";
  return version === 0 ? "missing" : "outdated";
}
