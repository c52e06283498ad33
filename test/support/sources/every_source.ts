/**
 * One small conversation in the form of every agent dex reads, with chosen words in every field of the form. For tests
 * of one field in all agents.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The words of each field. A form without a field leaves it out. */
export interface Fields {
  id: string;
  parent: string;
  title: string;
  prompt: string;
  answer: string;
  thinking: string;
  tool: string;
  call: string;
  command: string;
  output: string;
  file: string;
  project: string;
  branch: string;
  model: string;
  link: string;
  uid: string;
  /** ISO 8601. */
  time: string;
}

/** For ids that are also names of files. */
function fileName(id: string): string {
  const name = id.replaceAll(/[/\0]/g, "_").slice(0, 60).toWellFormed();
  return /^\.{0,2}$/.test(name) ? `_${name}` : name;
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const call = (f: Fields): object => ({
  type: "tool_use",
  id: f.call,
  name: f.tool,
  input: { command: f.command, file_path: f.file },
});

function claudeCode(home: string, f: Fields): void {
  const common = { sessionId: f.id, cwd: f.project, gitBranch: f.branch, timestamp: f.time, entrypoint: "cli" };
  const record = (uuid: string, fields: object): object => ({ parentUuid: null, ...common, uuid, ...fields });
  const records = [
    record(f.uid, { type: "user", message: { role: "user", content: f.prompt } }),
    record(`${f.uid} 2`, {
      type: "assistant",
      message: {
        id: "m1",
        role: "assistant",
        model: f.model,
        content: [{ type: "thinking", thinking: f.thinking }, { type: "text", text: f.answer }, call(f)],
      },
    }),
    record(`${f.uid} 3`, {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: f.call, content: f.output }] },
    }),
    { type: "pr-link", prUrl: f.link, sessionId: f.id },
    { type: "summary", summary: f.title, leafUuid: "elsewhere" },
  ];
  const folder = join(home, ".claude/projects/-srv-demo");
  put(join(folder, `${fileName(f.id)}.jsonl`), lines(records));
  // The same with a separate title, and as the transcript of a subagent.
  const titled = [...records, { type: "custom-title", customTitle: f.title, sessionId: f.id }];
  put(join(folder, `t-${fileName(f.id)}.jsonl`), lines(titled));
  put(join(folder, `agent-${fileName(f.id)}.jsonl`), lines(records.map((each) => ({ ...each, sessionId: f.parent }))));
}

function codex(home: string, f: Fields): void {
  const line = (type: string, payload: object): object => ({ timestamp: f.time, type, payload });
  const item = (payload: object): object => line("response_item", payload);
  put(
    join(home, `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${fileName(f.id)}.jsonl`),
    lines([
      line("session_meta", {
        id: f.id,
        timestamp: f.time,
        cwd: f.project,
        originator: "codex-tui",
        source: "cli",
        git: { branch: f.branch },
        forked_from_id: f.parent,
      }),
      line("turn_context", { turn_id: f.uid, cwd: f.project, model: f.model }),
      item({ type: "message", role: "user", content: [{ type: "input_text", text: f.prompt }] }),
      line("event_msg", { type: "user_message", message: f.prompt }),
      item({ type: "reasoning", summary: [{ type: "summary_text", text: f.thinking }] }),
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text: f.answer }] }),
      item({
        type: "function_call",
        name: f.tool,
        arguments: JSON.stringify({ command: f.command, file_path: f.file }),
        call_id: f.call,
      }),
      item({ type: "function_call_output", call_id: f.call, output: f.output }),
    ]),
  );
}

function copilot(home: string, f: Fields): void {
  const event = (type: string, data: object): object => ({ type, data, id: f.uid, timestamp: f.time });
  put(
    join(home, ".copilot/session-state", fileName(f.id), "events.jsonl"),
    lines([
      event("session.start", {
        startTime: f.time,
        selectedModel: f.model,
        context: { cwd: f.project, branch: f.branch },
      }),
      event("user.message", { content: f.prompt, attachments: [{ type: "file", path: f.file }] }),
      event("assistant.message", {
        messageId: f.uid,
        content: f.answer,
        reasoningText: f.thinking,
        model: f.model,
        toolRequests: [{ toolCallId: f.call, name: f.tool, arguments: { command: f.command, path: f.file } }],
      }),
      event("tool.execution_complete", { toolCallId: f.call, success: true, result: { content: f.output } }),
      event("session.title_changed", { title: f.title }),
    ]),
  );
}

