/**
 * Cursor's editor: `state.vscdb`, a table of keys and JSON values. The global one has a row per conversation
 * (`composerData:<id>`) and a row per bubble (`bubbleId:<id>:<bubble>`). It grows to gigabytes, so dex queries it by
 * key ranges, and SQLite finds the changes without returning a value. The workspaces' own databases contain the
 * conversations of old versions and name the folder of a conversation.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { asArray, asObject, asString, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { compareText } from "../../../../kernel/text.ts";
import { toIso } from "../../../../kernel/time.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { writeAbandoned } from "../../../history/forms/conversation.ts";
import { databaseContainer, stampedCache } from "../../../history/reading/files.ts";
import { type ForeignDatabase, ForeignDatabaseError, withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { Container, ReadRequest, Sink, SourceEnv } from "../../../history/source.ts";
import { userFolder } from "../integration.ts";
import { type Composer, ComposerReader, inlineMessages, type LoadedComposer } from "./composer.ts";
import { workspaceFolder } from "./projects.ts";
import { chatTitle } from "./prompt.ts";
import { oldChats } from "./workspaces.ts";

const SOURCE = "cursor";
/** Raised when dex reads more of a conversation than before: it then reads all of them once more. */
const READING = 2;

export function globalState(env: SourceEnv): string {
  return join(userFolder(env), "globalStorage", "state.vscdb");
}

const composerCache = stampedCache<ReadonlyMap<string, Composer>>();

/** The conversation with that id in the editor's database, for the other stores that keep the same conversation. */
export function composerOf(env: SourceEnv, id: string): Composer | undefined {
  const container = databaseContainer(SOURCE, globalState(env));
  if (!container) return undefined;
  return composersIn(container).get(id);
}

function composersIn(container: Container): ReadonlyMap<string, Composer> {
  return composerCache(container.path, container.stamp, () => {
    const list = withDatabase(container.path, silent, (db) => db.snapshot(() => composers(db)));
    return new Map((list ?? []).map((composer) => [composer.id, composer]));
  });
}

export function readGlobalState(request: ReadRequest): Json | undefined {
  const { container, env, sink, state } = request;
  const read = asObject(asObject(state).composers);
  const next = withDatabase(container.path, sink, (db): Json => {
    const list = db.snapshot(() => composers(db));
    const reader = new ComposerReader(db, env, list);
    const hashes: JsonObject = {};
    for (const [done, composer] of list.toSorted(newestFirst).entries()) {
      sink.progress?.(done / list.length);
      const key = digest(composer.id);
      if (read[key] === composer.hash) {
        hashes[key] = composer.hash;
        continue;
      }
      try {
        const loaded = db.snapshot(() => reader.load(composer));
        hashes[key] = composer.hash;
        for (const what of loaded.malformed) sink.malformed(container.path, what);
        write(sink, loaded);
      } catch (error) {
        if (!(error instanceof ForeignDatabaseError)) throw error;
        sink.malformed(container.path, `composer ${composer.id} ${error.message}`);
      }
    }
    return { composers: hashes };
  });
  return next ?? state;
}

function newestFirst(a: Composer, b: Composer): number {
  return compareText(b.updated ?? b.created ?? "", a.updated ?? a.created ?? "") || compareText(a.id, b.id);
}

/** A workspace's database: conversations that exist nowhere else, of the versions before the composer. */
export function readWorkspaceState(request: ReadRequest): Json | undefined {
  const { container, env, sink, state } = request;
  const read = asObject(asObject(state).chats);
  const folder = workspaceFolder(dirname(dirname(dirname(container.path))), basename(dirname(container.path)));
  const next = withDatabase(container.path, sink, (db): Json => {
    const { chats, malformed } = db.snapshot(() => oldChats(db));
    if (malformed !== undefined) sink.malformed(container.path, malformed);
    const hashes: JsonObject = {};
    for (const chat of chats) {
      const key = digest(chat.id);
      hashes[key] = digest(JSON.stringify(chat.data));
      if (hashes[key] === read[key]) continue;
      if (composerOf(env, chat.id)?.filled) continue;
      const meta = { id: chat.id, source: SOURCE, title: chatTitle(chat.title), project: folder, ...chat.times };
      write(sink, { meta, messages: inlineMessages(chat.bubbles, asObject(chat.data)), malformed: [] });
    }
    return { chats: hashes };
  });
  return next ?? state;
}

function write(sink: Sink, { meta, messages, ...branches }: LoadedComposer): void {
  const writer = new ConversationWriter(sink, meta);
  for (const message of messages) {
    writer.message(message);
    if (writer.refused) return;
  }
  writer.close();
  writeAbandoned(sink, meta, branches);
}

/** Rows may be empty: Cursor leaves the key of a conversation it deleted. */
function composers(db: ForeignDatabase): Composer[] {
  if (!db.columns("cursorDiskKV").has("value")) return [];
  const rows = db.all(`
    SELECT id, size, filled OR inline AS filled, head FROM (
      SELECT substr(key, 14) AS id, octet_length(value) AS size,
        EXISTS (SELECT 1 FROM cursorDiskKV AS bubble WHERE bubble.key >= 'bubbleId:' || substr(data.key, 14) || ':'
          AND bubble.key < 'bubbleId:' || substr(data.key, 14) || ';' AND bubble.value IS NOT NULL) AS filled,
        CASE WHEN json_valid(CAST(value AS TEXT)) THEN
          coalesce(json_array_length(CAST(value AS TEXT), '$.conversation'), 0) > 0 END AS inline,
        CASE WHEN json_valid(CAST(value AS TEXT)) THEN json_extract(CAST(value AS TEXT), '$.lastUpdatedAt', '$.createdAt',
          '$.status', '$.name', '$.subagentComposerIds') END AS head
      FROM cursorDiskKV AS data WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL)
    ORDER BY id`);
  return rows.map((row): Composer => {
    const head = asString(row.head) ?? "";
    const [updated, created, , name, children] = asArray(parseJson(head));
    return {
      id: String(row.id),
      hash: digest(`${READING} ${row.size} ${row.filled} ${head}`),
      filled: row.filled === 1,
      title: chatTitle(asString(name)),
      created: toIso(created),
      updated: toIso(updated),
      children: asArray(children).flatMap((child) => asString(child) ?? []),
    };
  });
}

/** Short: the state keeps two for each conversation, of its id and of its content. */
function digest(text: string): string {
  return createHash("sha1").update(text).digest("base64url").slice(0, 8);
}
