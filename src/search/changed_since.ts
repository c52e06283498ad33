/** Beside a conversation: how many of the files it edited have changed since, where that can be known cheaply. */
import { existsSync } from "node:fs";
import type { Dex } from "../dex.ts";
import { ChangedSince } from "../history/since.ts";

import type { ConversationRow } from "../store/ports.ts";

/** A longer list is for a program, which does not read it. */
const MOST_ROWS = 50;

/** The rows are those of the items, in the same order. */
export function withChanges<T extends object>(
  dex: Dex,
  items: readonly T[],
  rows: readonly ConversationRow[],
): (T & { changed_since?: { files: number; of: number } | undefined })[] {
  if (items.length > MOST_ROWS) return [...items];
  const since = new ChangedSince(dex.paths.history);
  try {
    return items.map((item, i) => {
      const row = rows[i];
      if (!row?.project || !existsSync(row.project)) return item;
      const changed = since.of(row, dex.store.files(row.no));
      return changed ? { ...item, changed_since: changed } : item;
    });
  } finally {
    since.close();
  }
}
