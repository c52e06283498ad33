/**
 * Rows of the index have a CRC-32 of their values. SQLite itself detects only damage to the structure of a file: a bit
 * that flips inside a text or a number changes answers silently. `dex doctor` compares the checksums.
 */
import { crc32 } from "node:zlib";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import type { Prepare } from "../connection.ts";
import type { SqlValue } from "./rows.ts";

/** In the order in which the writer gives their values. */
export const MESSAGE_COLUMNS = "role, time, tokens, tokens_stripped, tokens_user, hash, usage_hash, head";
export const ENTRY_COLUMNS: readonly string[] = (
  "source id title project branch model created updated messages tokens tokens_stripped tokens_user parent parent_kind " +
  "family meta origin archive archive_bytes"
).split(" ");

export function rowChecksum(values: readonly SqlValue[]): number {
  return crc32(values.join("\0"));
}

/** Throws at the first row of the index whose values differ from the written ones. */
export function checkRows(prepare: Prepare): void {
  for (const [table, columns] of [
    ["messages", MESSAGE_COLUMNS],
    ["conversations", ENTRY_COLUMNS.join(", ")],
  ]) {
    for (const row of prepare(`SELECT ${columns}, checksum FROM ${table}`).iterate()) {
      const { checksum, ...values } = row;
      if (rowChecksum(Object.values(values) as SqlValue[]) !== Number(checksum)) {
        throw new DamagedBlock(`the checksum of a row of ${table} does not match`);
      }
    }
  }
}
