/** What stands on an open database: statements that are prepared once, and transactions. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

export class Connection {
  protected readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  protected prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Begun by the first write, and open until it is ended. */
export class Transaction {
  readonly #database: DatabaseSync;
  #open = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get open(): boolean {
    return this.#open;
  }

  begin(): void {
    if (this.#open) return;
    this.#database.exec("BEGIN IMMEDIATE");
    this.#open = true;
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
      // A full disk has rolled back already.
    }
  }
}

/** Nobody else writes while this is done, and it is done whole or not at all. */
export function atOnce<T>(database: DatabaseSync, work: () => T): T {
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

/** Gives back the room of what was deleted, and leaves nothing of it on the disk. */
export function wipeDeleted(database: DatabaseSync): void {
  database.exec("PRAGMA secure_delete = ON; VACUUM");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}
