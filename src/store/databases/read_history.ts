/** Reads a stored history where an answer is possible without it. */
import { existsSync } from "node:fs";
import { DexError, sqliteCode } from "../../kernel/errors.ts";
import { openHistory } from "../engine/history.ts";
import type { HistoryReader } from "../history.ts";
import type { OpenDatabases } from "./open_databases.ts";

/** Undefined if the history is missing or damaged; a verb that cannot answer without it repairs it. */
export function readHistory<T>(
  histories: OpenDatabases<HistoryReader>,
  path: string,
  read: (history: HistoryReader) => T,
): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return read(histories.get(path, () => openHistory(path)));
  } catch (error) {
    if (!(error instanceof DexError) && sqliteCode(error) === undefined) throw error;
    return undefined;
  }
}
