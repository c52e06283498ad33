/**
 * Finds the sessions that changed since the last read of a database, by row time: for each table, dex remembers its
 * highest `time_updated`, its highest rowid, and the rows that had exactly that time; it reads a session with a later row
 * again whole.
 *
 * The rowid is for rows that arrive with old times: sessions that are imported, or moved in from JSON files.
 */
import { asArray, asNumber, asString, isObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import type { ForeignDatabase } from "../../../history/reading/sqlite.ts";

export const TABLES = ["session", "message", "part", "session_message"] as const;
export type Table = (typeof TABLES)[number];

/** Two writes in one millisecond cannot be distinguished: rows this young are not final yet. */
const SETTLED_MS = 2000;
const MAX_TIES = 64;

interface Mark {
  time: number;
  rowid: number;
  /** Rows with exactly that time that were read; undefined: they are read again. */
  ties: string[] | undefined;
}

/** The mark of a table that did not exist last time. */
export const NOTHING: Mark = { time: 0, rowid: 0, ties: undefined };

export type Marks = { [table in Table]?: Mark };

export interface DatedTable {
  name: Table;
  /** It has a column `time_updated`. */
  timed: boolean;
}

/** The sessions with rows of this table that the mark does not cover. */
export function changedSince(db: ForeignDatabase, { name, timed }: DatedTable, { time, rowid, ties }: Mark): string[] {
  const session = name === "session" ? "id" : "session_id";
  const rows = db.all(
    `SELECT DISTINCT ${session} AS session, ${timed ? "CASE WHEN time_updated = ?1 AND rowid <= ?2 THEN id END" : "NULL"} AS tie
     FROM ${name} WHERE ${timed ? "time_updated >= ?1 OR" : "?1 < 0 OR"} rowid > ?2`,
    time,
    rowid,
  );
  const read = new Set(ties);
  return rows.filter((row) => row.tie === null || !read.has(String(row.tie))).map((row) => String(row.session));
}

/** The mark that covers all rows of the table. */
export function markOf(db: ForeignDatabase, table: DatedTable, now: number): Mark {
  const time = table.timed ? "max(time_updated * 1.0)" : "0";
  const row = db.get(`SELECT ${time} AS time, max(rowid) AS rowid FROM ${table.name}`) ?? {};
  // A clock that ran ahead must not hide rows written after it was corrected.
  const highest = Math.min(asNumber(row.time) ?? 0, now);
  return { time: highest, rowid: asNumber(row.rowid) ?? 0, ties: tiesOf(db, table, highest, now) };
}

function tiesOf(db: ForeignDatabase, { name, timed }: DatedTable, time: number, now: number): string[] | undefined {
  if (!timed || now - time < SETTLED_MS) return undefined;
  const rows = db.all(`SELECT id FROM ${name} WHERE time_updated = ? LIMIT ?`, time, MAX_TIES + 1);
  return rows.length > MAX_TIES ? undefined : rows.map((row) => String(row.id));
}

export function savedMarks(state: Json | undefined): Marks | undefined {
  if (!isObject(state) || !isObject(state.marks)) return undefined;
  const saved = state.marks;
  const marks: Marks = {};
  for (const table of TABLES) {
    const mark = saved[table];
    if (!isObject(mark)) continue;
    const ties = Array.isArray(mark.ties) ? asArray(mark.ties).flatMap((id) => asString(id) ?? []) : undefined;
    marks[table] = { time: asNumber(mark.time) ?? 0, rowid: asNumber(mark.rowid) ?? 0, ties };
  }
  return marks;
}

export function marksToJson(marks: Marks): JsonObject {
  const json: JsonObject = {};
  for (const table of TABLES) {
    const mark = marks[table];
    if (mark) json[table] = { time: mark.time, rowid: mark.rowid, ...(mark.ties ? { ties: mark.ties } : {}) };
  }
  return json;
}
