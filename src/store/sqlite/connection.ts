/** An open database with statements that are prepared once, and with transactions. */
import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Prepares a statement, once for each text. */
export type Prepare = (sql: string) => StatementSync;

export class Connection {
  protected readonly database: DatabaseSync;
  /** Only a writer begins it. */
  protected readonly transaction: Transaction;
  readonly #statements = new Map<string, StatementSync>();
  /** A property, so that it can be passed to functions that read or write rows. */
  protected readonly prepare: Prepare = (sql) => {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  };
  /** Prepares a statement that changes something; the first one begins the transaction. */
  protected readonly write: Prepare = (sql) => {
    this.transaction.begin();
    return this.prepare(sql);
  };

  constructor(database: DatabaseSync) {
    this.database = database;
    this.transaction = new Transaction(database);
  }

  /**
   * Reads one state of the database. SQLite otherwise locks and unlocks the file for each statement, which takes longer
   * than most statements do.
   */
  inSnapshot<T>(read: () => T): T {
    if (this.database.isTransaction) return read();
    this.database.exec("BEGIN");
    try {
      return read();
    } finally {
      if (this.database.isTransaction) this.database.exec("COMMIT");
    }
  }

  /** Changes that were not committed are rolled back. */
  close(): void {
    this.transaction.rollback();
    this.#statements.clear();
    if (this.transaction.wasUsed) emptyLog(this.database);
    this.database.close();
  }
}

/** A transaction that the first write begins, and that stays open until it is committed or rolled back. */
export class Transaction {
  readonly #database: DatabaseSync;
  #open = false;
  #wasUsed = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Whether something was written, even if it was rolled back. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  begin(): void {
    if (this.#open) return;
    this.#database.exec("BEGIN IMMEDIATE");
    this.#open = true;
    this.#wasUsed = true;
  }

  commit(): void {
    this.#database.exec("COMMIT");
    this.#open = false;
  }

  rollback(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // A full disk has already rolled it back.
    }
  }
}

/** Runs the work in one transaction: atomically, and without other processes writing meanwhile. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  const transaction = new Transaction(database);
  transaction.begin();
  try {
    const result = work();
    transaction.commit();
    return result;
  } catch (error) {
    transaction.rollback();
    throw error;
  }
}

/** A shorter log is read faster than it is checkpointed. */
const MAX_LOG_BYTES = 256 << 10;

/**
 * Checkpoints a long log and truncates it, unless another process is reading. SQLite does so only when the last
 * connection closes, and the process that opens the file first must read the whole log, which costs every hook
 * milliseconds.
 */
function emptyLog(database: DatabaseSync): void {
  try {
    const { size = 0 } = statSync(`${database.location()}-wal`, { throwIfNoEntry: false }) ?? {};
    if (size > MAX_LOG_BYTES) database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The log stays, with everything in it.
  }
}

/** Rewrites the file to erase everything that was deleted from the disk. */
export function wipeDeleted(database: DatabaseSync): void {
  database.exec("PRAGMA secure_delete = ON; VACUUM");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}
