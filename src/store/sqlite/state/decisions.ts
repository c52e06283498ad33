/**
 * Decisions of people, and their verdicts on decisions that dex found. Stored in the state, because no archive has
 * them.
 */
import type { DatabaseSync } from "node:sqlite";
import type { DecisionNotes, OwnDecision, Verdict } from "../../state/recorded.ts";

export class SqliteDecisionNotes implements DecisionNotes {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  own(repository: string): OwnDecision[] {
    return this.#database
      .prepare("SELECT * FROM decisions WHERE repository = ? ORDER BY at DESC, id")
      .all(repository)
      .map((row) => ({
        id: String(row.id),
        repository,
        text: String(row.text),
        because: row.because === null ? null : String(row.because),
        alternatives: JSON.parse(String(row.alternatives)) as string[],
        files: JSON.parse(String(row.files)) as string[],
        symbols: JSON.parse(String(row.symbols)) as string[],
        time: Number(row.at),
      }));
  }

  add(decision: OwnDecision): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO decisions (id, repository, text, because, alternatives, files, symbols, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        decision.id,
        decision.repository,
        decision.text,
        decision.because,
        JSON.stringify(decision.alternatives),
        JSON.stringify(decision.files),
        JSON.stringify(decision.symbols),
        decision.time,
      );
  }

  verdicts(repository: string): Map<string, Verdict> {
    const rows = this.#database.prepare("SELECT * FROM verdicts WHERE repository = ?").all(repository);
    return new Map(
      rows.map((row) => [
        String(row.id),
        {
          id: String(row.id),
          repository,
          status: String(row.status) as Verdict["status"],
          by: row.by === null ? null : String(row.by),
          time: Number(row.at),
        },
      ]),
    );
  }

  judge({ id, repository, status, by, time }: Verdict): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO verdicts (id, repository, status, by, at) VALUES (?, ?, ?, ?, ?)")
      .run(id, repository, status, by, time);
  }
}
