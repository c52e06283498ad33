/** Results of test runs that a person imported: their file may be deleted the next day. */
import type { DatabaseSync } from "node:sqlite";
import type { SeenOutcome } from "../../history_records.ts";
import type { TestNotes } from "../../state/recorded.ts";
import { inTransaction } from "../connection.ts";

/** Results stored per repository; the oldest are dropped first. */
const MAX_RESULTS = 50_000;

export class SqliteTestNotes implements TestNotes {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The last result of each test. A run as a whole has an empty name. */
  all(repository: string): SeenOutcome[] {
    return this.#database
      .prepare("SELECT * FROM test_results WHERE repository = ? ORDER BY at, runner, file, name")
      .all(repository)
      .map((row) => ({
        owner: "",
        place: String(row.origin),
        runner: String(row.runner),
        file: row.file === "" ? null : String(row.file),
        name: row.name === "" ? null : String(row.name),
        status: String(row.status) as SeenOutcome["status"],
        message: row.message === null ? null : String(row.message),
        total: row.total === null ? null : Number(row.total),
        time: Number(row.at),
      }));
  }

  revision(repository: string): string {
    const row = this.#database
      .prepare("SELECT count(*) n, total(at) times FROM test_results WHERE repository = ?")
      .get(repository);
    return Number(row?.n ?? 0) === 0 ? "" : `${row?.n} ${row?.times}`;
  }

  put(repository: string, outcomes: readonly SeenOutcome[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO test_results (repository, runner, file, name, status, message, total, origin, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET status = excluded.status, message = excluded.message, total = excluded.total,
         origin = excluded.origin, at = excluded.at WHERE excluded.at >= at`,
    );
    inTransaction(this.#database, () => {
      for (const { runner, file, name, status, message, total, place, time } of outcomes) {
        insert.run(repository, runner, file ?? "", name ?? "", status, message, total, place, time);
      }
      this.#database
        .prepare(
          `DELETE FROM test_results WHERE repository = ?1 AND at < (SELECT at FROM test_results WHERE repository = ?1
           ORDER BY at DESC LIMIT 1 OFFSET ?2)`,
        )
        .run(repository, MAX_RESULTS);
    });
  }
}
