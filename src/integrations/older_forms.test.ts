/** Sessions that earlier versions of an agent left behind, and answers that were stopped before they were complete. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { json, put, putJson, putLines } from "../../test/support/sources/forms.ts";
import { readAgent } from "../../test/support/sources/read_agent.ts";
import type { ReadConversation } from "../../test/support/sources/sink.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dex-older-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...path: string[]): string => join(home, ...path);

async function conversations(id: string): Promise<ReadConversation[]> {
  return [...(await readAgent(id, home)).conversations.values()];
}

/** `role: texts and calls` of each message. */
function said({ messages }: ReadConversation): string[] {
  return messages.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === "tool_call") return `${part.name}()`;
      return part.type === "tool_result" ? part.output : part.text;
    });
    return `${role}: ${words.join(" | ")}`;
  });
}

const TIME = "2026-03-02T09:15:00.000Z";
const CALL = { id: "c", function: { name: "bash", arguments: json({ command: "make" }) } };
const CHAT = [
  { role: "user", content: "build it" },
  { role: "assistant", content: "I build.", tool_calls: [CALL] },
  { role: "tool", tool_call_id: "c", name: "bash", content: "built" },
];
const TOLD = ["user: build it", "assistant: I build. | bash()", "tool: built"];

it("Mistral Vibe wrote a session as one document", async () => {
  const metadata = { session_id: "s", environment: { working_directory: "/srv/tides" }, start_time: TIME };
  putJson(at(".vibe/logs/session/session_1.json"), {
    metadata,
    messages: [{ role: "system", content: "be" }, ...CHAT],
  });
  const [read, ...others] = await conversations("mistral_vibe");
  assert.ok(read && others.length === 0);
  assert.deepEqual([read.meta.id, read.meta.project, read.meta.created], ["s", "/srv/tides", TIME]);
  assert.deepEqual(said(read), TOLD);
});

it("Kimi CLI kept what the model saw, in a file of its own and then in the session's folder", async () => {
  const folder = hash("md5", "/srv/tides", "hex");
  putJson(at(".kimi/kimi.json"), { work_dirs: [{ path: "/srv/tides" }] });
  const thoughts = [
    {
      role: "assistant",
      content: [
        { type: "think", think: "hm" },
        { type: "text", text: "Done." },
      ],
    },
  ];
  const records = [{ role: "_system_prompt", content: "be" }, ...CHAT, { role: "_usage", token_count: 3 }, ...thoughts];
  putLines(at(".kimi/sessions", folder, "first.jsonl"), records);
  putLines(at(".kimi/sessions", folder, "second/context.jsonl"), CHAT);
  putLines(at(".kimi/sessions", folder, "second.jsonl"), CHAT);
  const read = (await conversations("kimi")).sort((one, other) => (one.meta.id < other.meta.id ? -1 : 1));
  assert.deepEqual(
    read.map(({ meta }) => [meta.id, meta.project]),
    [
      ["first", "/srv/tides"],
      ["second", "/srv/tides"],
    ],
  );
  assert.deepEqual(read.map(said), [[...TOLD, "assistant: hm | Done."], TOLD]);
});

it("Qwen Code and iFlow CLI began with Gemini CLI's documents", async () => {
  const messages = [
    { id: "1", timestamp: TIME, type: "user", content: "build it" },
    { id: "2", timestamp: TIME, type: "gemini", content: "Built.", model: "coder-1" },
  ];
  for (const [id, folder] of [
    ["qwen_code", ".qwen"],
    ["iflow", ".iflow"],
  ] as const) {
    putJson(at(folder, "tmp/f/chats/session-1.json"), { sessionId: "s", startTime: TIME, messages });
    const [read] = await conversations(id);
    assert.deepEqual([read?.meta.source, read?.meta.id, read?.meta.created], [id, "s", TIME]);
    assert.deepEqual(read && said(read), ["user: build it", "assistant: Built."]);
  }
});

it("Kiro's editor kept a document per session, and a list with their titles", async () => {
  const folder = at(".config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions/L3Ny");
  putJson(join(folder, "sessions.json"), [
    { sessionId: "s", title: "Tides", dateCreated: String(Date.parse(TIME)), workspaceDirectory: "/srv/tides" },
  ]);
  const history = [
    { message: { role: "user", content: [{ type: "text", text: "build it" }], id: "1" } },
    { message: { role: "assistant", content: "On it.", id: "2" }, executionId: "e" },
  ];
  putJson(join(folder, "s.json"), { sessionId: "s", history });
  const [read, ...others] = await conversations("kiro");
  assert.ok(read && others.length === 0);
  assert.deepEqual([read.meta.title, read.meta.project, read.meta.created], ["Tides", "/srv/tides", TIME]);
  assert.deepEqual(said(read), ["user: build it", "assistant: On it."]);
});

