/** Pins and notes, and who saved what. Stored in the state, because no archive has them. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Memory, MemoryKind, MemoryNotes, Provenance, Subject } from "../../state/memories.ts";

export const MEMORY_TABLES = `CREATE TABLE memories (
     id TEXT PRIMARY KEY,
     project TEXT NOT NULL,
     kind TEXT NOT NULL,
     text TEXT NOT NULL,
     because TEXT,
     files TEXT NOT NULL,
     at INTEGER NOT NULL,
     updated INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX memories_of_project ON memories (project, kind);
   CREATE TABLE memory_provenance (
     subject TEXT NOT NULL,
     project TEXT NOT NULL,
     by TEXT NOT NULL,
     place TEXT NOT NULL,
     first INTEGER NOT NULL,
     last INTEGER NOT NULL,
     times INTEGER NOT NULL,
     PRIMARY KEY (subject, project, by, place)
   ) WITHOUT ROWID`;

/** Origins stored for one item; further ones are only counted. */
const MAX_ORIGINS = 200;

/** The saved item: a memory, or a decision of a project. */
export class SqliteMemoryNotes implements MemoryNotes {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Of these projects, the latest first. */
  all(projects: readonly string[]): Memory[] {
    const marks = projects.map(() => "?").join(", ");
    return this.#database
      .prepare(`SELECT * FROM memories WHERE project IN (${marks}) ORDER BY updated DESC, id`)
      .all(...projects)
      .map(memoryOf);
  }

  get(id: string): Memory | undefined {
    const row = this.#database.prepare("SELECT * FROM memories WHERE id = ?").get(id);
    return row && memoryOf(row);
  }

  count(project: string, kind: MemoryKind): number {
    const row = this.#database
      .prepare("SELECT count(*) AS n FROM memories WHERE project = ? AND kind = ?")
      .get(project, kind);
    return Number(row?.n ?? 0);
  }

  put({ id, project, kind, text, because, files, time, updated }: Memory): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO memories (id, project, kind, text, because, files, at, updated)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(id, project, kind, text, because, JSON.stringify(files), time, updated);
  }

  remove(id: string): void {
    this.#database.prepare("DELETE FROM memories WHERE id = ?").run(id);
    this.#database.prepare("DELETE FROM memory_provenance WHERE subject = ?").run(id);
  }

  /** Records that it was saved, perhaps once more. */
  saved({ id, project }: Subject, by: string, place: string, at: number): void {
    const known = this.provenance({ id, project });
    const kept = known.length < MAX_ORIGINS || known.some((each) => each.by === by && each.place === place);
    this.#database
      .prepare(
        `INSERT INTO memory_provenance (subject, project, by, place, first, last, times) VALUES (?, ?, ?, ?, ?, ?, 1)
         ON CONFLICT DO UPDATE SET last = excluded.last, times = times + 1`,
      )
      .run(id, project, by, kept ? place : "", at, at);
  }

  /** The earliest first. */
  provenance({ id, project }: Subject): Provenance[] {
    return this.#database
      .prepare("SELECT * FROM memory_provenance WHERE subject = ? AND project = ? ORDER BY first, by, place")
      .all(id, project)
      .map((row) => ({
        by: String(row.by),
        place: String(row.place),
        first: Number(row.first),
        last: Number(row.last),
        times: Number(row.times),
      }));
  }

  /** Removes conversations to be forgotten from the recorded origins. The saved item stays: it belongs to the user. */
  forgetPlaces(ids: readonly string[]): void {
    const update = this.#database.prepare(
      "UPDATE OR REPLACE memory_provenance SET place = '' WHERE place = ?1 OR substr(place, 1, length(?1) + 1) = ?1 || '#'",
    );
    for (const id of ids) update.run(id);
  }
}

function memoryOf(row: Record<string, SQLOutputValue>): Memory {
  return {
    id: String(row.id),
    project: String(row.project),
    kind: String(row.kind) as MemoryKind,
    text: String(row.text),
    because: row.because === null ? null : String(row.because),
    files: JSON.parse(String(row.files)) as string[],
    time: Number(row.at),
    updated: Number(row.updated),
  };
}
