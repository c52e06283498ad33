/** A short sound history of every source, to be mutated: records of line files, and documents that are one record. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const DAY = "2026-03-04";
const at = (second: number): string => `${DAY}T10:00:${String(second % 60).padStart(2, "0")}.000Z`;
const uuid = (number: number): string => `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000001`;

/** Files of one record a line. `n` tells the conversations apart. */
export interface LineSeed {
  source: string;
  path(n: number): string;
  records(n: number): object[];
}

const claude = (n: number): object[] => {
  const common = { isSidechain: false, cwd: "/srv/demo", sessionId: uuid(n), gitBranch: "main", entrypoint: "cli" };
  return [
    { type: "summary", summary: "The ledger", leafUuid: "u3" },
    {
      ...common,
      type: "user",
      uuid: "u1",
      parentUuid: null,
      timestamp: at(1),
      message: { role: "user", content: "fix it" },
    },
    {
      ...common,
      type: "assistant",
      uuid: "u2",
      parentUuid: "u1",
      timestamp: at(2),
      message: {
        id: "m1",
        role: "assistant",
        model: "x",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } },
        ],
      },
    },
    {
      ...common,
      type: "user",
      uuid: "u3",
      parentUuid: "u2",
      timestamp: at(3),
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok", is_error: false }] },
      toolUseResult: { stdout: "ok" },
    },
    { type: "queue-operation", operation: "enqueue", content: "and more", timestamp: at(4), sessionId: uuid(n) },
    { type: "custom-title", customTitle: "Mine", sessionId: uuid(n) },
  ];
};

const codex = (n: number): object[] => [
  {
    timestamp: at(1),
    type: "session_meta",
    payload: {
      id: uuid(n),
      timestamp: at(1),
      cwd: "/work/shop",
      originator: "codex-tui",
      source: "cli",
      git: { branch: "main" },
    },
  },
  { timestamp: at(2), type: "turn_context", payload: { turn_id: "a", cwd: "/work/shop", model: "gpt-9" } },
  {
    timestamp: at(3),
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: "what is here" }] },
  },
  {
    timestamp: at(4),
    type: "response_item",
    payload: { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" },
  },
  { timestamp: at(5), type: "response_item", payload: { type: "function_call_output", call_id: "c1", output: "a.ts" } },
  { timestamp: at(6), type: "event_msg", payload: { type: "agent_message", message: "one file" } },
];

const gemini = (n: number): object[] => [
  { sessionId: uuid(n), projectHash: "p", startTime: at(0), lastUpdated: at(0) },
  { id: "u1", timestamp: at(1), type: "user", content: [{ text: "why" }] },
  {
    id: "g1",
    timestamp: at(2),
    type: "gemini",
    content: "because",
    thoughts: [],
    model: "gemini-9",
    toolCalls: [{ id: "c", name: "run_shell_command", args: { command: "ls" }, status: "success", result: [] }],
  },
  { $set: { lastUpdated: at(3), summary: "Why" } },
  { $rewindTo: "g1" },
];

const copilot = (n: number): object[] => {
  const event = (type: string, second: number, data: object): object => ({
    type,
    id: `${n}-${second}`,
    timestamp: at(second),
    data,
  });
  return [
    event("session.start", 0, {
      sessionId: uuid(n),
      version: 1,
      startTime: at(0),
      context: { cwd: "/work/site", branch: "main" },
    }),
    event("user.message", 1, { content: "make it sticky", attachments: [{ type: "file", path: "/a.css" }] }),
    event("assistant.message", 2, {
      messageId: "m1",
      content: "I look.",
      toolRequests: [{ toolCallId: "t1", name: "bash", arguments: { command: "ls" } }],
    }),
    event("tool.execution_complete", 3, { toolCallId: "t1", success: true, result: { content: "a.css" } }),
    event("session.compaction_complete", 4, { success: true, summaryContent: "Sticky." }),
  ];
};

const factory = (n: number): object[] => [
  { type: "session_start", id: uuid(n), title: "Rename", version: 2, cwd: "/home/ada/ferry" },
  {
    type: "message",
    id: "m1",
    timestamp: at(1),
    message: { role: "user", content: [{ type: "text", text: "rename" }] },
  },
  {
    type: "message",
    id: "m2",
    timestamp: at(2),
    message: { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Grep", input: { pattern: "x" } }] },
  },
  {
    type: "message",
    id: "m3",
    timestamp: at(3),
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x.ts" }] },
  },
  { type: "compaction_state", id: "c1", timestamp: at(4), summaryText: "Renaming.", removedCount: 3 },
];

const pi = (n: number): object[] => [
  { type: "session", id: uuid(n), timestamp: at(0), cwd: "/home/ada/tides", provider: "acme", modelId: "coder-1" },
  { type: "message", timestamp: at(1), message: { role: "user", content: "draw" } },
  {
    type: "message",
    timestamp: at(2),
    message: {
      role: "assistant",
      model: "coder-1",
      content: [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } }],
    },
  },
  {
    type: "message",
    timestamp: at(3),
    message: {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [{ type: "text", text: "x" }],
      isError: true,
    },
  },
  { type: "compaction", timestamp: at(4), summary: "Half drawn.", firstKeptEntryIndex: 2, tokensBefore: 900 },
];

const cursor = (n: number): object[] => [
  { role: "user", message: { content: [{ type: "text", text: `<user_query>\nquestion ${n}\n</user_query>` }] } },
  {
    role: "assistant",
    message: {
      content: [
        { type: "text", text: "answer" },
        { type: "tool_use", name: "Shell", input: { command: "ls" } },
      ],
    },
  },
];

