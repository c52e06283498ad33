/**
 * What agents' sessions were told without asking, so that each hears a thing once. With it a hash of what was said: a
 * thing that says something else by now is new again.
 */
import type { DatabaseSync } from "node:sqlite";
import { atOnce } from "../connection.ts";

export const PUSHED_TABLE = `CREATE TABLE pushed (
     session TEXT NOT NULL,
     entity TEXT NOT NULL,
     hash TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (session, entity)
   ) WITHOUT ROWID;
   CREATE INDEX pushed_at ON pushed (at)`;

export interface PushedItem {
  entity: string;
  /** Of what is said about it. */
  hash: string;
}

/** A session that was silent for so long is told again. */
const LONGEST_KEPT = 30 * 86_400_000;
/** Things kept of one session, and of all; the oldest go first. */
const MOST_OF_SESSION = 2000;
const MOST = 200_000;

export class PushedItems {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** By entity. */
  of(session: string): Map<string, { hash: string; at: number }> {
    const rows = this.#database.prepare("SELECT entity, hash, at FROM pushed WHERE session = ?").all(session);
    return new Map(rows.map((row) => [String(row.entity), { hash: String(row.hash), at: Number(row.at) }]));
  }

  /**
   * Notes what is about to be told and returns what nobody has told this session yet. Hooks of one session run at the
   * same time: who writes first tells. The subject is what they are about, noted as told now.
   */
  claim<T extends PushedItem>(session: string, items: readonly T[], now: number, subject?: string): T[] {
    const insert = this.#database.prepare(
      `INSERT INTO pushed (session, entity, hash, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET hash = excluded.hash, at = excluded.at WHERE hash <> excluded.hash`,
    );
    return atOnce(this.#database, () => {
      const claimed = items.filter(({ entity, hash }) => insert.run(session, entity, hash, now).changes > 0);
      if (subject !== undefined) {
        this.#database
          .prepare("INSERT OR REPLACE INTO pushed (session, entity, hash, at) VALUES (?, ?, '', ?)")
          .run(session, subject, now);
      }
      this.#prune(session, now);
      return claimed;
    });
  }

  /** The session no longer has what it was told. */
  reset(session: string): void {
    this.#database.prepare("DELETE FROM pushed WHERE session = ?").run(session);
  }

  /** A fork begins with what its parent was told. */
  copy(from: string, to: string): void {
    this.#database
      .prepare("INSERT OR IGNORE INTO pushed SELECT ?2, entity, hash, at FROM pushed WHERE session = ?1")
      .run(from, to);
  }

  #prune(session: string, now: number): void {
    // A clock that was set back leaves rows of the future; they are as old as those of the past.
    this.#database.prepare("DELETE FROM pushed WHERE at < ? OR at > ?").run(now - LONGEST_KEPT, now + LONGEST_KEPT);
    this.#database
      .prepare(
        `DELETE FROM pushed WHERE session = ?1 AND entity IN
         (SELECT entity FROM pushed WHERE session = ?1 ORDER BY at DESC, entity LIMIT -1 OFFSET ?2)`,
      )
      .run(session, MOST_OF_SESSION);
    const all = Number(this.#database.prepare("SELECT count(*) AS n FROM pushed").get()?.n ?? 0);
    if (all <= MOST) return;
    this.#database
      .prepare("DELETE FROM pushed WHERE at <= (SELECT at FROM pushed ORDER BY at DESC LIMIT 1 OFFSET ?)")
      .run(MOST);
  }
}
