import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { assertGrows, assertSurvives, lines, put } from "../../../../../test/support/sources/growing.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { piHistory } from "./source.ts";

const ID = "6f0c1a52-4f0e-4d7b-9a3e-0d6a3b1c2d3e";
const PARENT = "11111111-2222-4333-8444-555555555555";
const at = (second: number): string => `2026-02-03T10:00:${String(second).padStart(2, "0")}.000Z`;

const V1 = lines(
  { type: "session", id: ID, timestamp: at(0), cwd: "/home/ada/tides", provider: "acme", modelId: "coder-1" },
  { type: "message", timestamp: at(1), message: { role: "user", content: "draw the tide chart" } },
  {
    type: "message",
    timestamp: at(2),
    message: {
      role: "assistant",
      model: "coder-1",
      content: [
        { type: "thinking", thinking: "look at the data first", thinkingSignature: "xx" },
        { type: "text", text: "I read the table." },
        { type: "toolCall", id: "call-1", name: "bash", arguments: { command: "cat tides.csv" } },
        { type: "toolCall", id: "call-2", name: "read", arguments: { path: "chart.ts" } },
      ],
    },
  },
  {
    type: "message",
    timestamp: at(3),
    message: {
      role: "toolResult",
      toolCallId: "call-1",
      toolName: "bash",
      content: [{ type: "text", text: "no such file\n\nCommand exited with code 1" }],
      isError: true,
    },
  },
  {
    type: "message",
    timestamp: at(3),
    message: {
      role: "toolResult",
      toolCallId: "call-2",
      toolName: "read",
      content: [
        { type: "text", text: "export {}" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
      isError: false,
    },
  },
  { type: "thinking_level_change", timestamp: at(4), thinkingLevel: "high" },
  {
    type: "message",
    timestamp: at(5),
    message: { role: "assistant", model: "coder-1", content: [], stopReason: "aborted" },
  },
  {
    type: "message",
    timestamp: at(6),
    message: { role: "bashExecution", command: "ls data", output: "tides.csv", exitCode: 0 },
  },
  { type: "message", timestamp: at(7), message: { role: "user", content: [{ type: "text", text: "/model coder-2" }] } },
  { type: "model_change", timestamp: at(8), provider: "acme", modelId: "coder-2" },
  {
    type: "compaction",
    timestamp: at(9),
    summary: "The chart is half drawn.",
    firstKeptEntryIndex: 2,
    tokensBefore: 900,
  },
  {
    type: "message",
    timestamp: at(10),
    message: {
      role: "user",
      content: [
        { type: "text", text: "like this" },
        { type: "image", data: "BBBB" },
      ],
    },
  },
);

const entry = (id: string, parentId: string | null, second: number, more: object): object => ({
  type: "message",
  id,
  parentId,
  timestamp: at(second),
  ...more,
});
const user = (text: string): object => ({ message: { role: "user", content: [{ type: "text", text }] } });
const assistant = (text: string): object => ({
  message: { role: "assistant", model: "coder-3", content: [{ type: "text", text }] },
});

const HEADER = {
  type: "session",
  version: 3,
  id: ID,
  timestamp: at(0),
  cwd: "/home/ada/tides",
  parentSession: `/home/ada/.pi/agent/sessions/--home-ada-tides--/2026-02-02T09-00-00-000Z_${PARENT}.jsonl`,
};

const TREE = lines(
  HEADER,
  entry("a1", null, 1, user("plan the harbour map")),
  entry("a2", "a1", 2, assistant("Here is a plan.")),
  entry("a3", "a2", 3, user("use the old survey")),
  entry("a4", "a3", 4, assistant("The old survey it is.")),
  {
    type: "branch_summary",
    id: "b1",
    parentId: "a2",
    timestamp: at(5),
    fromId: "a2",
    summary: "Tried the old survey.",
  },
  { type: "custom", id: "b2", parentId: "b1", timestamp: at(6), customType: "todo", data: { n: 1 } },
  {
    type: "custom_message",
    id: "b3",
    parentId: "b2",
    timestamp: at(6),
    customType: "note",
    content: "hidden",
    display: false,
  },
  {
    type: "custom_message",
    id: "b4",
    parentId: "b3",
    timestamp: at(6),
    customType: "note",
    content: "shown",
    display: true,
  },
  entry("b5", "b4", 7, user("use the new survey")),
  { type: "session_info", id: "b6", parentId: "b5", timestamp: at(8), name: "  Harbour map " },
  { type: "label", id: "b7", parentId: "b6", timestamp: at(8), targetId: "b5", label: "start" },
  entry("b8", "b7", 9, assistant("The new survey it is.")),
);

describe("pi", () => {
  let home: string;
  let env: SourceEnv;
  let path: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "dex-pi-"));
    env = testEnv(home);
    path = join(home, ".pi", "agent", "sessions", "--home-ada-tides--", `2026-02-03T10-00-00-000Z_${ID}.jsonl`);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function readWhole(content: string): CollectingSink {
    put(path, content);
    const sink = new CollectingSink();
    readAll(piHistory, env, sink);
    return sink;
  }

  it("reads a linear session of the first version", () => {
    const { meta, messages } = readWhole(V1).only();
    assert.deepEqual(meta, { id: ID, source: "pi", project: "/home/ada/tides", created: at(0), model: "coder-2" });
    assert.deepEqual(
      messages.map((message) => [message.role, message.kind, message.parts]),
      [
        ["user", undefined, [{ type: "text", text: "draw the tide chart" }]],
        [
          "assistant",
          undefined,
          [
            { type: "thinking", text: "look at the data first" },
            { type: "text", text: "I read the table." },
            { type: "tool_call", id: "call-1", name: "bash", input: { command: "cat tides.csv" } },
            { type: "tool_call", id: "call-2", name: "read", input: { path: "chart.ts" } },
          ],
        ],
        [
          "tool",
          undefined,
          [
            {
              type: "tool_result",
              id: "call-1",
              name: "bash",
              output: "no such file\n\nCommand exited with code 1",
              is_error: true,
              exit_code: 1,
            },
          ],
        ],
        ["tool", undefined, [{ type: "tool_result", id: "call-2", name: "read", output: "export {}\n[image]" }]],
        ["user", undefined, [{ type: "text", text: "! ls data" }]],
        ["tool", undefined, [{ type: "tool_result", name: "bash", output: "tides.csv", exit_code: 0 }]],
        ["system", "summary", [{ type: "text", text: "The chart is half drawn." }]],
        [
          "user",
          undefined,
          [
            { type: "text", text: "like this" },
            { type: "text", text: "[image]" },
          ],
        ],
      ],
    );
    assert.equal(messages[1]?.model, "coder-1");
    assert.equal(messages[0]?.time, at(1));
    assert.equal(new Set(messages.map((message) => message.uid)).size, messages.length);
  });

  it("follows the branch of the last entry", () => {
    const { meta, messages } = readWhole(TREE).only();
    assert.deepEqual(
      messages.map((message) => message.uid),
      ["a1", "a2", "b1", "b4", "b5", "b8"],
    );
    assert.equal(messages[2]?.kind, "summary");
    assert.deepEqual([messages[3]?.role, messages[3]?.parts], ["system", [{ type: "text", text: "shown" }]]);
    assert.equal(meta.title, "Harbour map");
    assert.deepEqual([meta.parent, meta.parent_kind], [PARENT, "fork"]);
  });

  it("resumes at the offset while the branch grows, and reads the whole again when it changes", () => {
    const sink = readWhole(TREE);
    const states = readAll(piHistory, env, sink);
    const before = sink.delivered;
    appendFileSync(path, lines(entry("b9", "b8", 10, user("print it"))));
    readAll(piHistory, env, sink, states);
    assert.equal(sink.delivered - before, 1);
    appendFileSync(path, lines(entry("c1", "a4", 11, user("back to the old survey"))));
    readAll(piHistory, env, sink, states);
    assert.deepEqual(
      sink.only().messages.map((message) => message.uid),
      ["a1", "a2", "a3", "a4", "c1"],
    );
  });

  it("passes on a name given after the last message", () => {
    const sink = new CollectingSink();
    put(path, lines(HEADER, entry("a1", null, 1, user("plan"))));
    const states = readAll(piHistory, env, sink);
    appendFileSync(path, lines({ type: "session_info", id: "a2", parentId: "a1", timestamp: at(2), name: "Plan" }));
    readAll(piHistory, env, sink, states);
    assert.equal(sink.only().meta.title, "Plan");
    assert.equal(sink.only().messages.length, 1);
  });

  it("keeps the messages before a line that cannot be read", () => {
    const broken = TREE.replace('"id":"a2"', '"id":"a2');
    const sink = readWhole(broken);
    assert.deepEqual(
      sink.only().messages.map((message) => message.uid),
      ["a1", "a3", "a4", "b1", "b4", "b5", "b8"],
    );
    assert.equal(sink.malformedLines.length, 1);
  });

  it("skips the messages a fork repeats, and names its origin", () => {
    put(path, TREE);
    const [container] = piHistory.discover(env);
    assert.ok(container);
    assert.deepEqual(piHistory.lineage?.(container, env), { id: ID, forkOf: PARENT, family: `pi:${at(1)}` });
    const sink = new CollectingSink();
    readAll(piHistory, env, sink, new Map(), { inherited: new Set(["a1", "a2", "b5"]), inheritedFrom: "grand" });
    assert.deepEqual(
      sink.only().messages.map((message) => message.uid),
      ["b1", "b4", "b5", "b8"],
    );
    assert.equal(sink.only().meta.parent, "grand");
  });

  it("opens nothing for a fork that adds nothing, nor for an empty session", () => {
    put(path, TREE);
    const sink = new CollectingSink();
    readAll(piHistory, env, sink, new Map(), { inherited: new Set(["a1", "a2", "a3", "a4", "b1", "b4", "b5", "b8"]) });
    assert.equal(sink.conversations.size, 0);
    assert.equal(readWhole(lines(HEADER)).conversations.size, 0);
  });

  it("stops when the conversation is not wanted", () => {
    put(path, TREE);
    const sink = new CollectingSink();
    sink.open = () => false;
    assert.deepEqual([...readAll(piHistory, env, sink).values()], [undefined]);
    assert.equal(sink.delivered, 0);
  });

  it("notices a rewritten file", () => {
    const sink = readWhole(V1);
    const states = readAll(piHistory, env, sink);
    put(path, TREE);
    readAll(piHistory, env, sink, states);
    const fresh = readWhole(TREE);
    assert.deepEqual(sink.only().messages, fresh.only().messages);
  });

  it("finds omp and OpenClaw sessions and a moved folder", () => {
    put(join(home, ".omp", "agent", "sessions", "x", "1_a.jsonl"), V1);
    put(join(home, ".openclaw", "agents", "main", "sessions", "b.jsonl"), V1);
    put(join(home, "moved", "sessions", "y", "1_c.jsonl"), V1);
    put(path, V1);
    const found = piHistory
      .discover(testEnv(home, { PI_CODING_AGENT_DIR: join(home, "moved") }))
      .map((each) => each.path);
    assert.equal(found.length, 3);
    assert.ok(!found.includes(path));
    assert.deepEqual(piHistory.discover(testEnv(join(home, "nowhere"))), []);
  });

  it("reads what OpenClaw archived when the user reset or deleted a session, unless the session is back", () => {
    const sessions = join(home, ".openclaw", "agents", "main", "sessions");
    for (const name of [
      "a.jsonl.reset.2026-02-03T10-00-00.000Z",
      "a.jsonl.deleted.2026-02-04T10-00-00.000Z",
      "b.jsonl",
      "b.jsonl.reset.2026-02-03T10-00-00.000Z",
      "c.checkpoint.1.jsonl",
      "c.jsonl.bak-1",
      "d.jsonl.deleted.2026-02-04T10-00-00.000Z.zst",
    ])
      put(join(sessions, name), V1);
    const found = piHistory.discover(env).map((each) => each.path.slice(sessions.length + 1));
    assert.deepEqual(found.sort(), ["a.jsonl.deleted.2026-02-04T10-00-00.000Z", "b.jsonl"]);
  });

  it("reads a growing file like a whole one", () => {
    assertGrows(piHistory, env, path, V1);
    assertGrows(piHistory, env, path, TREE);
  });

  it("survives damage", () => {
    assertSurvives(piHistory, env, path, V1);
    assertSurvives(piHistory, env, path, TREE);
  });
});
