/** state.db: what the user made and no archive holds. It is migrated forward, never rebuilt. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DexError } from "../../kernel/errors.ts";
import { diskError, ensurePrivateFile } from "../../kernel/files.ts";
import { patience } from "../../kernel/patience.ts";
import { atOnce, wipeDeleted } from "./connection.ts";
import { DecisionNotes } from "./state_decisions.ts";
import { Deliveries } from "./state_deliveries.ts";
import { type Forgetting, type ForgottenInState, forgetInState } from "./state_forgetting.ts";
import { MEMORY_TABLES, MemoryNotes } from "./state_memory.ts";
import { PUSHED_TABLE, PushedItems } from "./state_pushed.ts";
import { SUBSCRIPTIONS, Subscriptions } from "./state_subscriptions.ts";
import { SUGGESTION_TABLES, SuggestionLog } from "./state_suggestions.ts";
import { TestNotes } from "./state_tests.ts";

/** Each step is applied once, in order; released steps are never edited. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE forgotten (
     source TEXT NOT NULL,
     id TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (source, id)
   ) WITHOUT ROWID`,
  `CREATE TABLE decisions (
     id TEXT NOT NULL,
     repository TEXT NOT NULL,
     text TEXT NOT NULL,
     because TEXT,
     alternatives TEXT NOT NULL,
     files TEXT NOT NULL,
     symbols TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (repository, id)
   ) WITHOUT ROWID;
   CREATE TABLE verdicts (
     id TEXT NOT NULL,
     repository TEXT NOT NULL,
     status TEXT NOT NULL,
     by TEXT,
     at INTEGER NOT NULL,
     PRIMARY KEY (repository, id)
   ) WITHOUT ROWID;
   CREATE TABLE test_results (
     repository TEXT NOT NULL,
     runner TEXT NOT NULL,
     file TEXT NOT NULL,
     name TEXT NOT NULL,
     status TEXT NOT NULL,
     message TEXT,
     total INTEGER,
     origin TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (repository, runner, file, name)
   ) WITHOUT ROWID`,
  SUGGESTION_TABLES,
  SUBSCRIPTIONS,
  MEMORY_TABLES,
  PUSHED_TABLE,
];

export class StateStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    ensurePrivateFile(path);
    try {
      this.#database = new DatabaseSync(path, { timeout: patience(10_000) });
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      this.#migrate(path);
    } catch (error) {
      throw diskError(error, path);
    }
  }

  get decisions(): DecisionNotes {
    return new DecisionNotes(this.#database);
  }

  get memory(): MemoryNotes {
    return new MemoryNotes(this.#database);
  }

  get tests(): TestNotes {
    return new TestNotes(this.#database);
  }

  get subscriptions(): Subscriptions {
    return new Subscriptions(this.#database);
  }

  get deliveries(): Deliveries {
    return new Deliveries(this.#database);
  }

  /** Nobody else writes while this is done, and it is done whole or not at all. */
  transaction<T>(work: () => T): T {
    return atOnce(this.#database, work);
  }

  /** Changes when another connection has written. Asking costs next to nothing. */
  version(): number {
    return Number(this.#database.prepare("PRAGMA data_version").get()?.data_version ?? 0);
  }

  get pushed(): PushedItems {
    return new PushedItems(this.#database);
  }

  get suggestions(): SuggestionLog {
    return new SuggestionLog(this.#database);
  }

  forgotten(): { source: string; id: string }[] {
    return this.#database
      .prepare("SELECT source, id FROM forgotten ORDER BY source, id")
      .all()
      .map((row) => ({ source: String(row.source), id: String(row.id) }));
  }

  forget(source: string, id: string, at: number): void {
    this.#database.prepare("INSERT OR REPLACE INTO forgotten (source, id, at) VALUES (?, ?, ?)").run(source, id, at);
  }

  /** Removes everything that quotes these conversations; with `dry` it is only counted. */
  forgetQuotes(forgetting: Forgetting, dry: boolean): ForgottenInState {
    return forgetInState(this.#database, forgetting, dry);
  }

  /** Rewrites the file, so that nothing of what was removed stays on disk. */
  purge(): void {
    wipeDeleted(this.#database);
  }

  remember(source: string, id: string): void {
    this.#database.prepare("DELETE FROM forgotten WHERE source = ? AND id = ?").run(source, id);
  }

  close(): void {
    this.#database.close();
  }

  /** Of several processes that open an older file at once, one makes each step. */
  #migrate(path: string): void {
    if (this.#steps() > MIGRATIONS.length) {
      throw new DexError("newer_state", `${path} was written by a newer dex.`, { hint: "Update dex." });
    }
    if (this.#steps() === MIGRATIONS.length) return;
    this.transaction(() => {
      for (let step = this.#steps(); step < MIGRATIONS.length; step += 1) {
        this.#database.exec(`${MIGRATIONS[step]}; PRAGMA user_version = ${step + 1}`);
      }
    });
  }

  #steps(): number {
    return Number(this.#database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  }
}

/** Tombstones, without creating a state.db where there is none. */
export function forgottenConversations(path: string): { source: string; id: string }[] {
  if (!existsSync(path)) return [];
  const state = new StateStore(path);
  try {
    return state.forgotten();
  } finally {
    state.close();
  }
}
