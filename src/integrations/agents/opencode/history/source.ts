/**
 * OpenCode: a database per release channel, and the JSON files of the versions before 1.2. A session that was moved
 * from the files into a database is read from the database.
 */
import { isAbsolute, join } from "node:path";
import type { Json } from "../../../../kernel/json.ts";
import { asArray, asObject, asString } from "../../../../kernel/json.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { writeAbandoned } from "../../../history/forms/conversation.ts";
import { databaseContainer, listDir, stampedCache } from "../../../history/reading/files.ts";
import { ForeignDatabaseError, withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { Container, HistoryPlace, ReadRequest, Sink, Source, SourceEnv } from "../../../history/source.ts";
import { opencodeData } from "../integration.ts";
import { type LoadedSession, OpencodeDatabase } from "./database.ts";
import { marksToJson, savedMarks } from "./marks.ts";
import { messageModel } from "./parts.ts";
import { joinedMessages } from "./projected.ts";
import { splitAt } from "./reverted.ts";
import { readTree, treeContainers } from "./tree.ts";

/** An agent made from OpenCode: its id, its data folders and the variable that names a database. */
interface OpencodeFamily {
  id: string;
  data(env: SourceEnv): string[];
  /** The database of a release; those of other channels match `databases`. */
  database: string;
  databases: RegExp;
  variable?: string;
}

/** `opencode.db` of a release, `opencode-<channel>.db` of any other. */
const DATABASE = /^opencode.*\.db$/;

export const opencodeHistory: Source = opencodeStyleSource({
  id: "opencode",
  data: (env) => [opencodeData(env)],
  database: "opencode.db",
  databases: DATABASE,
  variable: "OPENCODE_DB",
});

export function opencodeStyleSource(family: OpencodeFamily): Source {
  return {
    id: family.id,
    places: (env) => places(family, env),
    discover: (env) => discover(family, env),
    read: (request) =>
      request.container.path.endsWith(".json") ? readJsonSession(family, request) : readDatabase(family, request),
  };
}

function places(family: OpencodeFamily, env: SourceEnv): HistoryPlace[] {
  const own = ownDatabase(family, env);
  return [
    ...family.data(env).flatMap((data) => [
      { path: join(data, family.database), what: "sessions; those of other channels beside it" },
      { path: join(data, "storage"), what: "sessions of older versions" },
      { path: join(data, "project"), what: "sessions of the first versions, in <project>/storage" },
    ]),
    ...(own ? [{ path: own, what: `sessions (${family.variable})` }] : []),
  ];
}

function discover(family: OpencodeFamily, env: SourceEnv): Container[] {
  return [
    ...databases(family, env),
    ...family.data(env).flatMap((data) => {
      const older = join(data, "project");
      return [
        ...treeContainers(family.id, join(data, "storage")),
        ...listDir(older).flatMap(({ name }) => treeContainers(family.id, join(older, name, "storage"))),
      ];
    }),
  ];
}

function databases(family: OpencodeFamily, env: SourceEnv): Container[] {
  const paths = family.data(env).flatMap((data) =>
    listDir(data)
      .map((entry) => entry.name)
      .filter((name) => family.databases.test(name))
      .sort()
      .map((name) => join(data, name)),
  );
  const own = ownDatabase(family, env);
  const chats = family.databases === DATABASE ? chatDatabases(env) : [];
  return [...new Set([...paths, ...(own ? [own] : []), ...chats])].flatMap(
    (path) => databaseContainer(family.id, path) ?? [],
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

/** The variable holds a path, or a name in the data folder. */
function ownDatabase(family: OpencodeFamily, env: SourceEnv): string | undefined {
  const named = family.variable && env.vars[family.variable];
  if (!named || named === ":memory:") return undefined;
  return isAbsolute(named) ? named : join(family.data(env)[0] ?? "", named);
}

function readJsonSession(family: OpencodeFamily, request: ReadRequest): Json | undefined {
  const { container, env, sink, state } = request;
  if (asString(asObject(state).stamp) === container.stamp) return state;
  const session = readTree(container.path, sink);
  if (!session) return state;
  const moved = databases(family, env).some((database) => sessionsIn(database).has(session.meta.id));
  if (!moved) write(family, sink, { ...session, stored: session.messages, projected: [], malformed: [] });
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

function readDatabase(family: OpencodeFamily, { container, sink, state }: ReadRequest): Json | undefined {
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
        if (session) write(family, sink, session);
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

function write(family: OpencodeFamily, sink: Sink, session: LoadedSession): void {
  const models = [...session.stored, ...session.projected].flatMap(({ data }) => messageModel(data) ?? []);
  const meta = { ...session.meta, source: family.id, model: session.meta.model ?? models.at(-1) };
  const writer = new ConversationWriter(sink, meta);
  const split = splitAt(session, session.revert);
  const { stored, projected } = split?.kept ?? session;
  for (const message of joinedMessages(stored, projected)) {
    writer.message(message);
    if (writer.refused) return;
  }
  writer.close();
  const undone = split && { key: session.revert?.part ?? session.revert?.message ?? "", ...split.undone };
  // Any other prompt may have been undone before, and be back now.
  const prompts = session.stored.filter(({ id, data }) => data.role === "user" && id !== undone?.key);
  writeAbandoned(sink, meta, {
    abandoned: undone ? [{ key: undone.key, messages: joinedMessages(undone.stored, undone.projected) }] : [],
    rejoined: prompts.map(({ id }) => id),
  });
}
