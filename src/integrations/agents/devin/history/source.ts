/** Devin CLI: one database; the messages of a session form a tree whose leaf is the latest row. */
import type { Message } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { branchesOf } from "../../../history/building/branch.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { asList } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { conversationOf, type WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, presentColumns, textColumn, timeColumn } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import type { Source } from "../../../history/source.ts";
import { devinDatabases } from "../integration.ts";

const ID = "devin";
const SESSION = ["title", "working_directory", "model", "created_at", "last_activity_at", "hidden"];

export const devinHistory: Source = databaseSource({
  id: ID,
  places: (env) => devinDatabases(env).map((path) => ({ path, what: "sessions" })),
  discover: (env) => devinDatabases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions(db) {
    if (!hasTables(db, "sessions", "message_nodes")) return undefined;
    const rows = db.all(
      `SELECT s.id, count(m.row_id) AS messages, max(m.row_id) AS last, sum(length(m.chat_message)) AS size
         FROM sessions s JOIN message_nodes m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id`,
    );
    return rows.map((row) => ({ id: String(row.id), mark: `${row.messages} ${row.last} ${row.size}` }));
  },
  load,
});

function load(db: ForeignDatabase, id: string): WholeConversation | undefined {
  const row = db.get(`SELECT ${presentColumns(db, "sessions", SESSION)} FROM sessions WHERE id = ?`, id);
  if (!row || row.hidden === 1) return undefined;
  const rows = db.all(
    "SELECT row_id, node_id, parent_node_id, chat_message, created_at FROM message_nodes WHERE session_id = ? ORDER BY row_id",
    id,
  );
  const nodes = rows.map(
    (each): JsonObject => ({ node: idOf(each.node_id), parent: idOf(each.parent_node_id) ?? null }),
  );
  return conversationOf(
    {
      id,
      title: titleFrom(textColumn(row, "title")),
      project: textColumn(row, "working_directory"),
      model: textColumn(row, "model"),
      created: toIso(timeColumn(row, "created_at")),
      updated: toIso(timeColumn(row, "last_activity_at")),
    },
    branchesOf(nodes, "node", "parent"),
    (position) => idOf(rows[position]?.row_id),
    (positions) => {
      const names = new Map<string, string>();
      return positions.flatMap((position) => rowMessages(rows[position] as Row, names));
    },
  );
}

function idOf(value: Row[string] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function rowMessages(row: Row, names: Map<string, string>): Message[] {
  const message = asObject(parseJson(columnText(row.chat_message)));
  const common = defined({ time: toIso(timeColumn(row, "created_at")), uid: String(row.row_id) });
  return chatMessages(message, (id) => names.get(id)).map((each) => {
    for (const part of each.parts)
      if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
    return { ...each, ...common };
  });
}
