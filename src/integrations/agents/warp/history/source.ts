/**
 * Warp: a database that restores the window. Each conversation has tasks, stored as Protocol Buffers; the prompts, with
 * their folders and times, are also in a table of their own.
 */
import type { Message } from "../../../../conversations/model.ts";
import { asArray, asObject, firstString, isObject, parseJson } from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, isoColumn, textColumn } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import { ProtoMessage } from "../../../history/reading/protobuf.ts";
import type { ForeignDatabase, Row } from "../../../history/reading/sqlite.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { warpDatabases } from "../integration.ts";
import { taskMessages } from "./task.ts";

const ID = "warp";

export const warpHistory: Source = databaseSource({
  id: ID,
  places: (env) => warpDatabases(env).map((path) => ({ path, what: "conversations that Warp can restore" })),
  discover: (env) => warpDatabases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions(db) {
    if (!hasTables(db, "agent_conversations", "agent_tasks", "ai_queries")) return undefined;
    const rows = db.all(
      `SELECT c.conversation_id AS id, c.last_modified_at AS modified,
          (SELECT count(*) || ' ' || max(last_modified_at) || ' ' || sum(length(task)) FROM agent_tasks t
             WHERE t.conversation_id = c.conversation_id) AS tasks,
          (SELECT count(*) FROM ai_queries q WHERE q.conversation_id = c.conversation_id) AS queries
         FROM agent_conversations c ORDER BY c.conversation_id`,
    );
    return rows.map((row) => ({ id: String(row.id), mark: `${row.modified} ${row.tasks} ${row.queries}` }));
  },
  load,
});

function load(db: ForeignDatabase, id: string, { container, sink }: ReadRequest): WholeConversation {
  const row = db.get(
    "SELECT conversation_data, last_modified_at FROM agent_conversations WHERE conversation_id = ?",
    id,
  );
  const tasks = db.all("SELECT task_id, task FROM agent_tasks WHERE conversation_id = ? ORDER BY id", id);
  const queries = db.all(
    "SELECT exchange_id, start_ts, input, working_directory, model_id FROM ai_queries WHERE conversation_id = ? ORDER BY start_ts, id",
    id,
  );
  const read = tasks.map((task) => (task.task instanceof Uint8Array ? ProtoMessage.read(task.task) : undefined));
  const damaged = read.filter((task) => task === undefined).length;
  if (damaged > 0) sink.malformed(container.path, `${damaged} tasks of conversation ${id} cannot be read`);
  const whole = read.flatMap(asList);
  const messages = whole.flatMap(taskMessages);
  const [first] = queries;
  return {
    meta: {
      id,
      title: titleFrom(titleIn(row) ?? whole[0]?.text(2)),
      project: queries.map((query) => textColumn(query, "working_directory")).find((folder) => folder !== undefined),
      created: first && isoColumn(first, "start_ts"),
      updated: row && isoColumn(row, "last_modified_at"),
      model: queries.map((query) => textColumn(query, "model_id")).findLast((model) => model !== undefined),
    },
    messages: messages.some((message) => message.role === "user")
      ? messages
      : [...queries.flatMap(queryMessages), ...messages],
  };
}

function titleIn(row: Row | undefined): string | undefined {
  return firstString(asObject(parseJson((row && textColumn(row, "conversation_data")) ?? "")), "title");
}

/** For conversations whose tasks are gone: the prompts alone. */
function queryMessages(row: Row): Message[] {
  const text = textColumn(row, "input") ?? "";
  const input = parseJson(text);
  const typed = Array.isArray(input)
    ? asArray(input).flatMap((each) => {
        const query = asObject(each);
        return isObject(query.Query) ? (firstString(query.Query, "text") ?? []) : (firstString(query, "query") ?? []);
      })
    : [text];
  const parts = typed.flatMap((each) => asList(textPart("text", each)));
  return unlessEmpty({ role: "user", time: isoColumn(row, "start_ts"), uid: textColumn(row, "exchange_id"), parts });
}
