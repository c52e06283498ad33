/** state.db: data that the user created and no archive contains. It is migrated forward, never rebuilt. */
import { DatabaseSync } from "node:sqlite";
import { DexError } from "../../../kernel/errors.ts";
import { diskError, ensurePrivateFile } from "../../../kernel/files/atomic_write.ts";
import { isTimeLimited, lockTimeout } from "../../../kernel/lock_timeout.ts";
import { backupState, isBlank, newestSound, restoreLostState } from "../../state/backups.ts";
import type { Forgetting, ForgottenInState, StateStore } from "../../state/state.ts";
import { mergeTombstones, savedTombstones, saveTombstones, type Tombstone } from "../../state/tombstones.ts";
import { inTransaction, wipeDeleted } from "../connection.ts";
import { isCorruption, openReadOnly } from "../database.ts";
import { SqliteDecisionNotes } from "./decisions.ts";
import { SqliteDeliveries } from "./deliveries.ts";
import { forgetInState } from "./forgetting.ts";
import { MEMORY_TABLES, SqliteMemoryNotes } from "./memory.ts";
import { PUSHED_TABLE, SqlitePushedItems } from "./pushed.ts";
import { SqliteSubscriptions, SUBSCRIPTIONS } from "./subscriptions.ts";
import { SqliteSuggestionLog, SUGGESTION_TABLES } from "./suggestions.ts";
import { SqliteTeamNotes, TEAM_TABLES } from "./team.ts";
import { SqliteTestNotes } from "./tests.ts";

/** Each migration is applied once, in order; released ones are never edited. */
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
  TEAM_TABLES,
];

/** The version of a state.db with all migrations applied. */
export const STATE_VERSION: number = MIGRATIONS.length;

/** The tables that a state.db of this version has. */
export function stateTables(version: number): string[] {
  const steps = MIGRATIONS.slice(0, version).join(";");
  return [...steps.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = ""]) => name);
}

/** A missing or empty state.db is created, or restored from its backup if it has one. */
export function openState(path: string): StateStore {
  return new SqliteState(path);
}

export class SqliteState implements StateStore {
  readonly #database: DatabaseSync;
  readonly #path: string;
  #tombstonesChanged = false;

  /** dex first restores a state.db that is missing or empty although there are copies of it. */
  constructor(path: string) {
    this.#path = path;
    restoreLostState(path);
    const created = isBlank(path);
    let database: DatabaseSync | undefined;
    try {
      database = openFile(path);
      this.#database = database;
      this.#migrate(path);
      if (created) for (const { source, id } of savedTombstones(path) ?? []) this.forget(source, id, 0);
    } catch (error) {
      if (database?.isOpen) database.close();
      throw isCorruption(error) ? damagedState(path, error) : diskError(error, path);
    }
  }

