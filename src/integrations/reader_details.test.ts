/** Exit codes, failures, attachments, folders and times, from the places where each agent puts them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { json, put, putDatabase, putJson, putLines } from "../../test/support/sources/forms.ts";
import { readAgent } from "../../test/support/sources/read_agent.ts";
import type { ReadConversation } from "../../test/support/sources/sink.ts";
import type { Part } from "../conversations/model.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dex-details-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...path: string[]): string => join(home, ...path);

async function conversation(id: string, roots: string[] = []): Promise<ReadConversation> {
  return (await readAgent(id, home, roots)).only();
}

function partsOf({ messages }: ReadConversation, type: Part["type"]): Part[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === type));
}

/** Name, exit code and failure of each result. */
function ends(read: ReadConversation): unknown[] {
  return partsOf(read, "tool_result").map(
    (part) => part.type === "tool_result" && [part.name, part.exit_code, part.is_error],
  );
}

function prompts({ messages }: ReadConversation): string[][] {
  const typed = messages.filter(({ role }) => role === "user");
  return typed.map(({ parts }) => parts.map((part) => ("text" in part ? part.text : part.type)));
}

const TIME = "2026-03-02T09:15:00.000Z";
const PIXEL = "iVBORw0KGgo=";
const call = (id: string, name: string, command: string): object => ({
  id,
  function: { name, arguments: json({ command }) },
});

