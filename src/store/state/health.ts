/** Whether state.db can be used: a cheap check before an answer, and a complete one for `dex doctor`. */
import { accessSync, constants } from "node:fs";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { diskError } from "../../kernel/files/atomic_write.ts";
import { isCorruption, openReadOnly, quickCheck } from "../sqlite/database.ts";
import { STATE_VERSION, stateTables } from "../sqlite/state/state.ts";
import { isBlank, listBackups } from "./backups.ts";

/**
 * Reads the first page: damage in the middle of the file surfaces in the query that reads it. SQLite reads it, because
 * closing any other descriptor of the file would drop this process's locks on it.
 */
export function hasHeader(statePath: string): boolean {
  try {
    openReadOnly(statePath).close();
    return true;
  } catch (error) {
    if (isCorruption(error)) return false;
    throw new DexError(
      "cannot_open",
      `${statePath} cannot be read (${deniedCode(statePath) ?? errorMessage(error)}).`,
      {
        hint: "Check its permissions and those of its folder, or set DEX_HOME to another folder.",
        cause: error,
      },
    );
  }
}

/** The system's code, where it does not let this process read the file: SQLite says only that it cannot open it. */
function deniedCode(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return systemCode(error);
  }
}

export interface StateCheck {
  /** Lost: missing or empty, although there are copies of it. */
  state: "sound" | "missing" | "lost" | "damaged" | "newer";
  found?: string;
}

/** Reads the whole file. */
export function checkState(statePath: string): StateCheck {
  if (isBlank(statePath)) return { state: listBackups(statePath).length > 0 ? "lost" : "missing" };
  let database: ReturnType<typeof openReadOnly> | undefined;
  try {
    database = openReadOnly(statePath);
    const answer = quickCheck(database);
    if (answer !== "ok") return { state: "damaged", found: answer };
    const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    if (version === 0) return { state: "damaged", found: "it has no tables" };
    if (version > STATE_VERSION) return { state: "newer" };
    const known = new Set(stateTables(version));
    for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
      known.delete(String(name));
    }
    if (known.size > 0) return { state: "damaged", found: `tables are missing: ${[...known].join(", ")}` };
    return { state: "sound" };
  } catch (error) {
    const failure = diskError(error, statePath);
    if (failure instanceof DexError && !isCorruption(error)) throw failure;
    return { state: "damaged", found: errorMessage(error) };
  } finally {
    if (database?.isOpen) database.close();
  }
}