function pi(home: string, f: Fields): void {
  const message = (id: string, message: object): object => ({ type: "message", id, timestamp: f.time, message });
  put(
    join(home, ".pi/agent/sessions/--srv-demo--", `2026-03-04T10-00-00-000Z_${fileName(f.id)}.jsonl`),
    lines([
      { type: "session", id: f.id, timestamp: f.time, cwd: f.project, parentSession: `/old/2026_${f.parent}.jsonl` },
      message(f.uid, { role: "user", content: f.prompt }),
      message(`${f.uid} 2`, {
        role: "assistant",
        model: f.model,
        content: [
          { type: "thinking", thinking: f.thinking },
          { type: "text", text: f.answer },
          { type: "toolCall", id: f.call, name: f.tool, arguments: { command: f.command, path: f.file } },
        ],
      }),
      message(`${f.uid} 3`, {
        role: "toolResult",
        toolCallId: f.call,
        toolName: f.tool,
        content: [{ type: "text", text: f.output }],
      }),
      { type: "session_info", id: "n", timestamp: f.time, name: f.title },
    ]),
  );
}

function factoryDroid(home: string, f: Fields): void {
  const message = (id: string, role: string, content: unknown): object => ({
    type: "message",
    id,
    timestamp: f.time,
    message: { role, content, model: f.model },
  });
  put(
    join(home, ".factory/sessions/-srv-demo", `${fileName(f.id)}.jsonl`),
    lines([
      {
        type: "session_start",
        id: f.id,
        title: f.title,
        cwd: f.project,
        timestamp: f.time,
        callingSessionId: f.parent,
      },
      message(f.uid, "user", [{ type: "text", text: f.prompt }]),
      message(`${f.uid} 2`, "assistant", [{ type: "text", text: f.answer }, call(f)]),
      message(`${f.uid} 3`, "user", [{ type: "tool_result", tool_use_id: f.call, content: f.output }]),
    ]),
  );
}

function gemini(home: string, f: Fields): void {
  const folder = join(home, ".gemini/tmp", `p-${fileName(f.id).slice(0, 40)}`);
  put(join(folder, ".project_root"), f.project);
  put(
    join(folder, "chats", `session-${fileName(f.id)}.json`),
    JSON.stringify({
      sessionId: f.id,
      projectHash: "ffff",
      startTime: f.time,
      lastUpdated: f.time,
      summary: f.title,
      messages: [
        { id: f.uid, timestamp: f.time, type: "user", content: [{ text: f.prompt }] },
        {
          id: `${f.uid} 2`,
          timestamp: f.time,
          type: "gemini",
          content: f.answer,
          thoughts: [{ subject: "Plan", description: f.thinking, timestamp: f.time }],
          model: f.model,
          toolCalls: [
            {
              id: f.call,
              name: f.tool,
              args: { command: f.command, file_path: f.file },
              status: "success",
              timestamp: f.time,
              result: [{ functionResponse: { id: f.call, name: f.tool, response: { output: f.output } } }],
            },
          ],
        },
      ],
    }),
  );
}

function cline(home: string, f: Fields): void {
  const task = join(home, ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks", fileName(f.id));
  const history = [
    { role: "user", content: [{ type: "text", text: `<task>\n${f.prompt}\n</task>` }] },
    { role: "assistant", content: [{ type: "text", text: f.answer }, call(f)] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: f.call, content: f.output }] },
  ];
  put(join(task, "api_conversation_history.json"), JSON.stringify(history));
  const item = { task: f.title, workspace: f.project, parentTaskId: f.parent, ts: Date.parse(f.time) || 0 };
  put(join(task, "history_item.json"), JSON.stringify(item));
  put(join(task, "task_metadata.json"), JSON.stringify({ model_usage: [{ model_id: f.model }] }));
}

function aider(home: string, f: Fields): void {
  const folder = join(home, "aider", fileName(f.id));
  mkdirSync(folder, { recursive: true });
  appendFileSync(
    join(folder, ".aider.chat.history.md"),
    `\n# aider chat started at 2026-03-02 09:15:00\n\n> Main model: ${f.model} with diff edit format  \n\n` +
      `#### ${f.prompt}  \n\n${f.answer}\n\n> Applied edit to ${f.file}  \n> Commit 1a2b3c4 ${f.title}  \n\n`,
  );
}