describe("how a command ended", () => {
  it("Qwen Code reports it inside the output", async () => {
    const response = { output: "Command: make\nOutput: no rule\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 7" };
    const parts = [{ functionResponse: { id: "c", name: "run_shell_command", response } }];
    const message = { role: "user", parts };
    putLines(at(".qwen/projects/-srv/chats/s.jsonl"), [{ uuid: "1", type: "tool_result", timestamp: TIME, message }]);
    assert.deepEqual(ends(await conversation("qwen_code")), [["run_shell_command", 2, undefined]]);
  });

  it("Gemini CLI reports it there, too, in a frame for its model that is not part of the output", async () => {
    const output = "<untrusted_context>\nOutput: no rule\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>";
    const result = [{ functionResponse: { id: "c", name: "run_shell_command", response: { output } } }];
    const toolCalls = [{ id: "c", name: "run_shell_command", args: { command: "make" }, status: "success", result }];
    putLines(at(".gemini/tmp/p/chats/session-1.jsonl"), [
      { sessionId: "s", startTime: TIME },
      { id: "1", timestamp: TIME, type: "gemini", content: "", toolCalls },
    ]);
    const read = await conversation("gemini");
    assert.deepEqual(ends(read), [["run_shell_command", 2, undefined]]);
    const [part] = partsOf(read, "tool_result");
    assert.equal(part?.type === "tool_result" && part.output, "Output: no rule\nExit Code: 2\nProcess Group PGID: 7");
  });

  it("Kimi Code and Factory Droid end the output with it", async () => {
    const event = (value: object): object => ({ type: "context.append_loop_event", event: value, time: 1772442900000 });
    putLines(at(".kimi-code/sessions/wd/s/agents/main/wire.jsonl"), [
      event({ type: "tool.call", toolCallId: "c", name: "Bash", args: { command: "make" } }),
      event({
        type: "tool.result",
        toolCallId: "c",
        result: { output: "no rule\nCommand failed with exit code: 2.", isError: true },
      }),
    ]);
    assert.deepEqual(ends(await conversation("kimi")), [["Bash", 2, true]]);
    const block = (value: object, role: string): object => ({ type: "message", message: { role, content: [value] } });
    const content = "no rule\n\n[Process exited with code 2]";
    putLines(at(".factory/sessions/-srv/s.jsonl"), [
      { type: "session_start", id: "s", cwd: "/srv" },
      block({ type: "tool_use", id: "c", name: "Execute", input: { command: "make" } }, "assistant"),
      block({ type: "tool_result", tool_use_id: "c", content }, "user"),
    ]);
    assert.deepEqual(ends(await conversation("factory_droid")), [["Execute", 2, undefined]]);
  });

  it("Kimi CLI says it beside the output", async () => {
    const record = (type: string, payload: object): object => ({ timestamp: 1772442900, message: { type, payload } });
    const return_value = { is_error: true, output: "no rule", message: "Command failed with exit code: 2." };
    putLines(at(".kimi/sessions/f/s/wire.jsonl"), [
      record("ToolCall", call("c", "Shell", "make")),
      record("ToolResult", { tool_call_id: "c", return_value }),
    ]);
    assert.deepEqual(ends(await conversation("kimi")), [["Shell", 2, true]]);
  });

  it("Grok Build and Windsurf have a field for it, which is not part of the call", async () => {
    const update = (value: object): object => ({ timestamp: 1772442900, params: { update: value } });
    putLines(at(".grok/sessions/%2Fsrv/s/updates.jsonl"), [
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "bash", rawInput: { command: "make" } }),
      update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed", rawOutput: { exit_code: 2 } }),
    ]);
    assert.deepEqual(ends(await conversation("grok_build")), [["bash", 2, true]]);
    const run_command = { command: "make", cwd: "/srv/tides", exit_code: 2 };
    putLines(at(".windsurf/transcripts/s.jsonl"), [{ type: "run_command", run_command }]);
    const read = await conversation("windsurf");
    assert.deepEqual(ends(read), [["run_command", 2, undefined]]);
    assert.deepEqual(partsOf(read, "tool_call"), [
      { type: "tool_call", name: "run_command", input: { command: "make", cwd: "/srv/tides" } },
    ]);
    assert.equal(read.meta.project, "/srv/tides");
  });

  it("is not taken from what a command prints in the middle, nor from other tools", async () => {
    const tool = (id: string, output: string): object => ({ role: "tool", tool_call_id: id, content: output });
    putDatabase(at(".hermes/state.db"), {
      messages: [
        { role: "assistant", tool_calls: json([call("a", "terminal", "make"), call("b", "read_file", "log")]) },
        tool("a", "start\nProcess exited with code 2\nretried, all good"),
        tool("b", "Process exited with code 2"),
      ].map((row, id) => ({
        id,
        session_id: "s",
        timestamp: 1,
        content: null,
        tool_call_id: null,
        tool_calls: null,
        ...row,
      })),
    });
    assert.deepEqual(ends(await conversation("hermes")), [
      ["terminal", undefined, undefined],
      ["read_file", undefined, undefined],
    ]);
  });
});

it("a result without the name of its tool has that of its call", async () => {
  const row = (id: string, role: string, parts: unknown): object => ({ id, role, parts: json(parts), created_at: 1 });
  putDatabase(at("crushed/.crush/crush.db"), {
    sessions: [{ id: "s", parent_session_id: null, title: "", created_at: 1, updated_at: 1 }],
    messages: [
      row("1", "assistant", [{ type: "tool_call", data: { id: "c", name: "bash", input: json({ command: "make" }) } }]),
      row("2", "tool", [{ type: "tool_result", data: { tool_call_id: "c", name: "", content: "no\nExit code 2" } }]),
    ].map((each) => ({ session_id: "s", updated_at: 1, ...each })),
  });
  assert.deepEqual(ends(await conversation("crush", [at("crushed")])), [["bash", 2, undefined]]);
});

it("a call that Rovo Dev refused has failed", async () => {
  const parts = [{ part_kind: "retry-prompt", tool_name: "edit", tool_call_id: "c", content: "no such file" }];
  putJson(at(".rovodev/sessions/s/session_context.json"), { message_history: [{ kind: "request", parts }] });
  assert.deepEqual(ends(await conversation("rovo_dev")), [["edit", undefined, true]]);
});