export const LINE_SEEDS: readonly LineSeed[] = [
  { source: "claude_code", path: (n) => `.claude/projects/-srv-demo/${uuid(n)}.jsonl`, records: claude },
  {
    source: "codex",
    path: (n) => `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${uuid(n)}.jsonl`,
    records: codex,
  },
  { source: "gemini", path: (n) => `.gemini/tmp/parser/chats/session-2026-03-04T10-00-${n}.jsonl`, records: gemini },
  { source: "copilot", path: (n) => `.copilot/session-state/${uuid(n)}/events.jsonl`, records: copilot },
  { source: "factory_droid", path: (n) => `.factory/sessions/-home-ada-ferry/${uuid(n)}.jsonl`, records: factory },
  { source: "pi", path: (n) => `.pi/agent/sessions/--home-ada-tides--/2026_${uuid(n)}.jsonl`, records: pi },
  { source: "cursor", path: (n) => `.cursor/projects/work-pier/agent-transcripts/t${n}/t${n}.jsonl`, records: cursor },
];

const AIDER = `
# aider chat started at ${DAY} 10:00:00

> Aider v0.86.1
> Main model: acme/coder-2 with diff edit format

#### Make list_notes return newest first

I sort by \`created\`.

> Applied edit to src/notes.py
> Commit 85995a7 feat: list notes newest first
`;

const SPECSTORY = `<!-- Generated by SpecStory -->

# ${DAY} Page

_**User (${DAY} 10:00:00Z)**_

Make the page blue

---

_**Agent (${DAY} 10:00:05Z)**_

I read the style sheet.

---
`;

/** Files of plain lines. Their agents leave them in the project: here that is the home. */
export const TEXT_SEEDS: readonly { source: string; path(n: number): string; text: string }[] = [
  { source: "aider", path: (n) => `work/p${n}/.aider.chat.history.md`, text: AIDER },
  { source: "specstory", path: (n) => `work/p${n}/.specstory/history/${DAY}_10-00Z-page.md`, text: SPECSTORY },
];

/** Documents that are one JSON value each. */
export const DOCUMENT_SEEDS: readonly { source: string; path(n: number): string; document(n: number): object }[] = [
  {
    source: "cline",
    path: (n) =>
      `.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/${1_700_000_000_000 + n}/api_conversation_history.json`,
    document: () => [
      { role: "user", content: [{ type: "text", text: "<task>\nmake the kite fly\n</task>" }] },
      { role: "assistant", content: [{ type: "text", text: "<read_file>\n<path>kite.ts</path>\n</read_file>" }] },
    ],
  },
  {
    source: "gemini",
    path: (n) => `.gemini/tmp/parser/chats/session-old-${n}.json`,
    document: (n) => ({ sessionId: uuid(n + 5000), startTime: at(0), messages: gemini(n).slice(1, 3) }),
  },
  {
    source: "opencode",
    path: (n) => `.local/share/opencode/storage/session/p1/ses_${n}.json`,
    document: (n) => ({
      id: `ses_${n}`,
      projectID: "p1",
      directory: "/work",
      title: "Tide",
      version: "1",
      time: { created: 1, updated: 2 },
    }),
  },
];

/** Values of rows, as the databases of the editors hold them. `text` gives a row's value, sound or not. */
export function writeDatabases(home: string, rows: number, text: (value: object) => string): void {
  const cursorPath = join(home, ".config/Cursor/User/globalStorage/state.vscdb");
  mkdirSync(dirname(cursorPath), { recursive: true });
  const state = new DatabaseSync(cursorPath);
  state.exec(
    "PRAGMA synchronous=OFF; BEGIN; CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
  );
  const put = state.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)");
  for (let n = 0; n < rows / 4; n += 1) {
    const headers = [1, 2].map((type) => ({ bubbleId: `b${type}`, type }));
    put.run(
      `composerData:c${n}`,
      text({ _v: 10, composerId: `c${n}`, createdAt: 1, lastUpdatedAt: 2, fullConversationHeadersOnly: headers }),
    );
    put.run(`bubbleId:c${n}:b1`, text({ _v: 3, type: 1, text: `question ${n}`, createdAt: at(1) }));
    put.run(
      `bubbleId:c${n}:b2`,
      text({ _v: 3, type: 2, text: "answer", toolFormerData: { name: "x", params: "{}", result: "{}" } }),
    );
  }
  state.exec("COMMIT");
  state.close();
  const openPath = join(home, ".local/share/opencode/opencode.db");
  mkdirSync(dirname(openPath), { recursive: true });
  const open = new DatabaseSync(openPath);
  open.exec(`PRAGMA synchronous=OFF; BEGIN;
    CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, time_created integer, time_updated integer);
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    INSERT INTO project VALUES ('p1', '/work/tide', 'git', NULL, 0, 0)`);
  for (let n = 0; n < rows / 4; n += 1) {
    open.prepare("INSERT INTO session VALUES (?, 'p1', NULL, 's', '/work', 'Tide', '1', NULL, 1, 2)").run(`ses_${n}`);
    open
      .prepare("INSERT INTO message VALUES (?, ?, 1, 1, ?)")
      .run(`msg_${n}`, `ses_${n}`, text({ role: "user", time: { created: 1 } }));
    open
      .prepare("INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)")
      .run(`prt_${n}`, `msg_${n}`, `ses_${n}`, text({ type: "text", text: `question ${n}` }));
  }
  open.exec("COMMIT");
  open.close();
}

export function put(home: string, path: string, content: string | Buffer): void {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}
