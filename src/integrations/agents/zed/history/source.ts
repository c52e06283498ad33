/** Zed: all threads in one database, each a JSON document that is compressed and replaced whole at every save. */
import { constants, zstdDecompressSync } from "node:zlib";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, isObject, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, presentColumns, textColumn } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import { columnText, type ForeignDatabase, type Row } from "../../../history/reading/sqlite.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { zedDatabases } from "../integration.ts";
import { threadMessages } from "./thread.ts";

const ID = "zed";
const MAX_THREAD_BYTES = 200 << 20;
const COLUMNS = [
  "summary",
  "updated_at",
  "data_type",
  "data",
  "parent_id",
  "folder_paths",
  "folder_paths_order",
  "created_at",
];

export const zedHistory: Source = databaseSource({
  id: ID,
  places: (env) => zedDatabases(env).map((path) => ({ path, what: "threads of Zed's agent" })),
  discover: (env) => zedDatabases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions(db) {
    if (!hasTables(db, "threads")) return undefined;
    const rows = db.all("SELECT id, updated_at, length(data) AS size FROM threads ORDER BY id");
    return rows.map((row) => ({ id: String(row.id), mark: `${row.updated_at} ${row.size}` }));
  },
  load,
});

function load(db: ForeignDatabase, id: string, { container, sink }: ReadRequest): WholeConversation | undefined {
  const row = db.get(`SELECT ${presentColumns(db, "threads", COLUMNS)} FROM threads WHERE id = ?`, id);
  if (!row) return undefined;
  const thread = documentOf(row);
  if (!thread) {
    sink.malformed(container.path, `thread ${id} cannot be unpacked`);
    return undefined;
  }
  const parent = textColumn(row, "parent_id") ?? firstString(asObject(thread.subagent_context), "parent_thread_id");
  return {
    meta: {
      id,
      title: titleFrom(textColumn(row, "summary") ?? firstString(thread, "title", "summary")),
      project: firstFolder(row) ?? snapshotFolder(thread),
      created: toIso(textColumn(row, "created_at")),
      updated: toIso(textColumn(row, "updated_at")),
      model: firstString(asObject(thread.model), "model"),
      ...(parent === undefined ? {} : { parent, parent_kind: "subagent" }),
    },
    messages: withSessionUsage(
      threadMessages(thread),
      requestUsage(thread.cumulative_token_usage, {}, defined({ id: requestId(ID, "thread", id) })),
    ),
  };
}

function documentOf(row: Row): JsonObject | undefined {
  const { data } = row;
  if (row.data_type !== "zstd") return objectIn(columnText(data));
  if (!(data instanceof Uint8Array)) return undefined;
  try {
    const options = { maxOutputLength: MAX_THREAD_BYTES, finishFlush: constants.ZSTD_e_flush };
    return objectIn(zstdDecompressSync(data, options).toString("utf8"));
  } catch {
    return undefined;
  }
}

function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Folders are stored by name, and the order in which they are shown apart from them. */
function firstFolder(row: Row): string | undefined {
  const folders = (textColumn(row, "folder_paths") ?? "").split("\n").filter((folder) => folder !== "");
  const first = Number((textColumn(row, "folder_paths_order") ?? "").split(",").indexOf("0"));
  return folders[first] ?? folders[0];
}

function snapshotFolder(thread: JsonObject): string | undefined {
  const { worktree_snapshots: snapshots } = asObject(thread.initial_project_snapshot);
  return Array.isArray(snapshots) ? asString(asObject(snapshots[0]).worktree_path) : undefined;
}
