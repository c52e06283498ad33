/**
 * Hermes Agent: one database per profile, and files beside it. Compaction keeps the summarised rows, marked, and
 * repeats the head and the tail of the conversation in new rows: dex keeps the first copy of a row.
 */
import { join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { type Json, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { asList } from "../../../history/building/messages.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables, presentColumns, textColumn, timeColumn } from "../../../history/forms/database.ts";
import { documentSource } from "../../../history/forms/document.ts";
import { databaseContainer, listDir } from "../../../history/reading/files.ts";
import type { ForeignDatabase, Row } from "../../../history/reading/sqlite.ts";
import type { HistoryPlace, Source, SourceEnv } from "../../../history/source.ts";
import { hermesHome } from "../integration.ts";
import { sessionFiles, sessionInFile } from "./files.ts";
import { type HermesRecord, recordMessages } from "./messages.ts";

const ID = "hermes";
const SESSION = [
  "source",
  "model",
  "parent_session_id",
  "started_at",
  "ended_at",
  "end_reason",
  "title",
  "cwd",
  "git_branch",
];
/** Sums that grow with every request; the input excludes the cache, and the output includes reasoning. */
const TOKENS = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"];
const COSTS = ["actual_cost_usd", "estimated_cost_usd"];
const MESSAGE = [
  "id",
  "role",
  "content",
  "tool_call_id",
  "tool_calls",
  "tool_name",
  "timestamp",
  "reasoning",
  "reasoning_content",
  "active",
  "compacted",
];

const stored: Source = databaseSource({
  id: ID,
  places,
  discover: (env) => folders(env).flatMap((folder) => asList(databaseContainer(ID, join(folder, "state.db")))),
  sessions,
  load,
});

const filed: Source = documentSource({
  id: ID,
  places,
  discover: (env) => folders(env).flatMap((folder) => sessionFiles(ID, folder)),
  read: sessionInFile,
});

export const hermesHistory: Source = {
  id: ID,
  places,
  discover: (env) => [...stored.discover(env), ...filed.discover(env)],
  read: (request) => (request.container.path.endsWith(".db") ? stored : filed).read(request),
};

function places(env: SourceEnv): HistoryPlace[] {
  return [
    { path: join(hermesHome(env), "state.db"), what: "sessions" },
    { path: join(hermesHome(env), "sessions"), what: "sessions that the database does not have" },
    { path: join(hermesHome(env), "profiles"), what: "sessions of other profiles, in <profile>/state.db" },
  ];
}

/** Its own, and those of its profiles. */
function folders(env: SourceEnv): string[] {
  const profiles = join(hermesHome(env), "profiles");
  return [hermesHome(env), ...listDir(profiles).map(({ name }) => join(profiles, name))].sort();
}

function sessions(db: ForeignDatabase): { id: string; mark: string }[] | undefined {
  if (!hasTables(db, "messages")) return undefined;
  const columns = db.columns("messages");
  const active = columns.has("active") ? "sum(active)" : "0";
  const rows = db.all(
    `SELECT session_id, count(*) AS messages, max(id) AS last, ${active} AS active FROM messages
       GROUP BY session_id ORDER BY session_id`,
  );
  const used = new Map(
    hasTables(db, "sessions")
      ? db
          .all(`SELECT id, ${presentColumns(db, "sessions", [...TOKENS, ...COSTS])} FROM sessions`)
          .map(({ id, ...counts }) => [id, Object.values(counts).join(" ")])
      : [],
  );
  return rows.map((row) => ({
    id: String(row.session_id),
    mark: `${row.messages} ${row.last} ${row.active} ${used.get(row.session_id) ?? ""}`,
  }));
}

function load(db: ForeignDatabase, id: string): WholeConversation {
  const known = hasTables(db, "sessions")
    ? db.get(
        `SELECT ${presentColumns(db, "sessions", [...SESSION, ...TOKENS, ...COSTS])} FROM sessions WHERE id = ?`,
        id,
      )
    : undefined;
  const columns = presentColumns(db, "messages", MESSAGE);
  const rows = db.all(`SELECT ${columns} FROM messages WHERE session_id = ? ORDER BY id`, id);
  const taken = rows.filter((row) => !isRewound(row));
  return {
    meta: { id, ...(known ? metaOf(known) : {}) },
    messages: withSessionUsage(messagesOf(taken), known && usageOf(known, id)),
    abandoned: rewoundRuns(rows).map((run) => ({ key: String(run[0]?.id), messages: messagesOf(run) })),
  };
}

function metaOf(row: Row): Partial<WholeConversation["meta"]> {
  const parent = textColumn(row, "parent_session_id");
  const origin = textColumn(row, "source");
  return defined({
    title: titleFrom(textColumn(row, "title")),
    project: textColumn(row, "cwd"),
    branch: textColumn(row, "git_branch"),
    model: textColumn(row, "model"),
    created: toIso(timeColumn(row, "started_at")),
    updated: toIso(timeColumn(row, "ended_at")),
    parent,
    parent_kind: parent === undefined ? undefined : origin === "subagent" ? ("subagent" as const) : ("fork" as const),
    headless: origin === "cron" ? true : undefined,
  });
}

function usageOf(row: Row, id: string): Usage[] | undefined {
  const counts = Object.fromEntries(TOKENS.map((name) => [name, Number(row[name] ?? 0)]));
  const cost = COSTS.map((name) => Number(row[name] ?? 0)).find((sum) => sum > 0);
  return requestUsage(counts, {}, defined({ id: requestId(ID, "session", id), cost }));
}

function isRewound(row: Row): boolean {
  return row.active === 0 && row.compacted !== 1;
}

/** Rows that one step back left behind are neighbours, and the row after them is the next prompt. */
function rewoundRuns(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = [];
  for (const [at, row] of rows.entries()) {
    if (!isRewound(row)) continue;
    const before = rows[at - 1];
    if (before && isRewound(before)) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  return runs;
}

function messagesOf(rows: readonly Row[]): Message[] {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  return rows.flatMap((row) => {
    const copy = `${row.role} ${row.timestamp} ${row.content} ${row.tool_call_id} ${row.tool_calls}`;
    if (seen.has(copy)) return [];
    seen.add(copy);
    return recordMessages(recordOf(row), names);
  });
}

function recordOf(row: Row): HermesRecord {
  const chat = {
    role: textColumn(row, "role"),
    content: contentOf(textColumn(row, "content")),
    tool_calls: parseJson(textColumn(row, "tool_calls") ?? ""),
    tool_call_id: textColumn(row, "tool_call_id"),
    tool_name: textColumn(row, "tool_name"),
    reasoning: textColumn(row, "reasoning_content") ?? textColumn(row, "reasoning"),
  };
  return { chat: defined(chat), time: toIso(timeColumn(row, "timestamp")), uid: String(row.id) };
}

const PARTS_MARK = "\0json:";

/** A message with images is stored as a marked list of parts. */
function contentOf(text: string | undefined): Json | undefined {
  return text?.startsWith(PARTS_MARK) ? parseJson(text.slice(PARTS_MARK.length)) : text;
}
