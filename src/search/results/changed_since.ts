/** Adds to conversations how many of their edited files have changed since, if that is cheap to find out. */
import { existsSync } from "node:fs";
import type { Dex } from "../../dex.ts";
import { ChangedSince } from "../../history/since.ts";
import { openHistories } from "../../store/databases/open_databases.ts";
import type { ConversationRow } from "../../store/ports.ts";

/** Longer lists are for programs, which do not need this field. */
const MAX_ROWS = 50;

/** `rows` are the rows of `items`, in the same order. */
export function withChanges<T extends object>(
  dex: Dex,
  items: readonly T[],
  rows: readonly ConversationRow[],
): (T & { changed_since?: { files: number; of: number } | undefined })[] {
  if (items.length > MAX_ROWS) return [...items];
  const since = new ChangedSince(dex.paths.history, dex.caches.of(openHistories));
  return items.map((item, i) => {
    const row = rows[i];
    if (!row?.project || !existsSync(row.project)) return item;
    const changed = since.of(row, dex.store.files(row.no, "edited"));
    return changed ? { ...item, changed_since: changed } : item;
  });
}
