/**
 * Agents that keep all conversations in one SQLite database: dex lists the sessions with a mark that changes whenever
 * the session does, and loads those whose mark is new.
 */
import { hash } from "node:crypto";
import { asObject, asString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { type ForeignDatabase, ForeignDatabaseError, type Row, withDatabase } from "../reading/sqlite.ts";
import type { ReadRequest, Source } from "../source.ts";
import { type SourceForm, type WholeConversation, writeConversation } from "./conversation.ts";

interface ListedSession {
  id: string;
  /** Changes whenever the session may have changed: its latest time, its number of rows. */
  mark: string;
}

interface DatabaseForm extends SourceForm {
  /** The sessions of a database; undefined if it does not have this agent's tables. */
  sessions(db: ForeignDatabase): ListedSession[] | undefined;
  /** Undefined: the session has no conversation. */
  load(db: ForeignDatabase, id: string, request: ReadRequest): WholeConversation | undefined;
}

export function databaseSource({ id, places, discover, sessions, load }: DatabaseForm): Source {
  const read = (request: ReadRequest): Json | undefined => {
    const { container, sink, state } = request;
    const before = asObject(asObject(state).marks);
    const next = withDatabase(container.path, sink, (db): JsonObject | undefined => {
      const listed = db.snapshot(() => sessions(db));
      if (!listed) {
        sink.malformed(container.path, "has no sessions");
        return undefined;
      }
      const marks: JsonObject = {};
      for (const [done, session] of listed.entries()) {
        const mark = shortMark(session.mark);
        const old = asString(before[session.id]);
        sink.progress?.(done / listed.length);
        if (old === mark) {
          marks[session.id] = mark;
          continue;
        }
        let loaded: WholeConversation | undefined;
        try {
          loaded = db.snapshot(() => load(db, session.id, request));
        } catch (error) {
          sink.malformed(container.path, `session ${session.id} ${unreadable(error)}`);
          if (old !== undefined) marks[session.id] = old;
          continue;
        }
        if (!loaded || writeConversation(sink, id, loaded)) marks[session.id] = mark;
      }
      return { marks };
    });
    return next ?? state;
  };
  return { id, places, discover, read };
}

/** Why one session cannot be read; any other error is thrown. */
function unreadable(error: unknown): string {
  if (error instanceof ForeignDatabaseError) return error.message;
  // From values that are nested tens of thousands of levels deep, and from texts that are too long to be put together.
  if (error instanceof RangeError) return `cannot be read: ${error.message}`;
  throw error;
}

function shortMark(mark: string): string {
  return hash("sha1", mark, "base64").slice(0, 12);
}

/** The listed columns that the table has, for tables that gained columns over time. */
export function presentColumns(db: ForeignDatabase, table: string, wanted: readonly string[]): string {
  const present = db.columns(table);
  return wanted.map((name) => (present.has(name) ? name : `NULL AS ${name}`)).join(", ");
}

export function hasTables(db: ForeignDatabase, ...tables: string[]): boolean {
  return tables.every((table) => db.columns(table).size > 0);
}

/** A number or text column as a time in the form that `toIso` takes. */
export function timeColumn(row: Row, name: string): number | string | undefined {
  const value = row[name];
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" || typeof value === "string" ? value : undefined;
}

/** A time column as ISO. SQLite's own time text has neither a T nor a zone, and is in UTC. */
export function isoColumn(row: Row, name: string): string | undefined {
  const time = timeColumn(row, name);
  if (typeof time !== "string" || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(time)) return toIso(time);
  return toIso(`${time.replace(" ", "T")}Z`);
}

export function textColumn(row: Row, name: string): string | undefined {
  const value = row[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
