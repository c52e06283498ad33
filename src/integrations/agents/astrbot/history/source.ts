/**
 * AstrBot: one database with a row per conversation, whose messages are one JSON value. The rows of the web chat and of
 * messengers are what people saw; AstrBot stores what the model saw, and dex reads that.
 */
import { dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, firstString, isObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { requestUsage, withRequests } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, isoColumn, presentColumns, textColumn } from "../../../history/forms/database.ts";
import { databaseContainer, listDir } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { DATABASES, launcherInstances, ownFolders } from "../integration.ts";
import { messagesOf, type TurnTimes } from "./messages.ts";
import { statedTimes } from "./stated_times.ts";

const ID = "astrbot";
const CONVERSATION = ["user_id", "title", "created_at", "updated_at"];
const REQUEST = [
  "id",
  "provider_model",
  "token_input_other",
  "token_input_cached",
  "token_output",
  "end_time",
  "created_at",
];

/** The names of the same things in both versions. */
interface Version {
  table: string;
  id: string;
  messages: string;
}

const VERSIONS: readonly Version[] = [
  { table: "conversations", id: "conversation_id", messages: "content" },
  { table: "webchat_conversation", id: "cid", messages: "history" },
];

export const astrbotHistory: Source = {
  ...databaseSource({
    id: ID,
    places: (env) => dataFolders(env).map((path) => ({ path, what: `conversations, in ${DATABASES.join(" or ")}` })),
    discover: (env) => dataFolders(env).flatMap((folder) => databaseIn(folder)),
    sessions,
    load,
  }),
  besideCode: ({ path }: Container) => ({ project: dirname(dirname(path)), history: path }),
};

function dataFolders(env: SourceEnv): string[] {
  const instances = listDir(launcherInstances(env)).map(({ name }) =>
    join(launcherInstances(env), name, "core", "data"),
  );
  return [...new Set([...ownFolders(env), ...instances, ...env.roots.map((root) => join(root, "data"))])].sort();
}

/** The newest one. */
function databaseIn(folder: string): Container[] {
  for (const name of DATABASES) {
    const found = databaseContainer(ID, join(folder, name));
    if (found) return [found];
  }
  return [];
}

function versionOf(db: ForeignDatabase): Version | undefined {
  return VERSIONS.find(({ table }) => hasTables(db, table));
}

function sessions(db: ForeignDatabase): { id: string; mark: string }[] | undefined {
  const version = versionOf(db);
  if (!version) return undefined;
  const { table, id, messages } = version;
  const rows = db.all(
    `SELECT ${id} AS id, ${presentColumns(db, table, ["user_id", "title", "updated_at"])}, length(${messages}) AS size
       FROM ${table} WHERE ${id} IS NOT NULL ORDER BY ${id}`,
  );
  // Rows that other tables have about a conversation are written after it.
  const requests = lastOf(db, "provider_stats", "conversation_id", "id");
  const shown = lastOf(db, "platform_message_history", "user_id", "id");
  const titles = lastOf(db, "platform_sessions", "session_id", "display_name");
  return rows.map((row) => {
    const session = sessionOf(row);
    const others = [requests.get(String(row.id)), shown.get(session), titles.get(session)];
    return { id: String(row.id), mark: [row.updated_at, row.size, row.title, ...others].join(" ") };
  });
}

/** Of each group of rows. */
function lastOf(db: ForeignDatabase, table: string, group: string, column: string): Map<string, unknown> {
  const columns = db.columns(table);
  if (!columns.has(group) || !columns.has(column)) return new Map();
  const rows = db.all(`SELECT ${group} AS name, max(${column}) AS last FROM ${table} GROUP BY ${group}`);
  return new Map(rows.map((row) => [String(row.name), row.last]));
}

/** The session of the web chat is the last part of the name of its user. */
function sessionOf(row: Row): string {
  return textColumn(row, "user_id")?.split("!").at(-1) ?? "";
}

