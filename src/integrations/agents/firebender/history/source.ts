/**
 * Firebender: a database in the project's `.idea` folder; each session is a row with all its messages, and so is each
 * of its subagents, by the call that started it.
 */
import { dirname } from "node:path";
import { asArray, asObject, isObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { asList } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, textColumn, timeColumn } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import type { Container, ReadRequest, Source } from "../../../history/source.ts";
import { firebenderDatabases } from "../integration.ts";

const ID = "firebender";

export const firebenderHistory: Source = {
  ...databaseSource({
    id: ID,
    places: (env) => firebenderDatabases(env).map((path) => ({ path, what: "chats of a project" })),
    discover: (env) => firebenderDatabases(env).flatMap((path) => asList(databaseContainer(ID, path))),
    sessions(db) {
      if (!hasTables(db, "chat_sessions")) return undefined;
      const rows = db.all(
        "SELECT id, updated_at, length(messages_json) AS size FROM chat_sessions WHERE deleted_at IS NULL ORDER BY id",
      );
      return [...rows, ...subagentRows(db)].map((row) => ({
        id: String(row.id),
        mark: `${row.updated_at} ${row.size}`,
      }));
    },
    load,
  }),
  besideCode: ({ path }: Container) => ({ project: projectOf(path), history: path }),
};

/** Between the id of a session and that of the call that started a subagent. */
const CALL = "#";
const SUBAGENTS = `subagent_conversations s JOIN chat_sessions c ON c.id = s.session_id AND c.deleted_at IS NULL`;

function subagentRows(db: ForeignDatabase): Row[] {
  if (!hasTables(db, "subagent_conversations")) return [];
  return db.all(
    `SELECT s.session_id || '${CALL}' || s.tool_call_id AS id, s.updated_at, length(s.messages_json) AS size
       FROM ${SUBAGENTS} ORDER BY 1`,
  );
}

function projectOf(path: string): string {
  return dirname(dirname(dirname(path)));
}

function load(db: ForeignDatabase, id: string, { container }: ReadRequest): WholeConversation | undefined {
  const session = db.get("SELECT name, created_at, updated_at, messages_json FROM chat_sessions WHERE id = ?", id);
  const subagent =
    session || !hasTables(db, "subagent_conversations")
      ? undefined
      : db.get(
          `SELECT s.session_id, s.description AS name, s.created_at, s.updated_at, s.messages_json FROM ${SUBAGENTS}
             WHERE s.session_id || '${CALL}' || s.tool_call_id = ?`,
          id,
        );
  const row = session ?? subagent;
  if (!row) return undefined;
  const names = new Map<string, string>();
  return {
    meta: {
      id: id.replace(CALL, "-"),
      ...(subagent ? { parent: String(subagent.session_id), parent_kind: "subagent" as const } : {}),
      title: titleFrom(textColumn(row, "name")),
      project: projectOf(container.path),
      created: toIso(timeColumn(row, "created_at")),
      updated: toIso(timeColumn(row, "updated_at")),
    },
    messages: asArray(parseJson(columnText(row.messages_json))).flatMap((message) => {
      const messages = chatMessages(inChatForm(asObject(message)), (call) => names.get(call));
      for (const part of messages.flatMap(({ parts }) => parts)) {
        if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
      }
      return messages;
    }),
  };
}

/** A content is a single block, not a list. */
function inChatForm(message: JsonObject): JsonObject {
  return isObject(message.content) ? { ...message, content: [message.content] } : message;
}
