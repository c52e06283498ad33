import assert from "node:assert/strict";
import { test } from "node:test";
import { kimiHooks } from "./hooks.ts";

const common = { session_id: "s1", cwd: "/work/app", session_title: "Fix the login page" };
const read = (name: string, more = {}) => kimiHooks.read({ hook_event_name: name, ...common, ...more });

test("a prompt as parts or as text, the end and the loss of the context", () => {
  const event = { name: "UserPromptSubmit", session: "s1", folder: "/work/app", kind: "prompt" };
  const parts = [
    { type: "text", text: "fix the parser" },
    { type: "image_url", image_url: {} },
    { text: "and test it" },
  ];
  assert.deepEqual(read("UserPromptSubmit", { prompt: parts }), { ...event, prompt: "fix the parser\nand test it" });
  assert.deepEqual(read("UserPromptSubmit", { prompt: "fix it" }), { ...event, prompt: "fix it" });
  assert.equal(read("PostCompact", { trigger: "auto" })?.kind, "compacted");
  assert.equal(read("SessionEnd", { reason: "exit" })?.kind, "end");
  assert.equal(read("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }), undefined, "takes no context");
});

test("the text is the message", () => {
  const event = read("UserPromptSubmit", { prompt: "x" });
  assert.ok(event);
  assert.deepEqual(kimiHooks.answer(event, "text"), { message: "text" });
});