  get decisions(): SqliteDecisionNotes {
    return new SqliteDecisionNotes(this.#database);
  }

  get memory(): SqliteMemoryNotes {
    return new SqliteMemoryNotes(this.#database);
  }

  get tests(): SqliteTestNotes {
    return new SqliteTestNotes(this.#database);
  }

  get subscriptions(): SqliteSubscriptions {
    return new SqliteSubscriptions(this.#database);
  }

  get deliveries(): SqliteDeliveries {
    return new SqliteDeliveries(this.#database);
  }

  /** No other process writes meanwhile, and all of it is done or none. */
  transaction<T>(work: () => T): T {
    return inTransaction(this.#database, work);
  }

  /** Changes when another connection has written. The check costs next to nothing. */
  version(): number {
    return Number(this.#database.prepare("PRAGMA data_version").get()?.data_version ?? 0);
  }

  get pushed(): SqlitePushedItems {
    return new SqlitePushedItems(this.#database);
  }

  get team(): SqliteTeamNotes {
    return new SqliteTeamNotes(this.#database);
  }

  get suggestions(): SqliteSuggestionLog {
    return new SqliteSuggestionLog(this.#database);
  }

  forgotten(): Tombstone[] {
    return this.#database
      .prepare("SELECT source, id FROM forgotten ORDER BY source, id")
      .all()
      .map((row) => ({ source: String(row.source), id: String(row.id) }));
  }

  forget(source: string, id: string, at: number): void {
    this.#database.prepare("INSERT OR REPLACE INTO forgotten (source, id, at) VALUES (?, ?, ?)").run(source, id, at);
    this.#tombstonesChanged = true;
  }

  /** Removes everything that quotes these conversations; with `dry` it is only counted. */
  forgetQuotes(forgetting: Forgetting, dry: boolean): ForgottenInState {
    return forgetInState(this.#database, forgetting, dry);
  }

  /** Rewrites the file to erase everything that was removed from the disk. */
  purge(): void {
    wipeDeleted(this.#database);
  }

  remember(source: string, id: string): void {
    this.#database.prepare("DELETE FROM forgotten WHERE source = ? AND id = ?").run(source, id);
    this.#tombstonesChanged = true;
  }

  close(): void {
    if (this.#tombstonesChanged) saveTombstones(this.#path, this.forgotten());
    this.#database.close();
  }

  /** If several processes open an older file at once, one of them makes each migration. */
  #migrate(path: string): void {
    if (this.#steps() > MIGRATIONS.length) {
      throw new DexError("newer_state", `${path} was written by a newer dex.`, { hint: "Update dex." });
    }
    if (this.#steps() === MIGRATIONS.length) return;
    if (this.#steps() > 0) backupState(path, Date.now());
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

/** Opens the file read-only if the home is not writable. */
function openFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    ensurePrivateFile(path);
    database = new DatabaseSync(path, { timeout: lockTimeout(10_000) });
    // A hook only records what it pushed. A power failure may lose the last records, but does not damage the file.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${isTimeLimited() ? "NORMAL" : "FULL"}`);
    return database;
  } catch (error) {
    if (database?.isOpen) database.close();
    const failure = diskError(error, path);
    if (!(failure instanceof DexError && failure.code === "not_writable") || isBlank(path)) throw failure;
    return openReadOnly(path);
  }
}

/** For an answer without a damaged state.db. */
export const STATE_NOTICE =
  "state.db is damaged: pins, notes, decisions and subscriptions are left out. `dex doctor --fix` repairs it.";

export function damagedState(path: string, cause?: unknown): DexError {
  return new DexError("damaged_state", `${path} is damaged: pins, notes, decisions and subscriptions cannot be read.`, {
    hint: "Run `dex doctor --fix`: it saves what can be read and takes the rest from the last backup.",
    cause,
  });
}

/**
 * Tombstones of forgotten conversations; a missing state.db is not created. They survive damage and loss of state.db:
 * in the list next to its copies, and in the newest copy. `damaged` reports that case.
 */
export function forgottenConversations(path: string): { tombstones: Tombstone[]; damaged: boolean } {
  const saved = savedTombstones(path) ?? [];
  restoreLostState(path);
  let isNew = isBlank(path);
  try {
    const own = isNew ? undefined : readTombstones(path);
    if (own) return { tombstones: mergeTombstones(own, saved), damaged: false };
    isNew = true;
  } catch (error) {
    if (!isCorruption(error)) throw diskError(error, path);
  }
  const backup = newestSound(path);
  return {
    tombstones: mergeTombstones((backup && readTombstones(backup.path)) ?? [], saved),
    damaged: backup !== undefined || !isNew,
  };
}

/** Undefined: the file has no tables yet, because another process is creating it. */
function readTombstones(path: string): Tombstone[] | undefined {
  const database = openReadOnly(path);
  try {
    if (Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0) === 0) return undefined;
    return database
      .prepare("SELECT source, id FROM forgotten")
      .all()
      .map((row) => ({ source: String(row.source), id: String(row.id) }));
  } finally {
    database.close();
  }
}
