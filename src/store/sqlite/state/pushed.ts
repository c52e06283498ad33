/**
 * The items that hooks pushed to agents' sessions: each session gets an item once. A hash of the text goes with it: an
 * item with a changed text is new again.
 */
import type { DatabaseSync } from "node:sqlite";
import type { PushedItem, PushedItems } from "../../state/state.ts";
import { inTransaction } from "../connection.ts";

export const PUSHED_TABLE = `CREATE TABLE pushed (
     session TEXT NOT NULL,
     entity TEXT NOT NULL,
     hash TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (session, entity)
   ) WITHOUT ROWID;
   CREATE INDEX pushed_at ON pushed (at)`;

/** After this long without a push, a session gets its items again. */
const MAX_AGE_MS = 30 * 86_400_000;
/** Items stored per session, and in total; the oldest are dropped first. */
const MAX_ITEMS_PER_SESSION = 2000;
const MAX_ITEMS = 200_000;
/**
 * Looking for old rows at every push would cost more than keeping them, so dex looks at one push in this many. Times in
 * milliseconds serve as random numbers.
 */
const PRUNE_EVERY = 50;

export class SqlitePushedItems implements PushedItems {
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
   * Records the items about to be pushed and returns those that this session has not had. Hooks of one session run
   * concurrently: the first to write pushes. The subject of the items is recorded as pushed now.
   */
  claim<T extends PushedItem>(session: string, items: readonly T[], now: number, subject?: string): T[] {
    // Not worth waiting for the disk: after a power cut, a session may get an item twice.
    this.#database.exec("PRAGMA synchronous = NORMAL");
    try {
      return this.#claim(session, items, now, subject);
    } finally {
      this.#database.exec("PRAGMA synchronous = FULL");
    }
  }

  #claim<T extends PushedItem>(session: string, items: readonly T[], now: number, subject?: string): T[] {
    const insert = this.#database.prepare(
      `INSERT INTO pushed (session, entity, hash, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET hash = excluded.hash, at = excluded.at WHERE hash <> excluded.hash`,
    );
    return inTransaction(this.#database, () => {
      const claimed = items.filter(({ entity, hash }) => insert.run(session, entity, hash, now).changes > 0);
      if (subject !== undefined) {
        this.#database
          .prepare("INSERT OR REPLACE INTO pushed (session, entity, hash, at) VALUES (?, ?, '', ?)")
          .run(session, subject, now);
      }
      if (Math.floor(now) % PRUNE_EVERY === 0) this.#prune(session, now);
      return claimed;
    });
  }

  /** The session no longer has the items pushed to it. */
  reset(session: string): void {
    this.#database.prepare("DELETE FROM pushed WHERE session = ?").run(session);
  }

  /** A fork begins with the items of its parent. */
  copy(from: string, to: string): void {
    this.#database
      .prepare("INSERT OR IGNORE INTO pushed SELECT ?2, entity, hash, at FROM pushed WHERE session = ?1")
      .run(from, to);
  }

  #prune(session: string, now: number): void {
    // Rows in the future come from a clock that was set back; they count as old as those equally far in the past.
    this.#database.prepare("DELETE FROM pushed WHERE at < ? OR at > ?").run(now - MAX_AGE_MS, now + MAX_AGE_MS);
    this.#database
      .prepare(
        `DELETE FROM pushed WHERE session = ?1 AND entity IN
         (SELECT entity FROM pushed WHERE session = ?1 ORDER BY at DESC, entity LIMIT -1 OFFSET ?2)`,
      )
      .run(session, MAX_ITEMS_PER_SESSION);
    const all = Number(this.#database.prepare("SELECT count(*) AS n FROM pushed").get()?.n ?? 0);
    if (all <= MAX_ITEMS) return;
    this.#database
      .prepare("DELETE FROM pushed WHERE at <= (SELECT at FROM pushed ORDER BY at DESC LIMIT 1 OFFSET ?)")
      .run(MAX_ITEMS);
  }
}
