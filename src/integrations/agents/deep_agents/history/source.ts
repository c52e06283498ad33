/**
 * Deep Agents: the checkpoints of LangGraph in one database, which has no titles. A thread is a conversation, and so is
 * each subagent that it started.
 */
import { join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import type { Json } from "../../../../kernel/json.ts";
import { asList } from "../../../history/building/messages.ts";
import { conversationOf, type WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import type { ForeignDatabase } from "../../../history/reading/sqlite.ts";
import type { ReadRequest, Source, SourceEnv } from "../../../history/source.ts";
import { deepAgentsHome } from "../integration.ts";
import {
  type Checkpoint,
  checkpointBranches,
  checkpointsOf,
  lastText,
  MESSAGES,
  type Place,
  stateMessages,
  summaryRecord,
} from "./checkpoints.ts";
import { MessageLog, recordsOf } from "./message_log.ts";
import { messagesOf } from "./messages.ts";

const ID = "deep_agents";
const DATABASE = "sessions.db";
/** The node that runs tools: a subagent is the graph of one of its tasks, `tools:<task>`. */
const TOOLS = "tools:";

export const deepAgentsHistory: Source = databaseSource({
  id: ID,
  places: (env) => databases(env).map((path) => ({ path, what: "threads and their subagents" })),
  discover: (env) => databases(env).flatMap((path) => asList(databaseContainer(ID, path))),
  sessions,
  load,
});

/** Older versions kept it in the folder itself, and the upgrade moves it. */
function databases(env: SourceEnv): string[] {
  return [join(deepAgentsHome(env), ".state", DATABASE), join(deepAgentsHome(env), DATABASE)];
}

function sessions(db: ForeignDatabase): { id: string; mark: string }[] | undefined {
  if (!hasTables(db, "checkpoints")) return undefined;
  const marks = new Map<string, string>();
  for (const table of hasTables(db, "writes") ? ["checkpoints", "writes"] : ["checkpoints"]) {
    // Everything that is asked for is in the index of the key: the values may have gigabytes.
    const rows = db.all(
      `SELECT thread_id, checkpoint_ns, count(*) AS rows, max(rowid) AS last FROM ${table}
         GROUP BY thread_id, checkpoint_ns ORDER BY thread_id, checkpoint_ns`,
    );
    for (const row of rows) {
      const place = { thread: String(row.thread_id), namespace: String(row.checkpoint_ns) };
      if (!isConversation(place)) continue;
      const id = idOf(place);
      marks.set(id, `${marks.get(id) ?? ""} ${row.rows} ${row.last}`);
    }
  }
  return Array.from(marks, ([id, mark]) => ({ id, mark }));
}

/** Graphs in other nodes are parts of the agent: they grade an answer, or decide whether a command may run. */
function isConversation({ namespace }: Place): boolean {
  return namespace === "" || namespace.startsWith(TOOLS);
}

function idOf({ thread, namespace }: Place): string {
  return namespace === "" ? thread : `${thread}:${namespace}`;
}

function placeOf(id: string): Place {
  const at = id.indexOf(`:${TOOLS}`);
  return at < 0 ? { thread: id, namespace: "" } : { thread: id.slice(0, at), namespace: id.slice(at + 1) };
}

/** The namespace names the nodes from the outside to the inside; a number tells several graphs of one node apart. */
function outerOf(namespace: string): string {
  const nodes = namespace.split("|");
  while (/^\d+$/.test(nodes.at(-1) ?? "")) nodes.pop();
  return nodes.slice(0, -1).join("|");
}

function load(db: ForeignDatabase, id: string, request: ReadRequest): WholeConversation | undefined {
  const place = placeOf(id);
  const checkpoints = checkpointsOf(db, place);
  const agents = subagentsOf(db, place);
  const seen = new Set<string>();
  const messagesAt = (positions: readonly number[]): Message[] => {
    const log = logOf(
      db,
      place,
      positions.flatMap((position) => asList(checkpoints[position])),
      request,
    );
    // A branch may state the messages before it, which are those of the conversation.
    const own = log.messages().filter(({ record }) => !seen.has(String(record.id)));
    for (const { record } of own) if (typeof record.id === "string") seen.add(record.id);
    return messagesOf(ID, own, (task) => agents.get(task));
  };
  const { namespace, thread } = place;
  const meta = {
    id,
    project: lastText(checkpoints, "cwd"),
    branch: lastText(checkpoints, "git_branch"),
    created: checkpoints[0]?.time,
    updated: checkpoints.at(-1)?.time,
    ...(namespace === ""
      ? {}
      : { parent: idOf({ thread, namespace: outerOf(namespace) }), parent_kind: "subagent" as const }),
  };
  return conversationOf(meta, checkpointBranches(checkpoints), (position) => checkpoints[position]?.id, messagesAt);
}

/** The messages of the checkpoints of one branch. */
function logOf(
  db: ForeignDatabase,
  place: Place,
  checkpoints: readonly Checkpoint[],
  { container, sink }: ReadRequest,
): MessageLog {
  const log = new MessageLog();
  let broken = 0;
  for (const [position, { id, isAlone, time, writes }] of checkpoints.entries()) {
    const state = isAlone ? stateMessages(db, place, id) : undefined;
    if (state === null) broken += 1;
    else if (state) log.replaceAll(recordsOf(state), time);
    const after = checkpoints[position + 1]?.time ?? time;
    for (const { channel, task, value } of writes) {
      if (value === undefined) broken += 1;
      else if (channel === MESSAGES) log.write(value, after, task);
      else note(log, value, after);
    }
  }
  if (broken > 0) sink.malformed(container.path, `thread ${idOf(place)} has ${broken} values that cannot be read`);
  return log;
}

function note(log: MessageLog, value: Json, time: string | undefined): void {
  const [record] = recordsOf(summaryRecord(value) ?? []);
  if (record) log.note(record, time);
}

/** The subagents that the tasks of these checkpoints ran. */
function subagentsOf(db: ForeignDatabase, { thread, namespace }: Place): Map<string, string> {
  const start = namespace === "" ? TOOLS : `${namespace}|${TOOLS}`;
  const rows = db.all(
    "SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = ? AND substr(checkpoint_ns, 1, ?) = ? ORDER BY checkpoint_ns",
    thread,
    start.length,
    start,
  );
  const inner = rows.map((row) => String(row.checkpoint_ns)).filter((each) => outerOf(each) === namespace);
  // A node may run several graphs, of which the first one has no number: it is the last one to be set.
  const pairs = inner.toReversed().map((each) => [each.slice(start.length).split("|", 1)[0] ?? "", each] as const);
  return new Map(pairs.map(([task, each]) => [task, idOf({ thread, namespace: each })]));
}
