/** Writes the past work of conversations: the commands they ran, the edits they made or took back, and how far they were read. */
import type { CommandRun, Replaced, ScanMark, SeenEdit, SessionRecord, UndoneEdit } from "../../history_records.ts";
import { SqliteHistory } from "./reader.ts";

/** Tables of past work, by conversation. */
const WORK_TABLES = ["runs", "undone", "replacements", "sessions"];

export class SqliteWorkWriter extends SqliteHistory {
  addRuns(runs: readonly CommandRun[]): void {
    const insert = this.write(
      `INSERT INTO runs (owner, place, command, failed, edited, message, time) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const { owner, place, command, failed, edited, message, time } of runs) {
      insert.run(owner, place, command, failed ? 1 : 0, edited ? 1 : 0, message, time);
    }
  }

  addUndone(undone: readonly UndoneEdit[]): void {
    const insert = this.write(
      `INSERT INTO undone (owner, place, kind, path, after, text, time) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const { owner, place, kind, path, after, text, time } of undone) {
      insert.run(owner, place, kind, path, after, text, time);
    }
  }

  addReplacements(replacements: readonly Replaced[]): void {
    const insert = this.write(
      `INSERT INTO replacements (owner, place, path, before, after, request, time) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const { owner, place, path, before, after, request, time } of replacements) {
      insert.run(owner, place, path, before, after, request, time);
    }
  }

  findOpposites(): void {
    this.execute("DELETE FROM undone WHERE kind = 'opposite'");
    this.execute(
      `INSERT INTO undone (owner, place, kind, path, after, text, time)
       SELECT b.owner, b.place, 'opposite', b.path, b.time - max(a.time), b.request, b.time
       FROM replacements a JOIN replacements b
         ON a.path = b.path AND a.before = b.after AND a.after = b.before AND a.owner <> b.owner AND a.time < b.time
       WHERE NOT EXISTS (
         SELECT 1 FROM replacements c
         WHERE c.path = a.path AND c.before = a.before AND c.after = a.after AND c.time > b.time)
       GROUP BY b.owner, b.path`,
    );
  }

  setSession({ owner, messages, did, open }: SessionRecord): void {
    this.write("INSERT OR REPLACE INTO sessions (owner, messages, did, open) VALUES (?, ?, ?, ?)").run(
      owner,
      messages,
      did,
      open,
    );
  }

  removeWork(owner: string): void {
    for (const table of WORK_TABLES) this.write(`DELETE FROM ${table} WHERE owner = ?`).run(owner);
  }

  removeWorkBefore(runs: number, undone: number): void {
    this.write("DELETE FROM runs WHERE time < ?").run(runs);
    this.write("DELETE FROM undone WHERE time < ?").run(undone);
    this.write("DELETE FROM replacements WHERE time < ?").run(undone);
  }

  removeReverted(): void {
    this.execute("DELETE FROM undone WHERE kind = 'reverted'");
  }

  addEdits(edits: readonly SeenEdit[]): void {
    const insert = this.write("INSERT OR REPLACE INTO edits (owner, path, place, time) VALUES (?, ?, ?, ?)");
    for (const { owner, path, place, time } of edits) insert.run(owner, path, place, time);
  }

  removeEdits(owner: string): void {
    this.write("DELETE FROM edits WHERE owner = ?").run(owner);
  }

  setMark(kind: string, mark: ScanMark): void {
    this.write("INSERT OR REPLACE INTO marks (kind, owner, messages, bytes) VALUES (?, ?, ?, ?)").run(
      kind,
      mark.owner,
      mark.messages,
      mark.bytes,
    );
  }

  removeMark(kind: string, owner: string): void {
    this.write("DELETE FROM marks WHERE kind = ? AND owner = ?").run(kind, owner);
  }

  protected execute(sql: string): void {
    this.transaction.begin();
    this.database.exec(sql);
  }
}
