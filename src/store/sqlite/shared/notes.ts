/** Notes and decisions of the team in the cache: they are read without a connection, also by hooks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../../kernel/json.ts";
import type { CachedNote, SharedNote } from "../../shared/notes.ts";
import type { Prepare } from "../connection.ts";
import { openRebuildable } from "../rebuildable.ts";
import { CACHE } from "./schema.ts";

export const CACHE_FILE = "cache.db";

export function writeNotes(prepare: Prepare, bucket: number, notes: readonly SharedNote[]): void {
  prepare("DELETE FROM shared_notes WHERE bucket = ?").run(bucket);
  const insert = prepare(
    "INSERT OR REPLACE INTO shared_notes (bucket, owner, own, kind, id, body, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  for (const { owner, own, kind, id, body, at } of notes) {
    insert.run(bucket, owner, own ? 1 : 0, kind, id, JSON.stringify(body), at);
  }
}

/** The notes of other members, the latest first; none if the server was last contacted before `checked`. */
export function readSharedNotes(folder: string, checked: number): CachedNote[] {
  const path = join(folder, CACHE_FILE);
  if (!existsSync(path)) return [];
  const { database } = openRebuildable(CACHE, path, "read");
  try {
    const last = database.prepare("SELECT value FROM meta WHERE key = 'checked'").get()?.value;
    if (last === undefined || Number(last) < checked) return [];
    return database
      .prepare(
        "SELECT b.scope, n.owner, n.kind, n.id, n.body, n.at FROM shared_notes n JOIN buckets b USING (bucket) WHERE n.own = 0 ORDER BY n.at DESC, n.owner, n.id",
      )
      .all()
      .map((row) => ({
        scope: String(row.scope),
        owner: String(row.owner),
        kind: String(row.kind),
        id: String(row.id),
        body: parseJson(String(row.body)),
        at: Number(row.at),
      }));
  } finally {
    database.close();
  }
}