function specstory(home: string, f: Fields): void {
  const folder = join(home, "specstory", fileName(f.id), ".specstory/history");
  const stem = "2026-03-02_09-15-00Z";
  const talk =
    `_**User (${f.time})**_\n\n${f.prompt}\n\n---\n\n_**Agent (${f.model} ${f.time})**_\n\n${f.answer}\n\n` +
    `<tool-use data-tool-type="shell" data-tool-name="${f.tool}"><details>\n<summary>Tool use: **${f.tool}** \`${f.command}\`</summary>\n\n` +
    `\`\`\`\n${f.output}\n\`\`\`\n</details></tool-use>\n\n`;
  const session = `<!-- Claude Code Session ${f.id} (${f.time}) -->\n\n`;
  put(
    join(folder, `${stem}.md`),
    `<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# ${f.title}\n\n${session}${talk}`,
  );
  put(join(`${dirname(dirname(folder))}-2`, ".specstory/history", `${fileName(f.id)}.md`), talk);
}

function opencode(home: string, f: Fields): void {
  const path = join(home, ".local/share/opencode/opencode.db");
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA synchronous=OFF;
    CREATE TABLE IF NOT EXISTS project (id text PRIMARY KEY, worktree text NOT NULL);
    CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text,
      time_created integer, time_updated integer);
    CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text, session_id text, time_created integer,
      time_updated integer, data text);`);
  const at = Date.parse(f.time) || 0;
  const insert = (table: string, ...values: (string | number)[]): void => {
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  };
  insert("session", f.id, "p1", f.parent, f.project, f.title, at, at);
  const message = (id: string, data: object): void => insert("message", id, f.id, at, at, JSON.stringify(data));
  const part = (id: string, of: string, data: object): void =>
    insert("part", id, of, f.id, at, at, JSON.stringify(data));
  const [asked, answered] = [`${f.uid} a ${f.id}`, `${f.uid} b ${f.id}`];
  message(asked, { role: "user", time: { created: at } });
  part(`${asked} 1`, asked, { type: "text", text: f.prompt });
  message(answered, { role: "assistant", modelID: f.model, time: { created: at } });
  part(`${answered} 1`, answered, { type: "reasoning", text: f.thinking });
  part(`${answered} 2`, answered, { type: "text", text: f.answer });
  const state = {
    status: "completed",
    input: { command: f.command, filePath: f.file },
    output: f.output,
    title: f.title,
  };
  part(`${answered} 3`, answered, { type: "tool", tool: f.tool, callID: f.call, state });
  db.close();
}

function cursor(home: string, f: Fields): void {
  const path = join(home, ".config/Cursor/User/globalStorage/state.vscdb");
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA synchronous=OFF;
    CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  const set = (key: string, value: object): void => {
    db.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run(key, JSON.stringify(value));
  };
  const at = Date.parse(f.time) || 0;
  const tool = { name: f.tool, toolCallId: f.call, rawArgs: JSON.stringify({ command: f.command }), result: f.output };
  const bubbles = [
    { type: 1, text: f.prompt, workspaceProjectDir: f.project },
    { type: 2, text: f.answer, thinking: { text: f.thinking }, modelInfo: { modelName: f.model } },
    { type: 2, text: "", toolFormerData: { ...tool, status: "completed" } },
  ];
  for (const [i, bubble] of bubbles.entries()) set(`bubbleId:${f.id}:${f.uid}${i}`, bubble);
  set(`composerData:${f.id}`, {
    composerId: f.id,
    name: f.title,
    createdAt: at,
    lastUpdatedAt: at,
    modelConfig: { modelName: f.model },
    subagentInfo: { parentComposerId: f.parent },
    fullConversationHeadersOnly: bubbles.map(({ type }, i) => ({ bubbleId: `${f.uid}${i}`, type })),
  });
  db.close();
}

/** By the source's name. */
export const WRITERS: Readonly<Record<string, (home: string, fields: Fields) => void>> = {
  claude_code: claudeCode,
  codex,
  cursor,
  opencode,
  gemini,
  copilot,
  pi,
  cline,
  aider,
  factory_droid: factoryDroid,
  specstory,
};

/** Nothing remarkable, to be overridden. */
export function plainFields(id: string): Fields {
  return {
    id,
    parent: "",
    title: "Sort the notes",
    prompt: "Please sort the notes by date",
    answer: "The notes are sorted.",
    thinking: "Newest first.",
    tool: "Bash",
    call: "call-1",
    command: "npm test",
    output: "2 passed",
    file: "/srv/demo/src/notes.ts",
    project: "/srv/demo",
    branch: "main",
    model: "model-1",
    link: "https://git.example/demo/pull/1",
    uid: `u-${id}`,
    time: "2026-03-02T09:15:00.000Z",
  };
}
