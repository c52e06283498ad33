/** OpenCode's database: its sessions, and their messages in either of the two forms that its versions have used. */
import type { ConversationMeta } from "../../../../conversations/model.ts";
import {
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import { changedSince, type DatedTable, type Marks, markOf, NOTHING, TABLES, type Table } from "./marks.ts";
import type { StoredMessage, StoredPart } from "./parts.ts";
import type { ProjectedMessage } from "./projected.ts";
import { type Revert, revertOf } from "./reverted.ts";

export interface LoadedSession {
  meta: ConversationMeta;
  stored: StoredMessage[];
  projected: ProjectedMessage[];
  /** Turns that the person undid. */
  revert?: Revert | undefined;
  /** Records that could not be read. */
  malformed: string[];
}

export class OpencodeDatabase {
  readonly #db: ForeignDatabase;
  readonly #columns: Record<Table, ReadonlySet<string>>;

  constructor(db: ForeignDatabase) {
    this.#db = db;
    this.#columns = db.snapshot(() => ({
      session: db.columns("session"),
      message: db.columns("message"),
      part: db.columns("part"),
      session_message: db.columns("session_message"),
    }));
  }

  /** Whether it has the tables that a conversation needs. */
  get usable(): boolean {
    return this.#columns.session.has("id") && (this.#has("message") || this.#has("session_message"));
  }

  /** Sessions with something to read, newest first, and the marks for the next read. */
  changes(saved: Marks | undefined, retry: readonly string[], now: number): { sessions: string[]; marks: Marks } {
    const time = ["time_updated", "time_created"].find((name) => this.#columns.session.has(name));
    const order = time === undefined ? "id DESC" : `${time} DESC, id DESC`;
    const all = this.#db.all(`SELECT id FROM session ORDER BY ${order}`).map((row) => String(row.id));
    const changed = new Set(retry);
    const marks: Marks = {};
    for (const table of TABLES) {
      if (!this.#has(table)) continue;
      const before = saved && (saved[table] ?? NOTHING);
      const changedIds = before ? changedSince(this.#db, this.#dated(table), before) : [];
      for (const id of changedIds) changed.add(id);
      // Each of these scans every row of the table: if nothing is new, the mark stays.
      marks[table] = before && changedIds.length === 0 ? before : markOf(this.#db, this.#dated(table), now);
    }
    return { sessions: saved ? all.filter((id) => changed.has(id)) : all, marks };
  }

  /** Ids of sessions that have messages. */
  filled(): Set<string> {
    const has = (["message", "session_message"] as const)
      .filter((table) => this.#has(table))
      .map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE session_id = session.id)`);
    return new Set(this.#db.all(`SELECT id FROM session WHERE ${has.join(" OR ")}`).map((row) => String(row.id)));
  }

  load(id: string): LoadedSession | undefined {
    const row = this.#session(id);
    if (!row) return undefined;
    const malformed: string[] = [];
    const stored = this.#stored(id, malformed);
    const projected = this.#projected(id, malformed);
    const meta = this.#meta(row, id);
    const origin = this.#origin(row, id, [...stored, ...projected]);
    const revert = revertOf(parseJson(columnText(row.revert)));
    if (!origin) return { meta, stored, projected, revert, malformed };
    meta.parent = origin;
    meta.parent_kind = "fork";
    return {
      meta,
      stored: withoutCopies(stored, this.#storedTimes(origin)),
      projected: withoutCopies(projected, this.#projected(origin, [])),
      revert,
      malformed,
    };
  }

  #has(table: Table): boolean {
    const columns = this.#columns[table];
    return columns.has("id") && (table === "session" || (columns.has("session_id") && columns.has("data")));
  }

  #dated(name: Table): DatedTable {
    return { name, timed: this.#columns[name].has("time_updated") };
  }

  #session(id: string): Row | undefined {
    const wanted =
      "id project_id parent_id fork_session_id directory title metadata model revert time_created time_updated";
    const names = wanted.split(" ").filter((name) => this.#columns.session.has(name));
    const list = names.map((name) => (name.startsWith("time_") ? `${name} * 1.0 AS ${name}` : name)).join(", ");
    return this.#db.get(`SELECT ${list} FROM session WHERE id = ?`, id);
  }

  #stored(session: string, malformed: string[]): StoredMessage[] {
    const messages = this.#storedRows(session).flatMap((row): StoredMessage[] => {
      const id = String(row.id);
      const data = dataOf(row, `message ${id}`, malformed);
      if (!data) return [];
      return [{ id, created: createdAt(data, row), data, parts: this.#parts(id, malformed) }];
    });
    return messages.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
  }

  #storedTimes(session: string): { created: number }[] {
    const times = this.#storedRows(session).flatMap((row) => {
      const data = dataOf(row, "", []);
      return data ? [{ created: createdAt(data, row) }] : [];
    });
    return times.sort((one, other) => one.created - other.created);
  }

  #storedRows(session: string): Row[] {
    if (!this.#has("message")) return [];
    return this.#db.all(
      `SELECT id, ${this.#created("message")} AS created, data FROM message WHERE session_id = ? ORDER BY created, id`,
      session,
    );
  }

  #parts(message: string, malformed: string[]): StoredPart[] {
    if (!this.#has("part") || !this.#columns.part.has("message_id")) return [];
    const rows = this.#db.all("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", message);
    return rows.flatMap((row): StoredPart[] => {
      const id = String(row.id);
      const data = dataOf(row, `part ${id}`, malformed);
      return data ? [{ id, data }] : [];
    });
  }

  #projected(session: string, malformed: string[]): ProjectedMessage[] {
    const columns = this.#columns.session_message;
    if (!this.#has("session_message") || !columns.has("type")) return [];
    const order = columns.has("seq") ? "seq" : "created, id";
    const rows = this.#db.all(
      `SELECT id, type, ${this.#created("session_message")} AS created, data
       FROM session_message WHERE session_id = ? ORDER BY ${order}`,
      session,
    );
    return rows.flatMap((row): ProjectedMessage[] => {
      const id = String(row.id);
      const data = dataOf(row, `session_message ${id}`, malformed);
      return data ? [{ id, type: String(row.type), created: createdAt(data, row), data }] : [];
    });
  }

  #created(table: Table): string {
    return this.#columns[table].has("time_created") ? "time_created * 1.0" : "0";
  }

  #meta(row: Row, id: string): ConversationMeta {
    const parent = asString(row.parent_id) || undefined;
    return {
      id,
      source: "opencode",
      title: sessionTitle(asString(row.title)),
      project: asString(row.directory) || this.#worktree(asString(row.project_id)),
      model: firstString(asObject(parseJson(columnText(row.model))), "id", "modelID"),
      created: toIso(row.time_created),
      updated: toIso(row.time_updated),
      ...(parent ? { parent, parent_kind: "subagent" as const } : {}),
    };
  }

  /** The project "global" does not have a folder. */
  #worktree(project: string | undefined): string | undefined {
    if (!project || !this.#db.columns("project").has("worktree")) return undefined;
    const worktree = asString(this.#db.get("SELECT worktree FROM project WHERE id = ?", project)?.worktree);
    return worktree && worktree !== "/" ? worktree : undefined;
  }

  /**
   * The session a fork was made from. Newer versions record it; before, only the title shows it: "Name (fork #2)" was
   * made from "Name (fork #1)", and repeats its messages with their times under new ids.
   */
  #origin(row: Row, id: string, messages: readonly { created: number }[]): string | undefined {
    const named = asString(row.fork_session_id) || forkInMetadata(parseJson(columnText(row.metadata)));
    if (named && named !== id) return named;
    const fork = /^(.+) \(fork #(\d{1,6})\)$/s.exec(asString(row.title) ?? "");
    if (!fork) return undefined;
    const parent = asString(row.parent_id);
    if (parent && parent !== id) return parent;
    const number = Number(fork[2]);
    const title = number > 1 ? `${fork[1]} (fork #${number - 1})` : fork[1];
    const began = messages[0]?.created;
    if (began === undefined || title === undefined) return undefined;
    const candidates = this.#db.all("SELECT id FROM session WHERE title = ? AND id <> ?", title, id);
    return candidates.map((candidate) => String(candidate.id)).find((other) => this.#began(other) === began);
  }

  #began(session: string): number | undefined {
    return (this.#storedTimes(session)[0] ?? this.#projected(session, [])[0])?.created;
  }
}

/** Messages from the first that does not repeat the other session's. */
function withoutCopies<T extends { created: number }>(messages: T[], original: readonly { created: number }[]): T[] {
  let same = 0;
  while (same < messages.length && messages[same]?.created === original[same]?.created) same += 1;
  return messages.slice(same);
}

function forkInMetadata(metadata: Json | undefined): string | undefined {
  const object = asObject(metadata);
  const fork = object.fork ?? object.forkedFrom ?? object.forkOf;
  return isObject(fork) ? firstString(fork, "sessionID", "sessionId", "id") : asString(fork);
}

/** The title a session has before it is given one. */
export function sessionTitle(title: string | undefined): string | undefined {
  return title && !/^(New|Child) session - \d{4}-\d\d-\d\dT/.test(title) ? title : undefined;
}

/** The message's own time: a row that was moved or copied has a time of its own. */
function createdAt(data: JsonObject, row: Row): number {
  return asNumber(asObject(data.time).created) ?? asNumber(row.created) ?? 0;
}

function dataOf(row: Row, what: string, malformed: string[]): JsonObject | undefined {
  const data = parseJson(columnText(row.data));
  if (isObject(data)) return data;
  malformed.push(`${what} is not a JSON object`);
  return undefined;
}
