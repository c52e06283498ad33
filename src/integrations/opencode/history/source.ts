/**
 * OpenCode: a database per release channel, and the JSON files of the versions before 1.2. A session that was moved
 * from the files into a database is read from the database.
 */
import { isAbsolute, join } from "node:path";
import type { Json } from "../../../kernel/json.ts";
import { asArray, asObject, asString } from "../../../kernel/json.ts";
import { databaseContainer, listDir } from "../../history/reading/files.ts";
import { ForeignDatabaseError, stampedCache, withDatabase } from "../../history/reading/sqlite.ts";
import { silent } from "../../history/reading/tail.ts";
import { ConversationWriter } from "../../history/reading/writer.ts";
import type { Container, HistoryPlace, ReadRequest, Sink, Source, SourceEnv } from "../../history/source.ts";
import { type LoadedSession, marksToJson, OpencodeDatabase, savedMarks } from "./database.ts";
import { messageModel } from "./parts.ts";
import { joinedMessages } from "./projected.ts";
import { readTree, treeContainers } from "./tree.ts";

export const opencodeHistory: Source = { id: "opencode", places, discover, read };

/** `opencode.db` of a release, `opencode-<channel>.db` of any other. */
const DATABASE = /^opencode.*\.db$/;

function places(env: SourceEnv): HistoryPlace[] {
  const data = dataFolder(env);
  const own = ownDatabase(env);
  return [
    { path: join(data, "opencode.db"), what: "sessions; other channels in opencode-<channel>.db" },
    ...(own ? [{ path: own, what: "sessions (OPENCODE_DB)" }] : []),
    { path: join(data, "storage"), what: "sessions of versions before 1.2" },
    { path: join(data, "project"), what: "sessions of the first versions, in <project>/storage" },
  ];
}

function discover(env: SourceEnv): Container[] {
  const data = dataFolder(env);
  const older = join(data, "project");
  return [
    ...databases(env),
    ...treeContainers(join(data, "storage")),
    ...listDir(older).flatMap(({ name }) => treeContainers(join(older, name, "storage"))),
  ];
}

function databases(env: SourceEnv): Container[] {
  const data = dataFolder(env);
  const paths = listDir(data)
    .map((entry) => entry.name)
    .filter((name) => DATABASE.test(name))
    .sort()
    .map((name) => join(data, name));
  const own = ownDatabase(env);
  return [...new Set([...paths, ...(own ? [own] : []), ...chatDatabases(env)])].flatMap(
    (path) => databaseContainer(opencodeHistory.id, path) ?? [],
  );
}

/** Chats that dex itself held, each in a data folder of its own. */
function chatDatabases(env: SourceEnv): string[] {
  const { chats } = env;
  if (chats === undefined) return [];
  const folders = listDir(chats).map((entry) => join(chats, entry.name, "data", "opencode"));
  return folders.sort().flatMap((folder) =>
    listDir(folder)
      .filter((entry) => DATABASE.test(entry.name))
      .map((entry) => join(folder, entry.name)),
  );
}

function dataFolder(env: SourceEnv): string {
  return join(env.vars.XDG_DATA_HOME || join(env.home, ".local", "share"), "opencode");
}

/** OPENCODE_DB: a path, or a name in the data folder. */
function ownDatabase(env: SourceEnv): string | undefined {
  const named = env.vars.OPENCODE_DB;
  if (!named || named === ":memory:") return undefined;
  return isAbsolute(named) ? named : join(dataFolder(env), named);
}

function read(request: ReadRequest): Json | undefined {
  return request.container.path.endsWith(".json") ? readJsonSession(request) : readDatabase(request);
}

function readJsonSession(request: ReadRequest): Json | undefined {
  const { container, env, sink, state } = request;
  if (asString(asObject(state).stamp) === container.stamp) return state;
  const session = readTree(container.path, sink);
  if (!session) return state;
  if (databases(env).some((database) => sessionsIn(database).has(session.meta.id))) return { stamp: container.stamp };
  write(sink, { ...session, stored: session.messages, projected: [], malformed: [] });
  return { stamp: container.stamp };
}

const sessionCache = stampedCache<ReadonlySet<string>>();

function sessionsIn(database: Container): ReadonlySet<string> {
  return sessionCache(database.path, database.stamp, () => {
    const ids = withDatabase(database.path, silent, (db) => {
      const sessions = new OpencodeDatabase(db);
      return sessions.usable ? db.snapshot(() => sessions.filled()) : undefined;
    });
    return ids ?? new Set();
  });
}

function readDatabase({ container, sink, state }: ReadRequest): Json | undefined {
  const retry = asArray(asObject(state).retry).flatMap((id) => asString(id) ?? []);
  const next = withDatabase(container.path, sink, (db): Json | undefined => {
    const sessions = new OpencodeDatabase(db);
    if (!sessions.usable) {
      sink.malformed(container.path, "has no sessions");
      return undefined;
    }
    // The marks are read first: rows written while dex reads sessions are later than the marks.
    const changes = db.snapshot(() => sessions.changes(savedMarks(state), retry, Date.now()));
    const failed: string[] = [];
    for (const [done, id] of changes.sessions.entries()) {
      sink.progress?.(done / changes.sessions.length);
      try {
        const session = db.snapshot(() => sessions.load(id));
        for (const what of session?.malformed ?? []) sink.malformed(container.path, what);
        if (session) write(sink, session);
      } catch (error) {
        if (!(error instanceof ForeignDatabaseError)) throw error;
        sink.malformed(container.path, `session ${id} ${error.message}`);
        failed.push(id);
      }
    }
    return { marks: marksToJson(changes.marks), ...(failed.length > 0 ? { retry: failed } : {}) };
  });
  return next ?? state;
}

function write(sink: Sink, session: LoadedSession): void {
  const models = [...session.stored, ...session.projected].flatMap(({ data }) => messageModel(data) ?? []);
  const writer = new ConversationWriter(sink, { ...session.meta, model: session.meta.model ?? models.at(-1) });
  for (const message of joinedMessages(session.stored, session.projected)) {
    writer.message(message);
    if (writer.refused) return;
  }
  writer.close();
}
