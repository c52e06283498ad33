/**
 * Goose: a database since version 1.10, and before it a file per session. The upgrade copied the files into the
 * database and left them behind, so dex reads a file only if the database does not have its session.
 */
import { basename, join } from "node:path";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
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
  "parent_session_id",
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
  const rows = db.all(
    `SELECT s.id, s.updated_at, count(m.id) AS messages, max(m.id) AS last FROM sessions s
       JOIN messages m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id`,
  );
  return rows.map((row) => ({ id: String(row.id), mark: `${row.updated_at} ${row.messages} ${row.last}` }));
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
    messages: withSessionUsage(
      gooseMessages(
        rows.map((each) => ({
          id: textColumn(each, "message_id") ?? String(each.id),
          role: textColumn(each, "role"),
          created: timeColumn(each, "created_timestamp"),
          content: parseJson(columnText(each.content_json)),
          metadata: asObject(parseJson(textColumn(each, "metadata_json") ?? "")),
        })),
      ),
      usageOf(id, row),
    ),
  };
}

/** goose records only the tokens of the whole session. */
function usageOf(id: string, row: Row): Usage[] | undefined {
  const tokens = { input: Number(row.accumulated_input_tokens), output: Number(row.accumulated_output_tokens) };
  return requestUsage(tokens, {}, defined({ id: requestId(ID, "session", id) }));
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
