/** The bundled conversations are the first that a newcomer sees: they must look real. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../../test/support/sources/sink.ts";
import { claudeCodeHistory } from "./agents/claude_code/history/source.ts";
import { codexHistory } from "./agents/codex/history/source.ts";
import { opencodeHistory } from "./agents/opencode/history/source.ts";

const HOME = join(import.meta.dirname, "..", "..", "samples", "home");

function samples(): ReadConversation[] {
  const sink = new CollectingSink();
  for (const source of [claudeCodeHistory, codexHistory, opencodeHistory]) readAll(source, testEnv(HOME), sink);
  assert.deepEqual(sink.malformedLines, []);
  return [...sink.conversations.values()];
}

describe("the bundled samples", () => {
  it("are four conversations of one project, of three agents", () => {
    const all = samples();
    assert.deepEqual(
      all.map(({ meta }) => meta.source),
      ["claude_code", "claude_code", "codex", "opencode"],
    );
    for (const { meta } of all) {
      assert.equal(meta.project, "/home/sam/notes-api");
      assert.ok(meta.title && meta.model);
    }
  });

  it("are short, from March 2026, and contain every kind of part", () => {
    const kinds = new Set<string>();
    for (const { messages } of samples()) {
      assert.ok(messages.length >= 12 && messages.length <= 25, `${messages.length} messages`);
      for (const { time, parts } of messages) {
        assert.match(time ?? "", /^2026-03-/);
        for (const part of parts) kinds.add(part.type);
      }
    }
    assert.deepEqual([...kinds].sort(), ["text", "thinking", "tool_call", "tool_result"]);
  });

  it("contain a decision, an error, a commit, a failed command and a measurement", () => {
    const text = JSON.stringify(samples());
    for (const words of [
      "**Decision:** opaque rotating refresh tokens",
      "AssertionError: expected 200 to be 429",
      "[main a41c9e2] fix(rate-limit)",
      "canceling statement due to lock timeout",
      "Execution Time: 1.655 ms",
    ])
      assert.ok(text.includes(words), words);
  });
});
