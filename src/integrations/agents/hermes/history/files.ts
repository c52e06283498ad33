/**
 * The files beside Hermes' database: `sessions/session_<id>.json`, rewritten at every turn, and `sessions/<id>.jsonl`.
 * Older versions wrote only these; others write both, and then the database counts.
 */
import { basename, dirname, join } from "node:path";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { hasTables } from "../../../history/forms/database.ts";
import { allRecords, wholeObject } from "../../../history/forms/document.ts";
import { databaseContainer, fileContainer, listDir, stampedCache } from "../../../history/reading/files.ts";
import { withDatabase } from "../../../history/reading/sqlite.ts";
import type { Container, ReadRequest } from "../../../history/source.ts";
import { chatOf, recordMessages } from "./messages.ts";

/** Beside them are an index of the sessions and dumps of requests. */
const SESSION_FILE = /^session_.*\.json$|\.jsonl$/;

export function sessionFiles(source: string, folder: string): Container[] {
  const sessions = join(folder, "sessions");
  const names = listDir(sessions).map(({ name }) => name);
  return names
    .filter((name) => SESSION_FILE.test(name))
    .sort()
    .flatMap((name) => asList(fileContainer(source, join(sessions, name))));
}

/** Undefined while the file, or the database that may have the session, cannot be read. */
export function sessionInFile(request: ReadRequest): WholeConversation[] | undefined {
  const { path } = request.container;
  const isLog = path.endsWith(".jsonl");
  const facts = isLog ? {} : wholeObject(request);
  if (!facts) return undefined;
  const records = isLog ? allRecords(request) : asArray(facts.messages).map(asObject);
  const id = firstString(facts, "session_id") ?? basename(path).replace(/^session_(?=.*\.json$)|\.jsonl?$/g, "");
  const stored = isStored(request, id);
  if (stored === undefined) return undefined;
  const names = new Map<string, string>();
  const messages = records.flatMap((record) =>
    recordMessages({ chat: chatOf(record), time: toIso(record.timestamp) }, names),
  );
  return stored || messages.length === 0 ? [] : [{ meta: { id, ...metaOf(facts, request) }, messages }];
}

const storedIds = stampedCache<ReadonlySet<string> | undefined>();

function isStored({ container: { path, source }, sink }: ReadRequest, id: string): boolean | undefined {
  const database = databaseContainer(source, join(dirname(dirname(path)), "state.db"));
  if (!database) return false;
  const ids = storedIds(database.path, database.stamp, () =>
    withDatabase(database.path, sink, (db) => {
      const rows = hasTables(db, "messages") ? db.all("SELECT DISTINCT session_id FROM messages") : [];
      return new Set(rows.map((row) => String(row.session_id)));
    }),
  );
  return ids?.has(id);
}

function metaOf(facts: JsonObject, { env }: ReadRequest): Partial<WholeConversation["meta"]> {
  const folder = firstString(facts, "cwd") ?? firstString(asObject(facts.model_config), "cwd");
  return defined({
    project: folder?.replace(/^~(?=\/|$)/, env.home),
    model: firstString(facts, "model"),
    created: toIso(facts.session_start),
    updated: toIso(facts.last_updated),
    headless: facts.platform === "cron" ? true : undefined,
  });
}
