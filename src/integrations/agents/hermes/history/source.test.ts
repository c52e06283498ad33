import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { putDatabase } from "../../../../../test/support/sources/forms.ts";
import { lines, put } from "../../../../../test/support/sources/growing.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { hermesHistory } from "./source.ts";

const CALL = { id: "c1", type: "function", function: { name: "shell", arguments: '{"command":"pwd"}' } };
const RECORDS = [
  { role: "user", content: "where are we" },
  { role: "assistant", content: "I look.", reasoning: "a command", tool_calls: [CALL] },
  { role: "tool", content: "/srv/tides", tool_call_id: "c1", tool_name: "shell" },
  { role: "session_meta" },
];

describe("hermes", () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "dex-hermes-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function readNow(): CollectingSink {
    const sink = new CollectingSink();
    readAll(hermesHistory, testEnv(home), sink);
    assert.deepEqual(sink.malformedLines, []);
    return sink;
  }

  function putRows(session_id: string, contents: readonly string[]): void {
    const messages = contents.map((content, at) => ({ id: at + 1, session_id, role: "user", content, timestamp: at }));
    putDatabase(join(home, ".hermes/state.db"), { messages });
  }

  it("takes what it says itself in the role of the user for the result of a tool", () => {
    const ended = "[ASYNC DELEGATION BATCH COMPLETE — deleg_1]\nThree counts.";
    const failed = "[IMPORTANT: Background process proc_1 terminated (exit code 2).";
    putRows("s1", ["count to three", ended, failed]);
    assert.deepEqual(
      readNow()
        .only()
        .messages.map(({ role, parts }) => [role, ...parts]),
      [
        ["user", { type: "text", text: "count to three" }],
        ["tool", { type: "tool_result", name: "delegate_task", output: ended }],
        ["tool", { type: "tool_result", name: "terminal", output: failed }],
      ],
    );
  });

  it("reads the command that was typed from the text of a skill", () => {
    const start =
      '[IMPORTANT: The user has invoked the "plan" skill, indicating they want you to follow it.]\n\n# Plan\n';
    const words = "The user has provided the following instruction alongside the skill invocation: draw a map";
    putRows("s1", [`${start}\n${words}`, start]);
    const texts = readNow()
      .only()
      .messages.flatMap(({ parts }) => parts);
    assert.deepEqual(texts, [
      { type: "text", text: "/plan draw a map" },
      { type: "text", text: "/plan" },
    ]);
  });

  it("reads the files of sessions that the database does not have", () => {
    const facts = { model: "coder-1", platform: "cli", session_start: "2026-03-02T09:15:00Z", cwd: "~/tides" };
    const sessions = join(home, ".hermes/sessions");
    put(join(sessions, "session_s1.json"), JSON.stringify({ session_id: "s1", messages: RECORDS, ...facts }));
    put(join(sessions, "session_s2.json"), JSON.stringify({ session_id: "s2", messages: RECORDS, ...facts }));
    put(
      join(sessions, "s3.jsonl"),
      lines(...RECORDS.map((record) => ({ ...record, timestamp: "2026-03-02T09:15:00Z" }))),
    );
    put(join(sessions, "sessions.json"), JSON.stringify({ s1: {} }));
    put(join(sessions, "request_dump_s1.json"), JSON.stringify({ session_id: "s1", messages: RECORDS }));
    putRows("s2", ["from the database"]);
    const { conversations } = readNow();
    assert.deepEqual([...conversations.keys()].sort(), ["s1", "s2", "s3"]);
    assert.equal(conversations.get("s2")?.messages.length, 1);
    assert.deepEqual(conversations.get("s3")?.messages[0]?.time, "2026-03-02T09:15:00.000Z");
    assert.deepEqual(conversations.get("s1"), {
      meta: {
        id: "s1",
        source: "hermes",
        project: join(home, "tides"),
        model: "coder-1",
        created: "2026-03-02T09:15:00.000Z",
      },
      messages: [
        { role: "user", parts: [{ type: "text", text: "where are we" }] },
        {
          role: "assistant",
          parts: [
            { type: "thinking", text: "a command" },
            { type: "text", text: "I look." },
            { type: "tool_call", id: "c1", name: "shell", input: { command: "pwd" } },
          ],
        },
        { role: "tool", parts: [{ type: "tool_result", id: "c1", name: "shell", output: "/srv/tides" }] },
      ],
    });
  });
});
