import assert from "node:assert/strict";
import { test } from "node:test";
import { auggieHooks } from "./hooks.ts";

const common = { conversation_id: "c1", workspace_roots: ["/work/app"] };

test("a session's start and end, and tools after their call", () => {
  const read = (name: string, more: object = {}) => auggieHooks.read({ hook_event_name: name, ...common, ...more });
  assert.deepEqual(read("SessionStart"), {
    name: "SessionStart",
    session: "c1",
    folder: "/work/app",
    kind: "start",
    source: "startup",
  });
  assert.equal(read("SessionEnd")?.kind, "end");
  const saved = read("PostToolUse", { tool_name: "save-file", tool_input: { path: "src/a.ts", file_content: "x" } });
  assert.deepEqual(saved?.kind === "files" && [saved.files, saved.edited], [["src/a.ts"], ["src/a.ts"]]);
  const run = { tool_name: "launch-process", tool_input: { command: "npm test" } };
  assert.equal(read("PostToolUse", { ...run, tool_output: "exit code: 0" }), undefined);
  assert.equal(read("PostToolUse", { ...run, tool_output: "exit code: 2" })?.kind, "command");
  assert.equal(read("PromptSubmit", { user_prompt: "go on" }), undefined);
});

test("the answer is a field at the top, where every event has it", () => {
  const event = auggieHooks.read({ hook_event_name: "SessionStart", ...common });
  assert.ok(event);
  assert.deepEqual(auggieHooks.answer(event, "text"), { additionalContext: "text" });
});
