/** The tools of Cline's extension and of its command line, in the events of their hooks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../kernel/json.ts";
import { clineHooks } from "./hooks.ts";

const TASK = { taskId: "t", workspaceRoots: ["/w"], agent_id: "a", parent_agent_id: null };

function seen(input: JsonObject): unknown {
  const event = clineHooks.read({ ...TASK, ...input });
  if (!event) return undefined;
  const { name, folder, ...rest } = event;
  assert.equal(folder, "/w");
  return rest;
}

test("the command line's tools have forms of their own", () => {
  const call = (hookName: string, name: string, input: JsonObject): unknown =>
    seen({ hookName, [hookName]: { id: "1", name, input } });
  const editor = { path: "/w/a.ts", old_text: "a", new_text: "b" };
  const session = "t";
  assert.deepEqual(call("tool_call", "editor", editor), { session, kind: "edit", files: ["/w/a.ts"], text: "b" });
  assert.deepEqual(call("tool_call", "run_commands", { commands: ["ls", "npm test"] }), {
    session,
    kind: "command",
    command: "npm test",
  });
  assert.equal(call("tool_call", "read_files", { files: [{ path: "/w/a.ts" }] }), undefined);
  const read = call("tool_result", "read_files", { files: [{ path: "/w/a.ts" }, { path: "/w/b.ts" }] });
  assert.deepEqual(read, { session, kind: "files", files: ["/w/a.ts", "/w/b.ts"] });
});

test("the extension sends parameters as text", () => {
  const before = (toolName: string, parameters: JsonObject): unknown =>
    seen({ hookName: "PreToolUse", preToolUse: { toolName, parameters } });
  assert.deepEqual(before("execute_command", { command: "npm test", requires_approval: "false" }), {
    session: "t",
    kind: "command",
    command: "npm test",
  });
  assert.deepEqual(before("write_to_file", { path: "b.ts", content: "x" }), {
    session: "t",
    kind: "edit",
    files: ["b.ts"],
    text: "x",
  });
});

test("a subagent has a session of its own; the unread events of the command line are none", () => {
  const postToolUse = { toolName: "read_file", parameters: { path: "a.ts" } };
  assert.deepEqual(seen({ hookName: "PostToolUse", postToolUse, parent_agent_id: "m", agent_id: "s" }), {
    session: "t/s",
    kind: "files",
    files: ["a.ts"],
  });
  for (const hookName of ["agent_start", "prompt_submit", "TaskCancel", "toString"]) {
    assert.equal(seen({ hookName }), undefined, hookName);
  }
});
