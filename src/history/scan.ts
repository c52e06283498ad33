/**
 * Incremental scans over the conversations of a repository: unchanged conversations are skipped. A changed conversation
 * is scanned again as a whole, so the result does not depend on the time of the scans.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../conversations/model.ts";
import { systemCode } from "../kernel/errors.ts";
import { diskError } from "../kernel/files/atomic_write.ts";
import { acquireLock } from "../kernel/lock.ts";
import { openHistoryWriter } from "../store/engine/history_writer.ts";
import type { HistoryReader, HistoryWriter } from "../store/history.ts";
import type { TrailConversation } from "../store/trails.ts";

export type LoadConversation = (row: TrailConversation) => Iterable<{ index: number; message: Message }>;

export interface ConversationScan {
  /** The name of the scan: each one has its own cursors. */
  kind: string;
  /** Removes the earlier findings of a conversation. */
  drop(writer: HistoryWriter, owner: string): void;
  take(writer: HistoryWriter, row: TrailConversation, messages: Iterable<{ index: number; message: Message }>): void;
}

export function ownerOf(row: { source: string; id: string }): string {
  return `${row.source}:${row.id}`;
}

/** Conversations that need a scan, and owners that no longer exist. */
export function pendingScan(
  reader: HistoryReader,
  kind: string,
  rows: readonly TrailConversation[],
): { changed: TrailConversation[]; gone: string[] } {
  const marks = reader.marks(kind);
  const changed = rows.filter((row) => {
    const mark = marks.get(ownerOf(row));
    return !mark || mark.messages !== row.messages || mark.bytes !== row.archive_bytes;
  });
  const here = new Set(rows.map(ownerOf));
  return { changed, gone: [...marks.keys()].filter((owner) => !here.has(owner)) };
}

export function runScan(
  writer: HistoryWriter,
  scan: ConversationScan,
  rows: readonly TrailConversation[],
  load: LoadConversation,
  progress?: (done: number, total: number) => void,
): void {
  const { changed, gone } = pendingScan(writer, scan.kind, rows);
  for (const owner of gone) {
    scan.drop(writer, owner);
    writer.removeMark(scan.kind, owner);
  }
  for (const [i, row] of changed.entries()) {
    const owner = ownerOf(row);
    scan.drop(writer, owner);
    scan.take(writer, row, load(row));
    writer.setMark(scan.kind, { owner, messages: row.messages, bytes: row.archive_bytes });
    if (i % 50 === 49) writer.commit();
    progress?.(i + 1, changed.length);
  }
  writer.commit();
}

/**
 * Removes the findings of these conversations from every history and returns their number; `dry` only counts. False if
 * another process holds the lock of a history.
 */
export function forgetInHistories(
  folder: string,
  owners: readonly string[],
  quotes: (text: string) => boolean,
  dry: boolean,
): number | false {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".db"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw diskError(error, folder);
  }
  let count = 0;
  for (const name of names) {
    const lock = acquireLock(join(folder, name.replace(/\.db$/, ".lock")), 30_000);
    if (!lock) return false;
    try {
      const writer = openHistoryWriter(join(folder, name));
      try {
        for (const owner of owners) count += writer.forget(owner);
        writer.forgetKept(quotes);
        // Also if nothing is left to remove: an earlier run may have been killed before it rewrote the file.
        if (!dry) writer.purge();
      } finally {
        writer.close();
      }
    } finally {
      lock.release();
    }
  }
  return count;
}
