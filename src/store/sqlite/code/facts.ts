/** The facts of a project's files in its code store, from which relations are resolved. */
import { type CodeFacts, ENTITY_KINDS, type NamedEntity } from "../../code.ts";
import { openReadOnly } from "../database.ts";
import { SqliteCodeReader } from "./reader.ts";

export class SqliteCodeFacts extends SqliteCodeReader implements CodeFacts {
  outside(no: number): string {
    return String(this.prepare("SELECT outside FROM facts WHERE file = ?").get(no)?.outside ?? "{}");
  }

  inside(no: number): string {
    return String(this.prepare("SELECT inside FROM facts WHERE file = ?").get(no)?.inside ?? "{}");
  }

  places(name: string): NamedEntity[] {
    const rows = this.prepare(
      `SELECT f.path, f.language, f.test, e.slot, e.kind, e.exported, p.kind AS owner FROM entities e JOIN files f ON f.no = e.file
       LEFT JOIN entities p ON p.no = e.parent WHERE e.name = ? AND e.slot > 0 ORDER BY f.path, e.slot`,
    ).all(name);
    return rows.map((row) => ({
      path: String(row.path),
      language: String(row.language),
      test: row.test === 1,
      slot: Number(row.slot),
      kind: ENTITY_KINDS[Number(row.kind)] ?? "file",
      owner: ENTITY_KINDS[Number(row.owner ?? 0)] ?? "file",
      exported: row.exported === 1,
    }));
  }

  numbers(file: number): number[] {
    return this.prepare("SELECT no FROM entities WHERE file = ? ORDER BY slot")
      .all(file)
      .map((row) => Number(row.no));
  }
}

/** For a thread of the process that writes the store, which may still be unfinished. Reads one state of it. */
export function openSharedFacts(path: string): SqliteCodeFacts {
  const database = openReadOnly(path);
  database.exec("PRAGMA cache_size = -4096; BEGIN");
  return new SqliteCodeFacts(database);
}
