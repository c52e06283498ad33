import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentItem,
  CHILD,
  call,
  event,
  item,
  line,
  meta,
  newHome,
  output,
  readHome,
  readRecords,
  rolloutPath,
  SESSION,
  THREAD,
  texts,
  turn,
  userItem,
  write,
} from "../../../../../test/support/histories/rollout.ts";
import { testEnv } from "../../../../../test/support/sources/sink.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { codexHistory } from "./source.ts";

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

test("only the words that the user typed remain of a prompt", () => {
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

test("a text recorded as an item and as an event is emitted once, in either order", () => {
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

test("arguments that are not JSON stay as they are, and tools of a server carry its name", () => {
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

test("a subagent keeps its own turns: inherited ones are skipped", () => {
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
  const containers = codexHistory.discover(env);
  assert.deepEqual(
    containers.map((container) => codexHistory.lineage?.(container, env)),
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
  assert.equal(unknown.messages.length, 6, "without the parent's turns the turns cannot be distinguished");
});

test("a fork, a review and a program's session are recognised", () => {
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

test("a damaged first line does not turn the file into its parent's", () => {
  const { meta: known, messages } = readRecords([
    '{"type":"session_meta",',
    meta({ id: CHILD }),
    ...turn("t1", "x", "y"),
  ]);
  assert.equal(known.id, THREAD);
  assert.equal(messages.length, 2);
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

test("two records on one line are both read, and the line is counted once", () => {
  const home = newHome();
  const joined = JSON.stringify(event("token_count", { info: null })) + JSON.stringify(agentItem("kept"));
  write(rolloutPath(home), [meta(), userItem("x"), joined, "not json", event("token_count")]);
  const sink = readHome(home);
  assert.deepEqual(texts(sink.only().messages), ["user: x", "assistant: kept"]);
  assert.equal(sink.malformedLines.length, 2);
});

test("names that every object has are not record types", () => {
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
