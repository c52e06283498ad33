import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { assertGrows, lines, put } from "../../../../../test/support/sources/growing.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { copilotHistory } from "./source.ts";

let second = 0;
function event(type: string, data: object, agentId?: string): object {
  second += 1;
  const timestamp = `2026-03-02T09:15:${String(second).padStart(2, "0")}.000Z`;
  return { type, data, id: `e${second}`, timestamp, parentId: null, ...(agentId === undefined ? {} : { agentId }) };
}

const call = (id: string, name: string, args: object): object => ({ toolCallId: id, name, arguments: args });
const SESSION = lines(
  event("session.start", { sessionId: "s", context: { cwd: "/srv/tides", branch: "main" } }),
  event("user.message", { content: "check both" }),
  event("assistant.message", {
    messageId: "m1",
    model: "coder-1",
    content: "Two agents check.",
    toolRequests: [call("a", "task", { prompt: "check north" }), call("b", "task", { prompt: "check south" })],
    outputTokens: 10,
  }),
  event("user.message", { content: "check north", source: "agent-s" }, "a"),
  event("user.message", { content: "check south", source: "agent-s" }, "b"),
  event(
    "assistant.message",
    {
      messageId: "m2",
      model: "coder-2",
      toolRequests: [call("c", "bash", { command: "make north" })],
      outputTokens: 5,
    },
    "a",
  ),
  event("assistant.message", { messageId: "m3", model: "coder-2", content: "South is fine.", outputTokens: 7 }, "b"),
  event(
    "tool.execution_complete",
    { toolCallId: "c", success: true, result: { content: "none\n<exited with exit code 2>" } },
    "a",
  ),
  event("assistant.message", { messageId: "m4", model: "coder-2", content: "North fails.", outputTokens: 3 }, "a"),
  event("tool.execution_complete", { toolCallId: "a", success: true, result: { content: "North fails." } }),
  event("tool.execution_complete", { toolCallId: "b", success: true, result: { content: "South is fine." } }),
  event("assistant.message", { messageId: "m5", model: "coder-1", content: "North fails, south is fine." }),
  event("session.shutdown", {
    modelMetrics: {
      "coder-1": { usage: { inputTokens: 100, outputTokens: 12 } },
      "coder-2": { usage: { inputTokens: 50, outputTokens: 15 } },
    },
  }),
);

test("a subagent of Copilot is a conversation of its own below the session, and nothing counts twice", () => {
  const home = mkdtempSync(join(tmpdir(), "dex-copilot-agents-"));
  const env = testEnv(home);
  const path = join(home, ".copilot", "session-state", "s", "events.jsonl");
  put(path, SESSION);
  const sink = new CollectingSink();
  readAll(copilotHistory, env, sink);
  const read = [...sink.conversations.values()].map(({ meta, messages }) => ({
    meta: [meta.id, meta.parent, meta.parent_kind, meta.project, meta.branch, meta.model],
    said: messages.map(({ role, parts }) => {
      const words = parts.map((part) =>
        part.type === "tool_result" ? part.output : "text" in part ? part.text : part.name,
      );
      return `${role}: ${words.join(" | ")}`;
    }),
    output: messages.flatMap(({ usage = [] }) => usage.map(({ output }) => output ?? 0)),
  }));
  assert.deepEqual(read, [
    {
      meta: ["s", undefined, undefined, "/srv/tides", "main", "coder-1"],
      said: [
        "user: check both",
        "assistant: Two agents check. | task | task",
        "tool: North fails. | South is fine.",
        "assistant: North fails, south is fine.",
      ],
      output: [10, 2, 0],
    },
    {
      meta: ["s-a", "s", "subagent", "/srv/tides", "main", "coder-2"],
      said: ["user: check north", "assistant: bash", "tool: none", "assistant: North fails."],
      output: [5, 3],
    },
    {
      meta: ["s-b", "s", "subagent", "/srv/tides", "main", "coder-2"],
      said: ["user: check south", "assistant: South is fine."],
      output: [7],
    },
  ]);
  rmSync(home, { recursive: true });
});

test("subagents are read to the same end while the session grows", () => {
  const home = mkdtempSync(join(tmpdir(), "dex-copilot-agents-"));
  const path = join(home, ".copilot", "session-state", "s", "events.jsonl");
  assertGrows(copilotHistory, testEnv(home), path, SESSION, 2);
  rmSync(home, { recursive: true });
});
