import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { CollectingSink, type ReadConversation, readAll, readOne, testEnv } from "../../test/support/sink.ts";
import type { Message, Part } from "../conversations/model.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import { codex } from "./codex.ts";
import { zstdLines } from "./zstd_lines.ts";

const THREAD = "0199aaaa-0000-7000-8000-000000000001";
const CHILD = "0199aaaa-0000-7000-8000-000000000002";
const LATER = "0199bbbb-0000-7000-8000-000000000003";
const root = mkdtempSync(join(tmpdir(), "dex-codex-"));
after(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
function newHome(): string {
  homes += 1;
  const home = join(root, String(homes));
  mkdirSync(join(home, ".codex"), { recursive: true });
  return home;
}

function rolloutPath(home: string, thread = THREAD, folder = "sessions/2026/03/04"): string {
  return join(home, ".codex", folder, `rollout-2026-03-04T10-00-00-${thread}.jsonl`);
}

let clock = 0;
function line(type: string, payload: JsonObject, more: JsonObject = {}): JsonObject {
  clock += 1;
  return { timestamp: new Date(Date.UTC(2026, 2, 4, 10, 0, 0, clock)).toISOString(), ...more, type, payload };
}
const event = (type: string, payload: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  line("event_msg", { type, ...payload }, more);
const item = (type: string, payload: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  line("response_item", { type, ...payload }, more);
const meta = (more: JsonObject = {}): JsonObject =>
  line("session_meta", {
    id: THREAD,
    timestamp: "2026-03-04T10:00:00.000Z",
    cwd: "/work/shop",
    originator: "codex-tui",
    source: "cli",
    base_instructions: { text: "You are a careful engineer." },
    git: { branch: "main" },
    ...more,
  });
const userItem = (...texts: string[]): JsonObject =>
  item("message", { role: "user", content: texts.map((text) => ({ type: "input_text", text })) });
const agentItem = (text: string): JsonObject =>
  item("message", { role: "assistant", content: [{ type: "output_text", text }] });
const context = (turn: string, model = "gpt-9"): JsonObject =>
  line("turn_context", { turn_id: turn, cwd: "/work/shop", model });
const call = (id: string, name: string, input: Json, more: JsonObject = {}): JsonObject =>
  item("function_call", {
    name,
    arguments: typeof input === "string" ? input : JSON.stringify(input),
    call_id: id,
    ...more,
  });
const output = (id: string, text: Json): JsonObject => item("function_call_output", { call_id: id, output: text });

/** One turn as Codex writes it: everything said is told twice. */
function turn(id: string, prompt: string, answer: string): JsonObject[] {
  return [
    event("task_started", { turn_id: id }),
    context(id),
    userItem(prompt),
    event("user_message", { message: prompt }),
    event("token_count", { info: null }),
    event("agent_message", { message: answer }),
    agentItem(answer),
    event("task_complete", { turn_id: id, last_agent_message: answer }),
  ];
}

function write(path: string, records: (JsonObject | string)[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text(records));
}
function text(records: (JsonObject | string)[]): string {
  return records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join("");
}

function readHome(home: string, options: { inherited?: ReadonlySet<string> } = {}): CollectingSink {
  const sink = new CollectingSink();
  readAll(codex, testEnv(home), sink, new Map(), options);
  return sink;
}
function readRecords(
  records: (JsonObject | string)[],
  options: { inherited?: ReadonlySet<string> } = {},
): ReadConversation {
  const home = newHome();
  write(rolloutPath(home), records);
  return readHome(home, options).only();
}

function texts(messages: Message[]): string[] {
  return messages.map((message) => `${message.role}: ${message.parts.map(partText).join(" | ")}`);
}
function partText(part: Part): string {
  if (part.type === "tool_call") return `${part.name}(${JSON.stringify(part.input)})`;
  return part.type === "tool_result" ? `${part.name} -> ${part.output}` : part.text;
}

const SESSION: JsonObject[] = [
  meta(),
  event("task_started", { turn_id: "t1" }),
  item("message", {
    role: "developer",
    content: [{ type: "input_text", text: "<permissions instructions>ask</permissions instructions>" }],
  }),
  userItem(
    "# AGENTS.md instructions for /work/shop\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
    "<environment_context>\n<cwd>/work/shop</cwd>\n</environment_context>",
  ),
  context("t1"),
  userItem("Why does the cart total drift?"),
  event("user_message", { message: "Why does the cart total drift?", images: [] }),
  event("agent_reasoning", { text: "**Looking at rounding**" }),
  item("reasoning", {
    summary: [{ type: "summary_text", text: "**Looking at rounding**" }],
    content: null,
    encrypted_content: "xx",
  }),
  event("agent_message", { message: "I look at the rounding first." }),
  agentItem("I look at the rounding first."),
  call("c1", "exec_command", { cmd: "rg -n round src" }),
  call("c2", "shell", { command: ["bash", "-lc", "npm test"] }),
  event("exec_command_end", { call_id: "c1", exit_code: 0, aggregated_output: "src/cart.ts:4" }),
  output(
    "c1",
    "Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nsrc/cart.ts:4: round()\n",
  ),
  output("c2", JSON.stringify({ output: "1 failing\n", metadata: { exit_code: 1, duration_seconds: 2.5 } })),
  event("token_count", { info: { total_token_usage: { input_tokens: 10 } } }),
  item("custom_tool_call", {
    name: "apply_patch",
    call_id: "c3",
    input: "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-a\n+b\n*** Add File: src/money.ts\n+x\n*** End Patch",
  }),
  event("patch_apply_end", { call_id: "c3", success: true, changes: { "/work/shop/src/cart.ts": {} } }),
  item("custom_tool_call_output", { call_id: "c3", output: "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess." }),
  event("agent_message", { message: "Fixed: totals are kept in cents." }),
  agentItem("Fixed: totals are kept in cents."),
  event("task_complete", { turn_id: "t1", last_agent_message: "Fixed: totals are kept in cents." }),
  ...turn("t2", "And the tax?", "The tax follows."),
  event("task_started", { turn_id: "t3" }),
  context("t3", "gpt-9-mini"),
  userItem("Run everything"),
  event("user_message", { message: "Run everything" }),
  call("c4", "exec_command", { cmd: "npm run all" }),
  output("c4", "Chunk ID: 9\nWall time: 1.0 seconds\nProcess running with session ID 77\nOutput:\nstarting\n"),
  userItem("only the unit tests"),
  event("user_message", { message: "only the unit tests" }),
  agentItem("All right."),
];

test("a session reads as prompts, answers with their calls, and results", () => {
  const { meta: known, messages } = readRecords(SESSION);
  assert.deepEqual(known, {
    id: THREAD,
    source: "codex",
    title: "Why does the cart total drift?",
    project: "/work/shop",
    branch: "main",
    model: "gpt-9-mini",
    created: "2026-03-04T10:00:00.000Z",
  });
  assert.deepEqual(texts(messages), [
    "user: Why does the cart total drift?",
    'assistant: **Looking at rounding** | I look at the rounding first. | exec_command({"cmd":"rg -n round src"}) | shell({"command":["bash","-lc","npm test"]})',
    "tool: exec_command -> src/cart.ts:4: round()\n | shell -> 1 failing\n",
    `assistant: apply_patch(${JSON.stringify({ input: "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-a\n+b\n*** Add File: src/money.ts\n+x\n*** End Patch" })})`,
    "tool: apply_patch -> Success.",
    "assistant: Fixed: totals are kept in cents.",
    "user: And the tax?",
    "assistant: The tax follows.",
    "user: Run everything",
    'assistant: exec_command({"cmd":"npm run all"})',
    "tool: exec_command -> Process running with session ID 77\nstarting\n",
    "user: only the unit tests",
    "assistant: All right.",
  ]);
  assert.deepEqual(messages[1]?.parts[0], { type: "thinking", text: "**Looking at rounding**" });
  assert.deepEqual(messages[2]?.parts, [
    { type: "tool_result", id: "c1", name: "exec_command", output: "src/cart.ts:4: round()\n", exit_code: 0 },
    { type: "tool_result", id: "c2", name: "shell", output: "1 failing\n", exit_code: 1, is_error: true },
  ]);
  const patch = messages[3]?.parts[0];
  assert.deepEqual(patch?.type === "tool_call" && patch.files, ["src/cart.ts", "src/money.ts"]);
  assert.equal(messages[1]?.model, "gpt-9");
  assert.equal(messages[12]?.model, "gpt-9-mini");
  assert.deepEqual(
    messages.map((message) => message.uid),
    ["t1", "t1", "t1", "t1", "t1", "t1", "t2", "t2", "t3", "t3", "t3", "t3", "t3"],
  );
  assert.deepEqual(messages.map((message) => message.kind).filter(Boolean), ["queued"]);
  assert.match(messages[0]?.time ?? "", /^2026-03-04T10:00:00\.\d{3}Z$/);
});

test("only what the user typed is left of a prompt", () => {
  const { messages } = readRecords([
    meta(),
    userItem("<environment_context>\n<cwd>/w</cwd>\n</environment_context>\n\nfix the <b>menu</b>"),
    userItem("<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
    userItem("<skill>\n<name>x</name>\nDo it."),
    userItem('<subagent_notification>\n{"agent_path":"a"}\n</subagent_notification>'),
    userItem("# Context from my IDE setup:\n\n## Active file: src/a.ts\n\n## My request for Codex:\nrename it\n"),
    userItem(
      "# Files mentioned by the user:\n\n## plan (2).png: /tmp/plan (2).png\n\n## My request for Codex:\nadd this\n",
      "<image name=[Image #1]>",
      "</image>",
    ),
    event("user_message", {
      message:
        "# Files mentioned by the user:\n\n## plan (2).png: /tmp/plan (2).png\n\n## My request for Codex:\nadd this\n",
    }),
    item("message", {
      role: "user",
      content: [
        { type: "input_text", text: "like this" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    }),
    event("user_message", { message: "like this", images: ["data:image/png;base64,AAAA"] }),
    userItem(
      "<user_shell_command>\n<command>\nls src\n</command>\n<result>\nExit code: 0\nWall time: 0.01 seconds\nOutput:\na.ts\n</result>\n</user_shell_command>",
    ),
    userItem("Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead."),
  ]);
  assert.deepEqual(texts(messages), [
    "user: fix the <b>menu</b>",
    "user: rename it",
    "user: add this\n[file: /tmp/plan (2).png]",
    "user: like this\n[image]",
    "user: !ls src",
    "tool: user_shell -> a.ts",
  ]);
});

test("what is told as an item and as an event is told once, in any order", () => {
  const { messages } = readRecords([
    meta(),
    event("user_message", { message: "go on" }),
    userItem("go on"),
    agentItem("Step one."),
    event("agent_message", { message: "Step one." }),
    agentItem("Again."),
    event("agent_message", { message: "Again." }),
    agentItem("Again."),
    event("agent_message", { message: "Again." }),
    event("agent_message", { message: "Only on the screen." }),
    event("web_search_end", { call_id: "w", query: "q", action: { type: "search", query: "q" } }),
    item("web_search_call", { status: "completed", action: { type: "search", query: "q" } }),
    event("task_complete", { last_agent_message: "Only at the end." }),
    userItem("go on"),
    event("user_message", { message: "go on" }),
  ]);
  assert.deepEqual(texts(messages), [
    "user: go on",
    'assistant: Step one. | Again. | Again. | Only on the screen. | web_search({"type":"search","query":"q"}) | Only at the end.',
    "user: go on",
  ]);
});

test("a paginated history is read from its items", () => {
  const done = (value: JsonObject): JsonObject =>
    event("item_completed", { thread_id: THREAD, turn_id: "t1", item: value }, { ordinal: 9 });
  const { messages } = readRecords([
    meta({ history_mode: "paginated" }),
    userItem("raise the limit"),
    event("task_started", { turn_id: "t1" }, { ordinal: 2 }),
    done({ type: "UserMessage", id: "u", content: [{ type: "text", text: "raise the limit" }] }),
    done({ type: "Reasoning", id: "r", summary_text: ["Thinking of limits"], raw_content: [] }),
    item("custom_tool_call", { name: "exec", call_id: "x1", input: "run()" }, { ordinal: 5 }),
    done({
      type: "CommandExecution",
      id: "n1",
      command: ["bash", "-lc", "ls"],
      cwd: "/work/shop",
      status: "failed",
      aggregated_output: "no\n",
      exit_code: 2,
    }),
    item(
      "custom_tool_call_output",
      {
        call_id: "x1",
        output: [
          { type: "input_text", text: "done" },
          { type: "input_image", image_url: "data:" },
        ],
      },
      { ordinal: 7 },
    ),
    done({ type: "CommandExecution", id: "x1", command: ["bash"], aggregated_output: "done" }),
    agentItem("Here it is.\n<proposed_plan>\n1. raise\n</proposed_plan>"),
    done({ type: "AgentMessage", id: "a", content: [{ type: "Text", text: "Here it is." }] }),
    done({ type: "Plan", id: "p", text: "1. raise" }),
  ]);
  assert.deepEqual(texts(messages), [
    "user: raise the limit",
    'assistant: Thinking of limits | exec({"input":"run()"}) | exec_command({"cmd":["bash","-lc","ls"],"workdir":"/work/shop"})',
    "tool: exec_command -> no\n | exec -> done\n[image]",
    "assistant: Here it is. | 1. raise",
  ]);
});

test("arguments that are no JSON are kept as they are, and tools of a server carry its name", () => {
  const { messages } = readRecords([
    meta(),
    userItem("hi"),
    call("a", "exec_command", '{"cmd": "unfinished'),
    call("b", "ask_question", {}, { namespace: "mcp__wiki" }),
    call("c", "spawn_agent", {}, { namespace: "collaboration" }),
    call("d", "exec_command", { cmd: "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: old.ts\n*** End Patch\nE" }),
    item("local_shell_call", { call_id: "e", action: { type: "exec", command: ["ls"] } }),
    output("c", '{"agent_id":"kid","nickname":"Ada"}'),
    output("b", { content: [{ type: "text", text: "no" }], success: false }),
    output("d", "exec_command failed for `x`: denied"),
  ]);
  const parts = messages[1]?.parts ?? [];
  assert.deepEqual(
    parts.map((part) => part.type === "tool_call" && [part.name, part.input, part.files]),
    [
      ["exec_command", '{"cmd": "unfinished', undefined],
      ["mcp__wiki__ask_question", {}, undefined],
      ["spawn_agent", {}, undefined],
      [
        "exec_command",
        { cmd: "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: old.ts\n*** End Patch\nE" },
        ["old.ts"],
      ],
      ["local_shell", { type: "exec", command: ["ls"] }, undefined],
    ],
  );
  assert.deepEqual(messages[2]?.parts, [
    { type: "tool_result", id: "c", name: "spawn_agent", output: '{"agent_id":"kid","nickname":"Ada"}', agent: "kid" },
    { type: "tool_result", id: "b", name: "mcp__wiki__ask_question", output: "no", is_error: true },
    {
      type: "tool_result",
      id: "d",
      name: "exec_command",
      output: "exec_command failed for `x`: denied",
      is_error: true,
    },
  ]);
});

test("a subagent keeps what is its own: inherited turns are skipped", () => {
  const home = newHome();
  const parent = [meta(), ...turn("t1", "first", "one"), ...turn("t2", "second", "two")];
  write(rolloutPath(home), parent);
  const spawn = { subagent: { thread_spawn: { parent_thread_id: THREAD, depth: 1, agent_nickname: "Ada" } } };
  const child = [
    meta({
      id: CHILD,
      forked_from_id: THREAD,
      source: spawn,
      git: { branch: "side" },
      base_instructions: { text: "You are a careful engineer. ".repeat(4000) },
    }),
    ...parent,
    ...turn("c1", "review it", "reviewed"),
    event("thread_name_updated", { thread_id: THREAD, thread_name: "the parent's name" }),
  ];
  write(rolloutPath(home, CHILD), child);
  const env = testEnv(home);
  const containers = codex.discover(env);
  assert.deepEqual(
    containers.map((container) => codex.lineage?.(container, env)),
    [{ id: THREAD }, { id: CHILD, forkOf: THREAD }],
  );

  const sink = readHome(home, { inherited: new Set(["t1", "t2"]) });
  const { meta: known, messages } = sink.conversations.get(CHILD) ?? assert.fail();
  assert.deepEqual(texts(messages), ["user: review it", "assistant: reviewed"]);
  assert.deepEqual(
    [known.parent, known.parent_kind, known.title, known.branch, known.model],
    [THREAD, "subagent", "review it", "side", "gpt-9"],
  );

  const unknown = readHome(home).conversations.get(CHILD) ?? assert.fail();
  assert.equal(unknown.messages.length, 6, "without the parent's turns nothing can be told apart");
});

test("a fork, a review and a program's session say what they are", () => {
  const read = (more: JsonObject): unknown[] => {
    const { meta: known } = readRecords([meta(more), ...turn("t1", "x", "y")]);
    return [known.parent, known.parent_kind, known.headless];
  };
  assert.deepEqual(read({ forked_from_id: CHILD }), [CHILD, "fork", undefined]);
  assert.deepEqual(read({ parent_thread_id: CHILD, source: { subagent: "review" } }), [CHILD, "subagent", undefined]);
  assert.deepEqual(read({ originator: "codex_exec", source: "exec" }), [undefined, undefined, undefined]);
  assert.deepEqual(read({ originator: "codex_sdk_ts", source: "exec" }), [undefined, undefined, true]);
  assert.deepEqual(read({ source: "mcp" }), [undefined, undefined, true]);
  assert.deepEqual(read({ cwd: "/home/u/.dex/chat" }), [undefined, undefined, true]);
});

test("records below the subagent's first ordinal are the parent's", () => {
  const { messages } = readRecords([
    meta({ subagent_history_start_ordinal: 3, parent_thread_id: CHILD }),
    { ...userItem("the parent's prompt"), ordinal: 1 },
    { ...agentItem("the parent's answer"), ordinal: 2 },
    {
      ...item("agent_message", {
        author: "/root",
        recipient: "/root/kid",
        content: [
          {
            type: "input_text",
            text: "Message Type: NEW_TASK\nTask name: /root/kid\nSender: /root\nPayload:\nlook at it",
          },
        ],
      }),
      ordinal: 3,
    },
    {
      ...line("inter_agent_communication", { author: "/root", recipient: "/root/kid", content: "look at it" }),
      ordinal: 4,
    },
    {
      ...line("inter_agent_communication", {
        author: "/root/kid/sub",
        recipient: "/root/kid",
        content: "Message Type: FINAL_ANSWER\nTask name: /root/kid\nSender: /root/kid/sub\nPayload:\nseen",
      }),
      ordinal: 5,
    },
  ]);
  assert.deepEqual(texts(messages), ["user: look at it", "tool: agent -> seen"]);
});

test("a damaged first line does not make the file its parent's", () => {
  const { meta: known, messages } = readRecords([
    '{"type":"session_meta",',
    meta({ id: CHILD }),
    ...turn("t1", "x", "y"),
  ]);
  assert.equal(known.id, THREAD);
  assert.equal(messages.length, 2);
});

test("rolled back prompts are void, with all that followed them", () => {
  const records = [
    meta(),
    ...turn("t1", "one", "1"),
    ...turn("t2", "two", "2"),
    ...turn("t3", "three", "3"),
    event("thread_rolled_back", { num_turns: 2 }),
    ...turn("t4", "four", "4"),
  ];
  assert.deepEqual(texts(readRecords(records).messages), ["user: one", "assistant: 1", "user: four", "assistant: 4"]);
  const all = readRecords([
    meta(),
    ...turn("t1", "one", "1"),
    event("thread_rolled_back", { num_turns: 9 }),
    ...turn("t2", "two", "2"),
  ]);
  assert.deepEqual(texts(all.messages), ["user: two", "assistant: 2"]);
  assert.equal(all.meta.title, "two");
  sameInPieces(records);
});

test("what was rolled back soon is never handed over; what was handed over is taken back", () => {
  const home = newHome();
  const turns = (size: number): JsonObject[] =>
    ["one", "two", "three"].flatMap((prompt, i) => turn(`t${i}`, prompt, `${prompt} `.repeat(size)));
  const rolledBack = [event("thread_rolled_back", { num_turns: 2 }), ...turn("t4", "four", "4")];
  for (const [size, expected] of [
    [1, 4],
    [900_000, 6],
  ] as const) {
    write(rolloutPath(home), [meta(), ...turns(size), ...rolledBack]);
    const sink = readHome(home);
    assert.deepEqual(
      sink.only().messages.map((message) => message.uid),
      ["t0", "t0", "t4", "t4"],
    );
    assert.ok(sink.delivered === 4 || size > 1, `${sink.delivered} were handed over`);
    assert.ok(sink.delivered >= expected);
  }
});

test("a compaction leaves its summary; the history it repeats is dropped, however long the line", () => {
  const long = Array.from({ length: 3000 }, () => ({
    type: "message",
    role: "user",
    content: "said before ".repeat(300),
  }));
  const { messages } = readRecords([
    meta(),
    ...turn("t1", "one", "1"),
    line("compacted", { message: "", replacement_history: [{ type: "message" }] }),
    line("compacted", { message: "Summary: one was done.", replacement_history: long }),
    ...turn("t2", "two", "2"),
  ]);
  assert.deepEqual(texts(messages), [
    "user: one",
    "assistant: 1",
    "system: Summary: one was done.",
    "user: two",
    "assistant: 2",
  ]);
  assert.equal(messages[2]?.kind, "summary");
});

test("files from before the envelope", () => {
  const bare = (record: JsonObject): JsonObject => record.payload as JsonObject;
  const { meta: known, messages } = readRecords([
    { id: THREAD, timestamp: "2025-06-01T08:00:00.000Z", instructions: "be brief", git: { branch: "old" } },
    { record_type: "state" },
    bare(userItem("<environment_context>x</environment_context>")),
    bare(userItem("how old is this?")),
    bare(call("c1", "shell", { command: ["date"] })),
    bare(output("c1", '{"output":"Sun","metadata":{"exit_code":0}}')),
    bare(agentItem("Old.")),
  ]);
  assert.deepEqual(known, {
    id: THREAD,
    source: "codex",
    title: "how old is this?",
    branch: "old",
    created: "2025-06-01T08:00:00.000Z",
  });
  assert.deepEqual(texts(messages), [
    "user: how old is this?",
    'assistant: shell({"command":["date"]})',
    "tool: shell -> Sun",
    "assistant: Old.",
  ]);
  assert.equal(messages[0]?.time, undefined);
});

test("a compressed file reads like the plain one, and is listed only without it", () => {
  const home = newHome();
  const path = rolloutPath(home);
  write(path, SESSION);
  writeFileSync(`${path}.zst`, zstdCompressSync(text(SESSION)));
  write(rolloutPath(home, CHILD, "archived_sessions"), [meta({ id: CHILD }), ...turn("t1", "old", "gone")]);
  write(join(dirname(path), "notes.jsonl"), SESSION);
  assert.deepEqual(
    codex.discover(testEnv(home)).map((each) => basename(each.path)),
    [basename(path), basename(rolloutPath(home, CHILD))],
  );
  const plain = readHome(home).conversations;
  rmSync(path);
  const [packed] = codex.discover(testEnv(home));
  assert.equal(packed?.path, `${path}.zst`);
  assert.equal(packed && codex.lineage?.(packed, testEnv(home))?.id, THREAD);
  const states = new Map<string, Json | undefined>();
  const sink = new CollectingSink();
  readAll(codex, testEnv(home), sink, states);
  assert.deepEqual(sink.conversations, plain);
  const again = sink.delivered;
  readAll(codex, testEnv(home), sink, states);
  assert.equal(sink.delivered, again);

  const bytes = zstdCompressSync(text(SESSION));
  writeFileSync(`${path}.zst`, bytes.subarray(0, bytes.length >> 1));
  readHome(home);
  writeFileSync(`${path}.zst`, "no zstd");
  assert.match(readHome(home).malformedLines.join(), /\.zst/);
});

test("a compressed file too large to unpack at once comes through the worker, line for line", () => {
  const path = join(newHome(), "large.jsonl.zst");
  const plain = Array.from({ length: 3000 }, (_, i) => `{"n":${i},"s":"${"x".repeat(i * 3)}"}`);
  writeFileSync(path, zstdCompressSync(`${plain.join("\n")}\n{"torn`));
  const lines = [...zstdLines(path, { whole: 1 << 20 })];
  const whole = [...zstdLines(path)];
  assert.deepEqual(lines, whole);
  assert.equal(lines.length, plain.length + 1);
  assert.equal(lines.at(-1)?.terminated, false);
});

test("a thread that was reverted goes on from the record it was reverted to", () => {
  const home = newHome();
  const numbered = (records: JsonObject[]): JsonObject[] => records.map((record, ordinal) => ({ ...record, ordinal }));
  const before = numbered([meta({ history_mode: "paginated" }), ...turn("t1", "one", "1"), ...turn("t2", "two", "2")]);
  write(rolloutPath(home), before);
  const base = { thread_id: THREAD, end_ordinal_exclusive: 9, end_byte_offset: null };
  const later = [meta({ history_mode: "paginated", history_base: base }), ...turn("t3", "three", "3")];
  const path = rolloutPath(home, `${THREAD}_${LATER}`);
  write(path, later);
  const [container, ...others] = codex.discover(testEnv(home));
  assert.deepEqual([container?.path, others.length], [path, 0]);
  const sink = new CollectingSink();
  const states = readAll(codex, testEnv(home), sink);
  assert.deepEqual(texts(sink.only().messages), ["user: one", "assistant: 1", "user: three", "assistant: 3"]);
  appendFileSync(path, text(turn("t4", "four", "4")));
  const delivered = sink.delivered;
  readAll(codex, testEnv(home), sink, states);
  assert.deepEqual(texts(sink.only().messages).slice(2), ["user: three", "assistant: 3", "user: four", "assistant: 4"]);
  assert.equal(sink.delivered - delivered, 3);
});

test("a name outranks a prompt: in the file, in the list, in the database", () => {
  const home = newHome();
  const path = rolloutPath(home);
  const sink = new CollectingSink();
  const states = new Map<string, Json | undefined>();
  const title = (): (string | undefined)[] => {
    appendFileSync(path, text([agentItem("more")]));
    readAll(codex, testEnv(home), sink, states);
    return [sink.only().meta.title, readHome(home).only().meta.title];
  };
  write(path, [meta(), ...turn("t1", "the prompt\nmore", "y")]);
  assert.deepEqual(title(), ["the prompt", "the prompt"]);
  const db = new DatabaseSync(join(home, ".codex/state_5.sqlite"));
  db.exec("CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT)");
  db.prepare("INSERT INTO threads VALUES (?, ?)").run(THREAD, "stored");
  db.close();
  assert.deepEqual(title(), ["stored", "stored"]);
  const list = join(home, ".codex/session_index.jsonl");
  writeFileSync(list, text([{ id: THREAD, thread_name: "old" }, { id: THREAD, thread_name: "listed" }, "{torn"]));
  assert.deepEqual(title(), ["listed", "listed"]);
  appendFileSync(path, text([event("thread_name_updated", { thread_id: THREAD, thread_name: "renamed" })]));
  assert.deepEqual(title(), ["renamed", "renamed"]);
  appendFileSync(path, text(turn("t2", "go on", "done")));
  assert.deepEqual(title(), ["renamed", "renamed"]);
});

test("CODEX_HOME is where to look", () => {
  const home = newHome();
  write(rolloutPath(home), SESSION);
  const elsewhere = testEnv("/nowhere", { CODEX_HOME: join(home, ".codex") });
  assert.equal(codex.discover(elsewhere).length, 1);
  assert.deepEqual(
    codex.places(elsewhere).map((place) => place.path),
    [join(home, ".codex/sessions"), join(home, ".codex/archived_sessions")],
  );
  assert.deepEqual(codex.discover(testEnv("/nowhere")), []);
});

test("two records on one line are both read, and the line is counted once", () => {
  const home = newHome();
  const joined = JSON.stringify(event("token_count", { info: null })) + JSON.stringify(agentItem("kept"));
  write(rolloutPath(home), [meta(), userItem("x"), joined, "not json", event("token_count")]);
  const sink = readHome(home);
  assert.deepEqual(texts(sink.only().messages), ["user: x", "assistant: kept"]);
  assert.equal(sink.malformedLines.length, 2);
});

test("a session without messages is not opened; a refused one is left", () => {
  const home = newHome();
  write(rolloutPath(home), [meta(), event("task_started", { turn_id: "t" })]);
  assert.equal(readHome(home).conversations.size, 0);
  write(rolloutPath(home), SESSION);
  const [container] = codex.discover(testEnv(home));
  let opened = 0;
  const state = codex.read({
    container: container ?? assert.fail(),
    env: testEnv(home),
    state: undefined,
    inherited: new Set(),
    sink: {
      open: () => {
        opened += 1;
        return false;
      },
      message: () => assert.fail("refused"),
      close: () => assert.fail("refused"),
      malformed: () => assert.fail("not malformed"),
    },
  });
  assert.deepEqual([opened, state], [1, undefined]);
});

/** Reads the file cut at every line and within lines, then whole with the state of that: nothing may differ. */
function sameInPieces(records: JsonObject[]): void {
  const whole = text(records);
  const fresh = readRecords(records);
  const cuts = [...whole.matchAll(/\n/g)].flatMap((match) => [match.index + 1, match.index, match.index - 7]);
  const home = newHome();
  const path = rolloutPath(home);
  for (const cut of cuts) {
    write(path, []);
    writeFileSync(path, whole.slice(0, cut));
    const sink = new CollectingSink();
    const states = readAll(codex, testEnv(home), sink);
    writeFileSync(path, whole);
    readAll(codex, testEnv(home), sink, states);
    assert.deepEqual(sink.only(), fresh, `cut at ${cut}: ${whole.slice(cut - 60, cut)}`);
    assert.ok(JSON.stringify(states.get(path)).length < 2000);
    const delivered = sink.delivered;
    readAll(codex, testEnv(home), sink, states);
    assert.equal(sink.delivered, delivered, "nothing new, nothing delivered");
    assert.deepEqual(sink.malformedLines, []);
  }
}

test("read in pieces is read whole", () => {
  sameInPieces(SESSION);
});

test("what is told again only after a later message began is still known then", () => {
  const late = [
    meta(),
    event("task_started", { turn_id: "t1" }),
    userItem("late"),
    event("agent_message", { message: "Said before the call." }),
    agentItem("Said before the call."),
    call("c1", "exec_command", { cmd: "ls" }),
    output("c1", "a.ts"),
    event("user_message", { message: "late" }),
    event("item_completed", { item: { type: "CommandExecution", id: "n1", command: ["ls"], exit_code: 0 } }),
    output("c2", "late output"),
    event("task_complete", { turn_id: "t1", last_agent_message: "Said before the call." }),
    userItem("<user_shell_command><command>ls</command><result>a.ts</result></user_shell_command>"),
    userItem("next"),
  ];
  assert.deepEqual(texts(readRecords(late).messages), [
    "user: late",
    'assistant: Said before the call. | exec_command({"cmd":"ls"})',
    "tool: exec_command -> a.ts",
    'assistant: exec_command({"cmd":["ls"]})',
    "tool: exec_command ->  | undefined -> late output",
    "user: !ls",
    "tool: user_shell -> a.ts",
    "user: next",
  ]);
  sameInPieces(late);
});

test("no words of the user are kept in the state", () => {
  const home = newHome();
  write(rolloutPath(home), [
    meta(),
    event("task_started", { turn_id: "t" }),
    userItem("my secret hunter2"),
    agentItem("I will not tell hunter2"),
  ]);
  const states = readAll(codex, testEnv(home), new CollectingSink());
  assert.ok(!JSON.stringify([...states.values()]).includes("hunter2"));
});

test("a file that was rewritten or cut is read whole again", () => {
  const home = newHome();
  const path = rolloutPath(home);
  write(path, SESSION);
  const sink = new CollectingSink();
  const states = readAll(codex, testEnv(home), sink);
  write(path, [meta(), ...turn("t1", "another", "history")]);
  readAll(codex, testEnv(home), sink, states);
  assert.deepEqual(texts(sink.only().messages), ["user: another", "assistant: history"]);
  truncateSync(path, 10);
  utimesSync(path, 1, 1);
  readAll(codex, testEnv(home), sink, states);
  rmSync(path);
  const container = { source: "codex", path, stamp: "", bytes: 0, mtimeMs: 0 };
  readOne(codex, testEnv(home), container, sink, states);
  assert.match(sink.malformedLines.join(), /ENOENT/);
  assert.equal(codex.lineage?.(container, testEnv(home))?.id, THREAD);
});

test("damage is passed over", () => {
  const home = newHome();
  const path = rolloutPath(home);
  const bytes = Buffer.from(
    text([...SESSION.slice(1), event("thread_rolled_back", { num_turns: 1 }), ...turn("t9", "a", "b")]),
  );
  mkdirSync(dirname(path), { recursive: true });
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 100; round += 1) {
    const damaged = Buffer.from(bytes.subarray(0, 1 + random(bytes.length)));
    for (let flips = random(12); flips > 0; flips -= 1) damaged[random(damaged.length)] = random(256);
    const sink = new CollectingSink();
    writeFileSync(path, damaged);
    const states = readAll(codex, testEnv(home), sink);
    appendFileSync(path, bytes.subarray(random(bytes.length)));
    readAll(codex, testEnv(home), sink, states);
    if (round % 10 > 0) continue;
    rmSync(path);
    const packed = zstdCompressSync(damaged);
    for (let flips = random(4); flips > 0; flips -= 1) packed[random(packed.length)] = random(256);
    writeFileSync(`${path}.zst`, packed);
    for (const container of codex.discover(testEnv(home))) codex.lineage?.(container, testEnv(home));
    readAll(codex, testEnv(home), new CollectingSink());
    rmSync(`${path}.zst`);
  }
});

test("names that every object has are no record types", () => {
  const names = ["constructor", "__defineGetter__", "toString", "__proto__", "hasOwnProperty"];
  const { messages } = readRecords([
    meta(),
    userItem("x"),
    ...names.flatMap((name) => [
      event(name),
      item(name),
      { type: name },
      event("item_completed", { item: { type: name } }),
    ]),
  ]);
  assert.equal(messages.length, 1);
});
