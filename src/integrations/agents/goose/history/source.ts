/**
 * Goose: a database since version 1.10, and before it a file per session. The upgrade copied the files into the
 * database and left them behind, so dex reads a file only if the database does not have its session.
 */
import { basename, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import { requestUsage, withRequests, withSessionUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import {
  databaseSource,
  hasTables,
  isoColumn,
  presentColumns,
  textColumn,
  timeColumn,
} from "../../../history/forms/database.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { databaseContainer, fileContainer, listDir, stampedCache } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row, withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { Container, ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { gooseSessions } from "../integration.ts";
import { gooseMessages } from "./message.ts";

const ID = "goose";
const SESSION_COLUMNS = [
  "name",
  "description",
  "session_type",
  "working_dir",
  "created_at",
  "updated_at",
  "model_config_json",
  "accumulated_input_tokens",
  "accumulated_output_tokens",
  "accumulated_cache_read_tokens",
  "accumulated_cache_write_tokens",
  "accumulated_cost",
  "parent_session_id",
];
const LEDGER_COLUMNS = [
  "id",
  "created_timestamp",
  "model",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cost",
];
const MESSAGE_COLUMNS = ["id", "message_id", "role", "content_json", "created_timestamp", "metadata_json"];

const form = {
  id: ID,
  places: (env: SourceEnv) => [{ path: gooseSessions(env), what: "sessions.db; before 1.10 one file per session" }],
  discover,
};
const stored = databaseSource({ ...form, sessions, load });
const files = documentSource({ ...form, read: readFile });

export const gooseHistory: Source = {
  ...form,
  read: (request) => (request.container.path.endsWith(".db") ? stored : files).read(request),
};

function discover(env: SourceEnv): Container[] {
  const folder = gooseSessions(env);
  const names = listDir(folder).map(({ name }) => name);
  const logs = names.filter((name) => name.endsWith(".jsonl")).sort();
  return [
    ...asList(databaseContainer(ID, join(folder, "sessions.db"))),
    ...logs.flatMap((name) => asList(fileContainer(ID, join(folder, name)))),
  ];
}

function sessions(db: ForeignDatabase): { id: string; mark: string }[] | undefined {
  if (!hasTables(db, "sessions", "messages")) return undefined;
  const used = db.columns("sessions").has("accumulated_input_tokens") ? "s.accumulated_input_tokens" : "0";
  const rows = db.all(
    `SELECT s.id, s.updated_at, ${used} AS used, count(m.id) AS messages, max(m.id) AS last FROM sessions s
       JOIN messages m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id`,
  );
  return rows.map((row) => ({
    id: String(row.id),
    mark: `${row.updated_at} ${row.messages} ${row.last} ${row.used ?? 0} ${ledger(db, String(row.id)).length}`,
  }));
}

function load(db: ForeignDatabase, id: string): WholeConversation | undefined {
  const row = db.get(`SELECT ${presentColumns(db, "sessions", SESSION_COLUMNS)} FROM sessions WHERE id = ?`, id);
  if (!row) return undefined;
  const type = textColumn(row, "session_type");
  if (type === "hidden") return undefined;
  const parent = textColumn(row, "parent_session_id");
  const rows = db.all(
    `SELECT ${presentColumns(db, "messages", MESSAGE_COLUMNS)} FROM messages WHERE session_id = ?
       ORDER BY created_timestamp, id`,
    id,
  );
  return {
    meta: {
      id,
      title: titleFrom(textColumn(row, "name") ?? textColumn(row, "description")),
      project: textColumn(row, "working_dir"),
      created: isoColumn(row, "created_at"),
      updated: isoColumn(row, "updated_at"),
      model: firstString(asObject(parseJson(textColumn(row, "model_config_json") ?? "")), "model_name"),
      ...(type === "scheduled" ? { headless: true } : {}),
      ...(parent === undefined ? {} : { parent, parent_kind: "subagent" }),
    },
    messages: withUsage(
      db,
      row,
      id,
      gooseMessages(
        rows.map((each) => ({
          id: textColumn(each, "message_id") ?? String(each.id),
          role: textColumn(each, "role"),
          created: timeColumn(each, "created_timestamp"),
          content: parseJson(columnText(each.content_json)),
          metadata: asObject(parseJson(textColumn(each, "metadata_json") ?? "")),
        })),
      ),
    ),
  };
}

/** Newer versions keep a ledger of all requests; before, there is only the sum of the session. */
function withUsage(db: ForeignDatabase, session: Row, id: string, messages: Message[]): Message[] {
  const requests = ledger(db, id).flatMap((row) => {
    const facts = {
      id: requestId(ID, id, String(row.id)),
      time: isoColumn(row, "created_timestamp"),
      model: textColumn(row, "model"),
    };
    return counted(row, "", facts) ?? [];
  });
  if (requests.length > 0) return withRequests(messages, requests);
  return withSessionUsage(messages, counted(session, "accumulated_", { id: requestId(ID, "session", id) }));
}

interface RequestFacts {
  id: string | undefined;
  time?: string | undefined;
  model?: string | undefined;
}

/** goose counts the tokens of the cache as part of the input. */
function counted(row: Row, prefix: string, facts: RequestFacts): Usage[] | undefined {
  const number = (name: string): number => Number(row[prefix + name] ?? 0);
  const counts = {
    input: number("input_tokens"),
    output: number("output_tokens"),
    cacheRead: number("cache_read_tokens"),
    cacheWrite: number("cache_write_tokens"),
  };
  const cost = number("cost");
  return requestUsage(counts, { inputHasCache: true }, defined({ ...facts, cost: cost > 0 ? cost : undefined }));
}

function ledger(db: ForeignDatabase, session: string): Row[] {
  if (!db.columns("usage_ledger").has("session_id")) return [];
  const columns = presentColumns(db, "usage_ledger", LEDGER_COLUMNS);
  return db.all(`SELECT ${columns} FROM usage_ledger WHERE session_id = ? ORDER BY created_timestamp, id`, session);
}

function readFile(request: ReadRequest): WholeConversation[] {
  const id = basename(request.container.path, ".jsonl");
  if (moved(request.env).has(id)) return [];
  const [head = {}, ...rest] = allRecords(request);
  const hasHead = head.role === undefined;
  return [
    {
      meta: {
        id,
        title: hasHead ? titleFrom(asString(head.description)) : undefined,
        project: firstString(head, "working_dir"),
        created: toIso(head.created_at),
        updated: toIso(head.updated_at),
      },
      messages: gooseMessages(
        (hasHead ? rest : [head, ...rest]).map((record) => ({
          id: asString(record.id),
          role: asString(record.role),
          created: record.created,
          content: record.content,
          metadata: asObject(record.metadata),
        })),
      ),
    },
  ];
}

const movedCache = stampedCache<ReadonlySet<string>>();

/** The sessions that the database has. */
function moved(env: SourceEnv): ReadonlySet<string> {
  const database = databaseContainer(ID, join(gooseSessions(env), "sessions.db"));
  if (!database) return new Set();
  return movedCache(database.path, database.stamp, () => {
    const listed = withDatabase(database.path, silent, (db) => db.snapshot(() => sessions(db)));
    return new Set(listed?.map(({ id }) => id));
  });
}