it("Kiro's editor kept the steps of an answer apart, in a folder named after a hash of the workspace", async () => {
  const storage = at(".config/Kiro/User/globalStorage/kiro.kiroagent");
  const folder = join(storage, "workspace-sessions", Buffer.from("/srv/tides").toString("base64url"));
  const history = [
    { message: { role: "user", content: "build it", id: "1" } },
    { message: { role: "assistant", content: "On it.", id: "2" }, executionId: "e1" },
    { message: { role: "assistant", content: "On it.", id: "3" }, executionId: "e2" },
    { message: { role: "assistant", content: "Gone.", id: "4" }, executionId: "e3" },
  ];
  putJson(join(folder, "s.json"), { sessionId: "s", workspaceDirectory: "/srv/tides", history });
  const steps = join(storage, hash("sha256", "/srv/tides", "hex").slice(0, 32), "0a1b");
  const change = { file: "a.ts", originalContent: "old", modifiedContent: "new" };
  putJson(join(steps, "f0"), {
    executionId: "e1",
    actions: [
      { actionId: "a1", actionType: "say", output: { message: "I build." } },
      { actionId: "a2", actionType: "replace", input: change, output: { message: "replaced" } },
      { actionId: "a3", actionType: "runCommand", input: { command: "make" }, output: { message: "built" } },
    ],
  });
  putJson(join(steps, "f1"), { executionId: "e2", actions: [{ actionId: "b", actionType: "readCode", input: {} }] });
  put(join(steps, "f2"), '{"executionId":"e3","actions":[{');
  const [read, ...others] = await conversations("kiro");
  assert.ok(read && others.length === 0);
  assert.deepEqual(said(read), [
    "user: build it",
    "assistant: I build. | edit() | runCommand()",
    "tool: replaced | built",
    "assistant: On it.",
    "assistant: readCode()",
    "assistant: Gone.",
  ]);
  const [, edit] = read.messages[1]?.parts ?? [];
  assert.deepEqual(edit?.type === "tool_call" && edit.input, {
    file_path: "a.ts",
    old_string: "old",
    new_string: "new",
  });
});

it("Kiro's editor first wrote a file for each execution, with the conversation so far", async () => {
  const storage = at(".config/Kiro/User/globalStorage/kiro.kiroagent");
  const folder = join(storage, hash("sha256", "/srv/tides", "hex").slice(0, 32));
  const chat = [
    { role: "human", content: "# System Prompt\nBe kind." },
    { role: "bot", content: "I will follow these instructions." },
    { role: "human", content: "<kiro-ide-message>build it</kiro-ide-message>" },
    { role: "bot", content: "I build." },
    { role: "tool", content: "built" },
  ];
  const metadata = {
    modelId: "acme-1",
    workflowId: "w",
    startTime: Date.parse(TIME),
    endTime: Date.parse(TIME) + 1000,
  };
  putJson(join(folder, "b.chat"), { executionId: "e1", chat: chat.slice(0, 4), metadata });
  putJson(join(folder, "a.chat"), { executionId: "e2", chat, metadata });
  putJson(join(folder, "c.chat"), { executionId: "e3", chat: chat.slice(2, 4), metadata: {} });
  putJson(join(storage, "workspace-sessions", Buffer.from("/srv/tides").toString("base64url"), "sessions.json"), []);
  const [one, other, ...others] = (await conversations("kiro")).sort((a, b) => (a.meta.id < b.meta.id ? 1 : -1));
  assert.ok(one && other && others.length === 0);
  assert.deepEqual(said(one), TOLD.with(1, "assistant: I build."));
  assert.deepEqual(
    [one.meta.id, one.meta.project, one.meta.created, one.meta.model],
    ["w", "/srv/tides", TIME, "acme-1"],
  );
  assert.deepEqual([other.meta.id, said(other)], ["c", ["user: build it", "assistant: I build."]]);
});

it("Codex named the folder in what it told the model about its environment", async () => {
  const folders = { tagged: "<cwd>/srv/tides</cwd>", listed: "Current working directory: /srv/tides\nApproval: never" };
  for (const [id, told] of Object.entries(folders)) {
    const text = (content: string): object => ({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: content }],
    });
    putLines(at(`.codex/sessions/2025/06/01/rollout-2025-06-01T10-00-00-${id}.jsonl`), [
      { id, timestamp: TIME, instructions: null },
      text(`<environment_context>\n${told}\n</environment_context>`),
      text("build it"),
    ]);
  }
  for (const read of await conversations("codex")) {
    assert.equal(read.meta.project, "/srv/tides", read.meta.id);
    assert.deepEqual(said(read), ["user: build it"]);
  }
});

