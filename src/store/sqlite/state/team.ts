/** The knowledge of this machine about its team. Ids and numbers only: no text of conversations. */
import type { DatabaseSync } from "node:sqlite";
import type { PushedConversation, Share, TeamNotes } from "../../state/team.ts";
import { inTransaction } from "../connection.ts";

export const TEAM_TABLES = `CREATE TABLE team_shares (
     scope TEXT PRIMARY KEY,
     root TEXT NOT NULL,
     at INTEGER NOT NULL,
     opens INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE team_pushed (
     source TEXT NOT NULL,
     id TEXT NOT NULL,
     scope TEXT NOT NULL,
     branch TEXT NOT NULL,
     generation INTEGER NOT NULL,
     local_bytes INTEGER NOT NULL,
     tail TEXT NOT NULL,
     team_bytes INTEGER NOT NULL,
     chain TEXT NOT NULL,
     rules TEXT NOT NULL,
     held TEXT,
     PRIMARY KEY (source, id)
   ) WITHOUT ROWID;
   CREATE TABLE team_objections (
     source TEXT NOT NULL,
     id TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (source, id)
   ) WITHOUT ROWID;
   CREATE TABLE team_forgets (
     source TEXT NOT NULL,
     id TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (source, id)
   ) WITHOUT ROWID;
   CREATE TABLE team_values (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`;

export class SqliteTeamNotes implements TeamNotes {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  shares(): Share[] {
    return this.#database
      .prepare("SELECT scope, root, at, opens FROM team_shares ORDER BY scope")
      .all()
      .map((row) => ({
        scope: String(row.scope),
        root: String(row.root),
        at: Number(row.at),
        opens: Number(row.opens),
      }));
  }

  share({ scope, root, at, opens }: Share): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO team_shares (scope, root, at, opens) VALUES (?, ?, ?, ?)")
      .run(scope, root, at, opens);
  }

  unshare(scope: string): boolean {
    return inTransaction(this.#database, () => {
      this.#database.prepare("DELETE FROM team_pushed WHERE scope = ?").run(scope);
      return this.#database.prepare("DELETE FROM team_shares WHERE scope = ?").run(scope).changes > 0;
    });
  }

  pushed(): PushedConversation[] {
    return this.#database
      .prepare("SELECT * FROM team_pushed")
      .all()
      .map((row) => ({
        source: String(row.source),
        id: String(row.id),
        scope: String(row.scope),
        branch: String(row.branch),
        generation: Number(row.generation),
        localBytes: Number(row.local_bytes),
        tail: String(row.tail),
        teamBytes: Number(row.team_bytes),
        chain: String(row.chain),
        rules: String(row.rules),
        held: row.held === null ? null : String(row.held),
      }));
  }

  setPushed(rows: readonly PushedConversation[]): void {
    const insert = this.#database.prepare(
      `INSERT OR REPLACE INTO team_pushed (source, id, scope, branch, generation, local_bytes, tail, team_bytes, chain,
       rules, held) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    inTransaction(this.#database, () => {
      for (const row of rows) {
        const { source, id, scope, branch, generation, localBytes, tail, teamBytes, chain, rules, held } = row;
        insert.run(source, id, scope, branch, generation, localBytes, tail, teamBytes, chain, rules, held);
      }
    });
  }

  dropPushed(source: string, id: string): void {
    this.#database.prepare("DELETE FROM team_pushed WHERE source = ? AND id = ?").run(source, id);
  }

  restart(source: string, id: string, generation: number): void {
    this.#database
      .prepare(
        `UPDATE team_pushed SET generation = ?, local_bytes = 0, tail = '', team_bytes = 0, chain = '', held = NULL
         WHERE source = ? AND id = ?`,
      )
      .run(generation, source, id);
  }

  objections(): { source: string; id: string }[] {
    return this.#named("team_objections");
  }

  object(source: string, id: string, at: number): void {
    this.#database.prepare("INSERT OR REPLACE INTO team_objections VALUES (?, ?, ?)").run(source, id, at);
  }

  allow(source: string, id: string): boolean {
    const gone = this.#database.prepare("DELETE FROM team_objections WHERE source = ? AND id = ?").run(source, id);
    return gone.changes > 0;
  }

  forgets(): { source: string; id: string }[] {
    return this.#named("team_forgets");
  }

  queueForget(source: string, id: string, at: number): void {
    inTransaction(this.#database, () => {
      this.#database.prepare("INSERT OR REPLACE INTO team_forgets VALUES (?, ?, ?)").run(source, id, at);
      this.#database.prepare("DELETE FROM team_objections WHERE source = ? AND id = ?").run(source, id);
      this.dropPushed(source, id);
    });
  }

  forgotOnServer(source: string, id: string): void {
    this.#database.prepare("DELETE FROM team_forgets WHERE source = ? AND id = ?").run(source, id);
  }

  version(): number {
    return Number(this.#database.prepare("PRAGMA data_version").get()?.data_version);
  }

  value(key: string): string | undefined {
    const row = this.#database.prepare("SELECT value FROM team_values WHERE key = ?").get(key);
    return row === undefined ? undefined : String(row.value);
  }

  setValue(key: string, value: string): void {
    this.#database.prepare("INSERT OR REPLACE INTO team_values VALUES (?, ?)").run(key, value);
  }

  clear(): void {
    this.#database.exec(
      "DELETE FROM team_shares; DELETE FROM team_pushed; DELETE FROM team_objections; DELETE FROM team_values",
    );
  }

  #named(table: "team_objections" | "team_forgets"): { source: string; id: string }[] {
    return this.#database
      .prepare(`SELECT source, id FROM ${table} ORDER BY source, id`)
      .all()
      .map((row) => ({ source: String(row.source), id: String(row.id) }));
  }
}
