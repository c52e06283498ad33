/** Actions that count as a use of a suggestion, and actions that do not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../conversations/model.ts";
import type { Json } from "../../kernel/json.ts";
import { isUse } from "./uses.ts";

const call = (name: string, input: Json): Message => ({
  role: "assistant",
  parts: [{ type: "tool_call", name, input }],
});
const said = (text: string): Message => ({ role: "assistant", parts: [{ type: "text", text }] });
const inside = (path: string): string => path.replace(/^\/repo\//, "");

const file = { entityId: "file:src/a.ts", actionUrl: "src/a.ts:3" };
const conversation = { entityId: "conversation:codex:0123456789abcdef", actionUrl: "0123456789abcdef#2" };
const commit = { entityId: "commit:abcdef0123456789", actionUrl: "abcdef012345" };
const record = { entityId: "decision:11aa22bb", actionUrl: "docs/adr/0001-x.md:3" };
const section = { entityId: "doc:node:fs.md#open", actionUrl: "node:fs.md#open" };

test("opening and editing the file, showing the commit, asking dex for the rest", () => {
  assert.ok(isUse(file, call("Read", { file_path: "/repo/src/a.ts" }), inside));
  assert.ok(isUse(file, call("Edit", { file_path: "src/a.ts", old_string: "", new_string: "" }), inside));
  assert.ok(isUse(file, call("Bash", { command: "sed -n 1,20p src/a.ts" }), inside));
  assert.ok(isUse(commit, call("Bash", { command: "git show abcdef01" }), inside));
  assert.ok(isUse(conversation, call("mcp__dex__dex_get", { ids: ["01234567"] }), inside));
  assert.ok(isUse(conversation, call("Bash", { command: "dex show 0123456789" }), inside));
  assert.ok(isUse(record, call("Read", { file_path: "/repo/docs/adr/0001-x.md" }), inside));
  assert.ok(isUse(section, call("documents_get_section", { section: "node:fs.md#open" }), inside));
  assert.ok(
    isUse({ entityId: "gap:src/b.ts", actionUrl: "src/b.ts" }, call("Write", { file_path: "/repo/src/b.ts" }), inside),
  );
});

test("a mention, another file or another program is not a use", () => {
  assert.ok(!isUse(file, said("see src/a.ts"), inside));
  assert.ok(!isUse(file, call("Read", { file_path: "/repo/src/aa.ts" }), inside));
  assert.ok(!isUse(file, call("Bash", { command: "npm test src/a.ts" }), inside));
  assert.ok(!isUse(conversation, call("Bash", { command: "echo 0123456789abcdef" }), inside));
  assert.ok(!isUse(commit, call("Bash", { command: "git log" }), inside));
});
