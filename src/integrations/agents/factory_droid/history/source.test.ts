import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { assertGrows, assertSurvives, lines, put } from "../../../../../test/support/sources/growing.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { factoryDroidHistory } from "./source.ts";

const ID = "0b8f5c1e-7a1d-4c56-9d53-6a2f8e4b7c90";
const at = (second: number): string => `2026-03-04T08:30:${String(second).padStart(2, "0")}.000Z`;
const message = (id: string, second: number, role: string, content: unknown): object => ({
  type: "message",
  id,
  parentId: "m0",
  timestamp: at(second),
  message: { role, content },
});

const SESSION = lines(
  {
    type: "session_start",
    id: ID,
    title: "Rename the ferry timetable\nand more",
    owner: "ada",
    version: 2,
    cwd: "/home/ada/ferry",
  },
  message("m1", 1, "user", [
    { type: "text", text: "<system-reminder>\nToday is Wednesday.\n</system-reminder>\n\nrename the timetable" },
    { type: "image", source: { type: "base64", data: "AAAA" } },
  ]),
  message("m2", 2, "assistant", [
    { type: "thinking", thinking: "find it first", signature: "zz" },
    { type: "text", text: "Searching." },
    { type: "tool_use", id: "t1", name: "Grep", input: { pattern: "timetable" } },
    { type: "tool_use", id: "t2", name: "Execute", input: { command: "ls" } },
  ]),
  { type: "todo_state", id: "x1", timestamp: at(3), todos: "1. [pending] rename" },
  message("m3", 4, "user", [
    { type: "tool_result", tool_use_id: "t1", content: "src/timetable.ts" },
    { type: "tool_result", tool_use_id: "t2", is_error: true, content: [{ type: "text", text: "denied" }] },
    { type: "text", text: "and the tests too" },
  ]),
  message("m4", 5, "user", [{ type: "text", text: "<system-reminder>stay on task</system-reminder>" }]),
  {
    type: "compaction_state",
    id: "c1",
    timestamp: at(6),
    summaryText: "The timetable is being renamed.",
    removedCount: 3,
  },
  message("m5", 7, "user", "/model other"),
  message("m6", 8, "assistant", "Done."),
  { type: "session_end", timestamp: at(9) },
);