it("DeepSeek Harness kept the pieces of an answer that was stopped, and of a finished one, too", async () => {
  const event = (type: string, data: object): object => ({ type, time: Date.parse(TIME), data });
  const content = [{ type: "text", text: "Built." }];
  putLines(at(".dsh/sessions/p/child/session.jsonl"), [
    { type: "session", id: "child", parentSession: "parent", origin: "subagent", delegationDepth: 1 },
    event("user/message", { source: { kind: "user" }, content: [{ type: "text", text: "build it" }] }),
    event("text-chunks", { texts: ["Bui", "lt."] }),
    event("assistant/message", { message: { content } }),
    event("user/message", { source: { kind: "user" }, content: [{ type: "text", text: "test it" }] }),
    event("reasoning-chunks", { texts: ["h", "m"] }),
    event("assistant/chunk", { chunk: { type: "text-delta", text: "I te" } }),
    event("chunkrow/text-chunks", { texts: ["st"] }),
    event("turn/end", { reason: { kind: "aborted" } }),
  ]);
  const [read] = await conversations("deepseek_harness");
  assert.deepEqual([read?.meta.parent, read?.meta.parent_kind], ["parent", "subagent"]);
  assert.deepEqual(read && said(read), [
    "user: build it",
    "assistant: Built.",
    "user: test it",
    "assistant: hm | I test",
  ]);
});

it("a call that the person refused in Cline has failed", async () => {
  const use = { type: "tool_use", id: "c", name: "replace_in_file", input: { path: "a.ts", diff: "b" } };
  const result = { type: "tool_result", tool_use_id: "c", content: "The user denied this operation." };
  putJson(at(".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json"), [
    { role: "user", content: "<task>\nbuild it\n</task>" },
    { role: "assistant", content: [use] },
    { role: "user", content: [result] },
  ]);
  const [read] = await conversations("cline");
  const part = read?.messages.at(-1)?.parts[0];
  assert.equal(part?.type === "tool_result" && part.is_error, true);
});

it("a byte order mark does not cost the first record", async () => {
  const record = { uuid: "1", type: "user", timestamp: TIME, message: { role: "user", content: "build it" } };
  put(at(".claude/projects/p/s.jsonl"), `\uFEFF${json({ ...record, sessionId: "s", cwd: "/srv/tides" })}\r\n`);
  const [read] = await conversations("claude_code");
  assert.deepEqual(read && said(read), ["user: build it"]);
});

it("Kimi Code gives a subagent its task with facts about the repository, which are not a part of it", async () => {
  const folder = at(".kimi-code/sessions/wd/s/agents");
  const message = (text: string, origin: object): object => ({
    type: "context.append_message",
    time: Date.parse(TIME),
    message: { role: "user", content: [{ type: "text", text }], toolCalls: [], origin },
  });
  const facts = "<git-context>\nProject: sam/tides\n</git-context>\n";
  putLines(join(folder, "main/wire.jsonl"), [message("count the tides", { kind: "user" })]);
  putLines(join(folder, "agent-0/wire.jsonl"), [
    message(`${facts}Count the files of the tides.`, { kind: "system_trigger", name: "subagent" }),
    message("Take care.", { kind: "system_trigger", name: "reminder" }),
  ]);
  const read = (await conversations("kimi")).find(({ meta }) => meta.parent_kind === "subagent");
  assert.ok(read);
  assert.deepEqual(said(read), ["user: Count the files of the tides."]);
});

it("Grok Build searches on its server, and its subagents may not name the session that started them", async () => {
  const sessions = at(".grok/sessions/%2Fsrv%2Ftides");
  const search = { type: "backend_tool_call", kind: { tool_type: "web_search", id: "w", action: { query: "tides" } } };
  putJson(join(sessions, "child/summary.json"), { info: { id: "child" }, session_kind: "subagent" });
  putLines(join(sessions, "child/chat_history.jsonl"), [{ type: "user", content: "find tides" }, search]);
  putLines(join(sessions, "first/chat_history.jsonl"), [{ type: "user", content: "find all tides" }]);
  putJson(join(sessions, "first/subagents/child/meta.json"), {});
  const read = (await conversations("grok_build")).find(({ meta }) => meta.id === "child");
  assert.ok(read);
  assert.deepEqual(said(read), ["user: find tides", "assistant: web_search()"]);
  assert.deepEqual([read.meta.parent, read.meta.parent_kind], ["first", "subagent"]);
});