describe("an attachment of a prompt leaves a mark, never its bytes", () => {
  it("in Google's parts", async () => {
    const parts = [{ text: "what is this" }, { inlineData: { mimeType: "image/png", data: PIXEL } }];
    const record = { uuid: "1", type: "user", timestamp: TIME, message: { role: "user", parts } };
    const path = at(".qwen/projects/-srv/chats/s.jsonl");
    putLines(path, [record]);
    assert.deepEqual(prompts(await conversation("qwen_code")), [["what is this", "[image]"]]);
    putLines(path, [{ ...record, systemPayload: { displayText: "what is this?" } }]);
    assert.deepEqual(prompts(await conversation("qwen_code")), [["what is this?", "[image]"]]);
  });

  it("in OpenAI's items, pydantic's contents and the blocks of mux", async () => {
    const content = [
      { type: "input_text", text: "look" },
      { type: "input_image", image_url: PIXEL },
      { type: "input_file" },
    ];
    putLines(at(".codebuddy/projects/srv/s.jsonl"), [{ type: "message", role: "user", timestamp: 1, content }]);
    assert.deepEqual(prompts(await conversation("codebuddy")), [["look", "[image]", "[file]"]]);
    const binary = { kind: "binary", data: PIXEL, media_type: "image/png" };
    const parts = [{ part_kind: "user-prompt", content: ["look", binary, { kind: "document-url", url: "x" }] }];
    putJson(at(".rovodev/sessions/s/session_context.json"), { message_history: [{ kind: "request", parts }] });
    assert.deepEqual(prompts(await conversation("rovo_dev")), [["look", "[image]", "[file]"]]);
    const attached = [
      { type: "text", text: "look" },
      { type: "file", mediaType: "image/png", url: PIXEL },
    ];
    putLines(at(".mux/sessions/s/chat.jsonl"), [{ id: "1", role: "user", parts: attached }]);
    assert.deepEqual(prompts(await conversation("mux")), [["look", "[image]"]]);
  });

  it("also if nothing was typed", async () => {
    const content_json = json([{ type: "image", data: PIXEL, mimeType: "image/png" }]);
    putDatabase(at(".local/share/goose/sessions/sessions.db"), {
      sessions: [{ id: "s", updated_at: TIME }],
      messages: [{ id: 1, session_id: "s", role: "user", created_timestamp: 1, content_json }],
    });
    assert.deepEqual(prompts(await conversation("goose")), [["[image]"]]);
  });
});

describe("the folder", () => {
  it("of a workspace on Windows is written as Windows writes it", async () => {
    const message = { role: "user", content: "look" };
    const document = {
      sessionId: "s",
      workspaceDirectory: "file:///c%3A/Users/ada/my%20tides",
      history: [{ message }],
    };
    putJson(at(".continue/sessions/s.json"), document);
    assert.equal((await conversation("continue")).meta.project, "C:\\Users\\ada\\my tides");
    putJson(at(".config/Code/User/workspaceStorage/h/workspace.json"), {
      workspace: "file:///d%3A/tides/all.code-workspace",
    });
    const requests = [{ requestId: "1", message: "look" }];
    putJson(at(".config/Code/User/workspaceStorage/h/chatSessions/s.json"), { sessionId: "s", requests });
    assert.equal((await conversation("vscode")).meta.project, "D:\\tides");
  });

  it("of this system is read from its address", async () => {
    const document = { sessionId: "s", workspaceDirectory: pathToFileURL("/srv/ti des").href };
    putJson(at(".continue/sessions/s.json"), {
      ...document,
      history: [{ message: { role: "user", content: "look" } }],
    });
    assert.equal((await conversation("continue")).meta.project, "/srv/ti des");
  });

  it("is the one that all paths are in, if the agent stores none", async () => {
    const used = (name: string, input: object): object => ({ name, call_id: name, arguments: input });
    const tool_calls = [
      used("read", { path: "/srv/tides/src/a.ts" }),
      used("shell", { command: "ls", cwd: "/srv/tides" }),
    ];
    const context = { messages: [{ message: { text: { role: "Assistant", content: "look", tool_calls } } }] };
    const row = { conversation_id: "s", title: "", created_at: TIME, updated_at: TIME, context: json(context) };
    putDatabase(at(".forge/.forge.db"), { conversations: [row] });
    assert.equal((await conversation("forgecode")).meta.project, "/srv/tides");
  });
});