function load(db: ForeignDatabase, id: string, { container, sink }: ReadRequest): WholeConversation | undefined {
  const version = versionOf(db);
  if (!version) return undefined;
  const { table, messages } = version;
  const columns = presentColumns(db, table, CONVERSATION);
  const row = db.get(`SELECT ${columns}, ${messages} AS messages FROM ${table} WHERE ${version.id} = ?`, id);
  if (!row) return undefined;
  const content = parseJson(columnText(row.messages) || "[]");
  if (content === undefined) sink.malformed(container.path, `conversation ${id} is not JSON`);
  const records = asArray(content).filter(isObject);
  const requests = requestsOf(db, id);
  const [created, updated] = [isoColumn(row, "created_at"), isoColumn(row, "updated_at")];
  const session = sessionOf(row);
  const parent = parentOf(db, textColumn(row, "user_id") ?? "", session);
  return {
    meta: {
      id,
      title: titleFrom(textColumn(row, "title") ?? shownTitle(db, session)),
      model: requests.at(-1)?.model,
      created,
      updated,
      ...(parent === undefined || parent === id ? {} : { parent, parent_kind: "fork" }),
    },
    messages: withUsage(
      messagesOf(records, statedTimes(records, created, updated), (turn) => timesOf(db, turn)),
      requests,
    ),
  };
}

/** The web chat names its sessions; a conversation without a title of its own has that of the session. */
function shownTitle(db: ForeignDatabase, session: string): string | undefined {
  if (!db.columns("platform_sessions").has("display_name")) return undefined;
  const row = db.get("SELECT display_name FROM platform_sessions WHERE session_id = ?", session);
  return row && textColumn(row, "display_name");
}

/** A side thread of the web chat begins at one turn of a session, which is in the conversation of the session. */
function parentOf(db: ForeignDatabase, user: string, session: string): string | undefined {
  if (!db.columns("webchat_threads").has("base_checkpoint_id")) return undefined;
  const thread = db.get(
    "SELECT parent_session_id, base_checkpoint_id FROM webchat_threads WHERE thread_id = ?",
    session,
  );
  const [outer, turn] = [
    thread && textColumn(thread, "parent_session_id"),
    thread && textColumn(thread, "base_checkpoint_id"),
  ];
  if (outer === undefined || turn === undefined) return undefined;
  const row = db.get(
    "SELECT conversation_id FROM conversations WHERE user_id = ? AND instr(content, ?) > 0 ORDER BY conversation_id",
    user.slice(0, user.length - session.length) + outer,
    turn,
  );
  return row && textColumn(row, "conversation_id");
}

function timesOf(db: ForeignDatabase, turn: string): TurnTimes {
  if (turn === "" || !db.columns("platform_message_history").has("llm_checkpoint_id")) return {};
  const times: TurnTimes = {};
  const rows = db.all(
    `SELECT ${presentColumns(db, "platform_message_history", ["sender_id", "content", "created_at"])}
       FROM platform_message_history WHERE llm_checkpoint_id = ? ORDER BY id`,
    turn,
  );
  for (const row of rows) {
    const time = isoColumn(row, "created_at");
    if (isAnswer(row)) times.answer = time;
    else times.prompt ??= time;
  }
  return times;
}

function isAnswer(row: Row): boolean {
  const kind = firstString(asObject(parseJson(columnText(row.content))), "type");
  return kind === undefined ? row.sender_id === "bot" : kind === "bot";
}

/** A row for each answer, with the sum of its requests. */
function requestsOf(db: ForeignDatabase, conversation: string): Usage[] {
  if (!db.columns("provider_stats").has("conversation_id")) return [];
  const rows = db.all(
    `SELECT ${presentColumns(db, "provider_stats", REQUEST)} FROM provider_stats WHERE conversation_id = ? ORDER BY id`,
    conversation,
  );
  return rows.flatMap((row) => {
    const counts: JsonObject = {
      input: Number(row.token_input_other ?? 0),
      cacheRead: Number(row.token_input_cached ?? 0),
      output: Number(row.token_output ?? 0),
    };
    const facts = {
      id: requestId(ID, conversation, String(row.id)),
      time: toIso(Number(row.end_time ?? 0)) ?? isoColumn(row, "created_at"),
      model: textColumn(row, "provider_model"),
    };
    return requestUsage(counts, {}, defined(facts)) ?? [];
  });
}

/** Without times, all of them belong to the last message. */
function withUsage(messages: Message[], requests: readonly Usage[]): Message[] {
  if (messages.some(({ time }) => time !== undefined)) return withRequests(messages, requests);
  const last = messages.at(-1);
  return last && requests.length > 0 ? messages.with(-1, { ...last, usage: [...requests] }) : messages;
}
