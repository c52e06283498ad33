/** OpenClaw: a database per agent, whose rows are entries of pi's format; a table lists those of the active branch. */
import { join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asObject, asString, firstString, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { branchesOf } from "../../../history/building/branch.ts";
import { asList } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { conversationOf, type WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, presentColumns, textColumn, timeColumn } from "../../../history/forms/database.ts";
import { databaseContainer, listDir } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import type { Source, SourceEnv } from "../../../history/source.ts";
import { entryMessages, entryModel } from "../../pi/history/entry.ts";
import { openclawAgents } from "../integration.ts";

const ID = "openclaw";
const WINDOW = [
  "session_key",
  "previous_session_id",
  "reason",
  "created_at",
  "updated_at",
  "model",
  "spawned_by",
  "display_name",
];

export const openclawHistory: Source = databaseSource({
  id: ID,
  places: (env) => [{ path: openclawAgents(env), what: "sessions, in <agent>/agent/openclaw-agent.sqlite" }],
  discover: (env) => databases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions(db) {
    if (!hasTables(db, "transcript_events")) return undefined;
    const active = hasTables(db, "session_transcript_active_events")
      ? "(SELECT count(*) || ' ' || max(event_seq) FROM session_transcript_active_events a WHERE a.session_id = e.session_id)"
      : "''";
    const rows = db.all(
      `SELECT e.session_id AS id, count(*) AS events, max(e.seq) AS last, ${active} AS active FROM transcript_events e
         GROUP BY e.session_id ORDER BY e.session_id`,
    );
    return rows.map((row) => ({ id: String(row.id), mark: `${row.events} ${row.last} ${row.active}` }));
  },
  load,
});

function databases(env: SourceEnv): string[] {
  const agents = openclawAgents(env);
  return listDir(agents)
    .map(({ name }) => join(agents, name, "agent", "openclaw-agent.sqlite"))
    .sort();
}

function load(db: ForeignDatabase, id: string): WholeConversation {
  const listed = activeRows(db, id);
  const all = db.all("SELECT seq, event_json FROM transcript_events WHERE session_id = ? ORDER BY seq", id);
  // Without the list of the active branch, all rows count.
  const entries = (listed.length > 0 ? listed : all).map(entryOf);
  const header = entries.find((entry) => entry.type === "session") ?? {};
  const window = hasTables(db, "session_windows")
    ? db.get(`SELECT ${presentColumns(db, "session_windows", WINDOW)} FROM session_windows WHERE session_id = ?`, id)
    : undefined;
  const messages: Message[] = entries.flatMap((entry) => (entry.type === "session" ? [] : entryMessages(entry)));
  const model = entries.map(entryModel).findLast((each) => each !== undefined);
  return {
    meta: {
      id,
      project: firstString(header, "cwd"),
      created: toIso(header.timestamp) ?? (window && toIso(timeColumn(window, "created_at"))),
      ...(model === undefined ? {} : { model }),
      ...(window ? windowMeta(db, id, window) : {}),
    },
    messages,
    ...(listed.length > 0 && listed.length < all.length ? leftBehind(listed, all) : {}),
  };
}

function entryOf(row: Row): JsonObject {
  return asObject(parseJson(columnText(row.event_json)));
}

/** The branches of the other rows. The list may end at a row that is not the last one, so a last one is added. */
function leftBehind(listed: readonly Row[], all: readonly Row[]): Pick<WholeConversation, "abandoned" | "rejoined"> {
  const active = new Set(listed.map(({ seq }) => seq));
  const rows = all.filter((row) => entryOf(row).type !== "session");
  const entries = rows.map(entryOf);
  const leaf = listed.map(entryOf).findLast((entry) => firstString(entry, "id") !== undefined) ?? {};
  const tree = branchesOf([...entries, { parentId: leaf.id ?? null }], "id", "parentId");
  const { abandoned, rejoined } = conversationOf(
    { id: "" },
    tree,
    (position) => asString(entries[position]?.id),
    (positions) =>
      positions
        .filter((position) => !active.has(rows[position]?.seq ?? null))
        .flatMap((position) => entryMessages(entries[position] ?? {})),
  );
  return { abandoned, rejoined };
}

function activeRows(db: ForeignDatabase, id: string): Row[] {
  return hasTables(db, "session_transcript_active_events")
    ? db.all(
        `SELECT e.seq, e.event_json FROM session_transcript_active_events a
           JOIN transcript_events e ON e.session_id = a.session_id AND e.seq = a.event_seq
          WHERE a.session_id = ? ORDER BY a.active_position`,
        id,
      )
    : [];
}

function windowMeta(db: ForeignDatabase, id: string, row: Row): Partial<WholeConversation["meta"]> {
  const before = textColumn(row, "previous_session_id");
  const caller = textColumn(row, "spawned_by");
  const parent = caller === undefined ? before : (sessionOf(db, caller) ?? before);
  const title = titleFrom(textColumn(row, "display_name") ?? nodeName(db, textColumn(row, "session_key")));
  return {
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined || parent === id
      ? {}
      : { parent, parent_kind: caller === undefined ? "fork" : "subagent" }),
  };
}

function sessionOf(db: ForeignDatabase, key: string): string | undefined {
  if (!hasTables(db, "session_nodes")) return undefined;
  const row = db.get("SELECT current_session_id FROM session_nodes WHERE session_key = ?", key);
  return row && textColumn(row, "current_session_id");
}

function nodeName(db: ForeignDatabase, key: string | undefined): string | undefined {
  if (key === undefined || !hasTables(db, "session_nodes")) return undefined;
  const row = db.get(
    `SELECT ${presentColumns(db, "session_nodes", ["display_name", "label"])} FROM session_nodes WHERE session_key = ?`,
    key,
  );
  return row && (textColumn(row, "display_name") ?? textColumn(row, "label"));
}