describe("factory droid", () => {
  let home: string;
  let env: SourceEnv;
  let path: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "dex-droid-"));
    env = testEnv(home);
    path = join(home, ".factory", "sessions", "-home-ada-ferry", `${ID}.jsonl`);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function readWhole(content = SESSION): CollectingSink {
    put(path, content);
    const sink = new CollectingSink();
    readAll(factoryDroidHistory, env, sink);
    return sink;
  }

  it("reads a session with its model, title and folder", () => {
    put(
      path.replace(".jsonl", ".settings.json"),
      JSON.stringify({ model: "acme-opus", tokenUsage: { inputTokens: 5 } }),
    );
    const { meta, messages } = readWhole().only();
    assert.deepEqual(meta, {
      id: ID,
      source: "factory_droid",
      title: "Rename the ferry timetable",
      project: "/home/ada/ferry",
      model: "acme-opus",
    });
    assert.deepEqual(
      messages.map(({ role, kind, uid, parts }) => ({ role, kind, uid, parts })),
      [
        {
          role: "user",
          kind: undefined,
          uid: "m1",
          parts: [
            { type: "text", text: "rename the timetable" },
            { type: "text", text: "[image]" },
          ],
        },
        {
          role: "assistant",
          kind: undefined,
          uid: "m2",
          parts: [
            { type: "thinking", text: "find it first" },
            { type: "text", text: "Searching." },
            { type: "tool_call", id: "t1", name: "Grep", input: { pattern: "timetable" } },
            { type: "tool_call", id: "t2", name: "Execute", input: { command: "ls" } },
          ],
        },
        {
          role: "tool",
          kind: undefined,
          uid: "m3",
          parts: [
            { type: "tool_result", id: "t1", name: "Grep", output: "src/timetable.ts" },
            { type: "tool_result", id: "t2", name: "Execute", output: "denied", is_error: true },
          ],
        },
        { role: "user", kind: undefined, uid: "m3:user", parts: [{ type: "text", text: "and the tests too" }] },
        {
          role: "system",
          kind: "summary",
          uid: "c1",
          parts: [{ type: "text", text: "The timetable is being renamed." }],
        },
        { role: "assistant", kind: undefined, uid: "m6", parts: [{ type: "text", text: "Done." }] },
      ],
    );
    assert.equal(messages[0]?.time, at(1));
  });

  it("knows the tool of a result that comes in a later read", () => {
    const cut = SESSION.indexOf('{"type":"todo_state"');
    put(path, SESSION.slice(0, cut));
    const sink = new CollectingSink();
    const states = readAll(factoryDroidHistory, env, sink);
    const before = sink.delivered;
    appendFileSync(path, SESSION.slice(cut));
    readAll(factoryDroidHistory, env, sink, states);
    // The last message before is read again: it had the tokens of the session so far.
    assert.equal(sink.delivered - before, 4 + 1);
    const [result] = sink.only().messages[2]?.parts ?? [];
    assert.ok(result?.type === "tool_result");
    assert.equal(result.name, "Grep");
  });

  it("records the tokens of the session once, at its last message, without those of its subagents", () => {
    const settings = path.replace(".jsonl", ".settings.json");
    const tokens = (outputTokens: number): string =>
      JSON.stringify({
        model: "acme-opus",
        tokenUsage: { inputTokens: 40, outputTokens, cacheCreationTokens: 7, cacheReadTokens: 90, thinkingTokens: 3 },
        inclusiveTokenUsage: { inputTokens: 5000, outputTokens: 5000 },
      });
    const cut = SESSION.indexOf('{"type":"todo_state"');
    put(settings, tokens(4));
    put(path, SESSION.slice(0, cut));
    const sink = new CollectingSink();
    let states = readAll(factoryDroidHistory, env, sink);
    // The settings may be written after the last message.
    for (const [content, output, requests] of [
      [SESSION.slice(0, cut), 10, undefined],
      [SESSION, 25, 2],
    ] as const) {
      put(settings, tokens(output));
      put(path, content);
      states = readAll(factoryDroidHistory, env, sink, states);
      const { messages } = sink.only();
      const [sum, ...others] = messages.flatMap(({ usage = [] }) => usage);
      assert.deepEqual(others, []);
      assert.deepEqual(messages.at(-1)?.usage, [sum]);
      const { id, requests: counted, ...counts } = sum ?? {};
      assert.ok(id);
      assert.equal(counted, requests ?? 1);
      const known = { model: "acme-opus", input: 40, cache_read: 90, cache_write: 7 };
      assert.deepEqual(counts, { ...known, output, reasoning: 3 });
    }
  });

  it("names the session that called a subagent", () => {
    const start = { type: "session_start", id: ID, cwd: "/home/ada/ferry", callingSessionId: "parent-1" };
    const { meta } = readWhole(lines(start, message("m1", 1, "user", "look around"))).only();
    assert.deepEqual([meta.parent, meta.parent_kind], ["parent-1", "subagent"]);
  });

  it("marks its own sessions and leaves empty ones out", () => {
    const start = { type: "session_start", id: ID, cwd: "/home/ada/.dex/chat-sessions/1" };
    assert.equal(readWhole(lines(start, message("m1", 1, "user", "hello"))).only().meta.headless, true);
    assert.equal(readWhole(lines(start)).conversations.size, 0);
  });

  it("changes its stamp with the settings, and takes the file's name when the head is damaged", () => {
    put(path, SESSION.replace('{"type":"session_start"', '{"type":session_start'));
    const [before] = factoryDroidHistory.discover(env);
    put(path.replace(".jsonl", ".settings.json"), "{}");
    const [after] = factoryDroidHistory.discover(env);
    assert.notEqual(before?.stamp, after?.stamp);
    const sink = new CollectingSink();
    readAll(factoryDroidHistory, env, sink);
    assert.equal(sink.only().meta.id, ID);
    assert.equal(sink.malformedLines.length, 1);
  });

  it("reports a session that disappeared", () => {
    put(path, SESSION);
    const [container] = factoryDroidHistory.discover(env);
    assert.ok(container);
    rmSync(path);
    const sink = new CollectingSink();
    const state = factoryDroidHistory.read({ container, env, state: { kept: true }, inherited: new Set(), sink });
    assert.deepEqual(state, { kept: true });
    assert.equal(sink.malformedLines.length, 1);
  });

  it("reads a growing file like a whole one", () => assertGrows(factoryDroidHistory, env, path, SESSION));

  it("survives damage", () => assertSurvives(factoryDroidHistory, env, path, SESSION));
});
