/**
 * Checks a rebuildable database for damage. SQLite's own check covers the structure of the file; beyond it dex decodes
 * every block of the term index and every vector, and compares the checksums of blocks and rows.
 */
import type { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { diskError } from "../../kernel/files/atomic_write.ts";
import { CODE } from "./code/schema.ts";
import { isCorruption, quickCheck } from "./database.ts";
import { DOCUMENTS } from "./documents/schema.ts";
import { HISTORY } from "./history/schema.ts";
import { checkRows } from "./index/row_checksums.ts";
import { INDEX } from "./index/schema.ts";
import { checkOrders } from "./index/word_orders.ts";
import { corruptDatabase, openUsable, type RebuildableDatabase } from "./rebuildable.ts";
import { checkSegments } from "./texts/segment_check.ts";

export type RebuildableName = "index" | "documents" | "code" | "history";

const KINDS: Readonly<Record<RebuildableName, RebuildableDatabase>> = {
  index: INDEX,
  documents: DOCUMENTS,
  code: CODE,
  history: HISTORY,
};

/** Larger than any text that a sync accepts. */
const MAX_TEXT_BYTES = 1 << 30;

export interface DatabaseCheck {
  state: "sound" | "missing" | "outdated" | "damaged";
  /** The damage that was found. */
  found?: string;
}

/** Reads the whole database. An error of the disk or of permissions is thrown as one sentence. */
export function checkDatabase(path: string, name: RebuildableName): DatabaseCheck {
  const { database, state } = openUsable(KINDS[name], path);
  if (state === "corrupt") return { state: "damaged", found: "it cannot be opened as a database" };
  if (!database) return { state: state === "outdated" ? "outdated" : "missing" };
  try {
    const answer = quickCheck(database);
    if (answer !== "ok") return { state: "damaged", found: answer };
    const prepare = (sql: string): ReturnType<DatabaseSync["prepare"]> => database.prepare(sql);
    if (name !== "history") checkSegments(database, prepare);
    if (name === "index") {
      checkRows(prepare);
      checkOrders(prepare);
    }
    if (name === "documents") checkTexts(database);
    if (name === "code") checkJson(database);
    return { state: "sound" };
  } catch (error) {
    const failure = diskError(error, path);
    // A damaged page may also yield values that no reader expects: any failure here is damage, unless the disk fails.
    if (failure instanceof DexError && !isCorruption(error)) throw failure;
    return { state: "damaged", found: errorMessage(error) };
  } finally {
    database.close();
  }
}

export function damagedDatabase(path: string, name: RebuildableName, cause?: unknown): DexError {
  return corruptDatabase(KINDS[name], path, cause);
}

function checkTexts(database: DatabaseSync): void {
  for (const { text } of database.prepare("SELECT text FROM texts").iterate()) {
    if (text instanceof Uint8Array) zstdDecompressSync(text, { maxOutputLength: MAX_TEXT_BYTES });
  }
}

function checkJson(database: DatabaseSync): void {
  for (const row of database.prepare("SELECT outside, inside FROM facts").iterate()) {
    JSON.parse(String(row.outside));
    JSON.parse(String(row.inside));
  }
}