describe("times", () => {
  it("a block that Junie repeats at the end of the task keeps its own", async () => {
    const update = (timestampMs: number, event: object): object => ({
      kind: "SessionA2uxEvent",
      timestampMs,
      event: { agentEvent: event },
    });
    const terminal = { kind: "TerminalBlockUpdatedEvent", stepId: "1", command: "make" };
    const ended = { ...terminal, status: "COMPLETED", exitCode: 0, output: "done" };
    const stopped = { ...terminal, stepId: "2", status: "STARTED" };
    const start = Date.parse(TIME);
    putLines(at(".junie/sessions/s/events.jsonl"), [
      update(start, { ...terminal, status: "STARTED" }),
      update(start + 1000, ended),
      update(start + 2000, stopped),
      update(start + 9000, ended),
      update(start + 9000, stopped),
    ]);
    const { messages } = await conversation("junie");
    assert.deepEqual(
      messages.map(({ role, time }) => `${role} ${time?.slice(17, 19)}`),
      ["assistant 00", "tool 01", "assistant 02"],
    );
  });

  it("a chat of Codebuff began at the time in its folder's name", async () => {
    put(
      at(".config/manicode/projects/tides/chats/2026-03-02T09-15-00.000Z/chat-messages.json"),
      json([{ id: "1", variant: "user", content: "look", timestamp: "09:15 AM" }]),
    );
    assert.equal((await conversation("codebuff")).meta.created, TIME);
  });
});

it("Firebender keeps the messages of a subagent by the call that started it", async () => {
  const said = (content: string): string => json([{ role: "user", content: { type: "text", text: content } }]);
  const times = { created_at: Date.parse(TIME), updated_at: Date.parse(TIME) };
  const session = (id: string, deleted_at: number | null): Record<string, unknown> => ({
    id,
    name: id,
    ...times,
    deleted_at,
    messages_json: said("look"),
  });
  const subagent = (session_id: string): Record<string, unknown> => ({
    tool_call_id: "call_1",
    session_id,
    subagent_type: "explore",
    description: "Count the tides",
    messages_json: said("count"),
    ...times,
  });
  putDatabase(at("tides/.idea/firebender/chat_history.db"), {
    chat_sessions: [session("s", null), session("gone", 1)],
    subagent_conversations: [subagent("s"), subagent("gone")],
  });
  const sink = await readAgent("firebender", home, [at("tides")]);
  assert.deepEqual([...sink.conversations.keys()], ["s", "s-call_1"]);
  const read = sink.conversations.get("s-call_1");
  assert.ok(read);
  assert.deepEqual([read.meta.title, read.meta.parent, read.meta.parent_kind], ["Count the tides", "s", "subagent"]);
  assert.deepEqual(prompts(read), [["count"]]);
});

it("Amazon Q and Kiro name the model of each answer", async () => {
  const turn = {
    user: { content: { Prompt: { prompt: "look" } }, images: [{}] },
    assistant: { Response: { message_id: "1", content: "done" } },
    request_metadata: { model_id: "coder-2" },
  };
  putDatabase(at(".local/share/amazon-q/data.sqlite3"), {
    conversations: [{ key: "/srv", value: json({ conversation_id: "s", history: [turn] }) }],
  });
  const read = await conversation("amazon_q");
  assert.deepEqual(prompts(read), [["look", "[image]"]]);
  assert.equal(read.messages.at(-1)?.model, "coder-2");
});
