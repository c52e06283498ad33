/** Events before a tool call, as dex reads them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codexHooks } from "../agents/codex/hooks.ts";

const PATCH = [
  "*** Begin Patch",
  "*** Update File: src/tide.ts",
  "@@",
  "-const level = 1;",
  "+const level = moment();",
  "*** Add File: src/moon.ts",
  "+export {};",
  "*** End Patch",
].join("\n");

function before(tool: string, input: string | Record<string, string | string[]>) {
  const event = {
    hook_event_name: "PreToolUse",
    session_id: "s1",
    cwd: "/srv/tide",
    tool_name: tool,
    tool_input: input,
  };
  return codexHooks.read(event);
}

test("Codex: a patch is an edit of its files, in every form in which the host sends it", () => {
  const heredoc = `apply_patch <<'EOF'\n${PATCH}\nEOF`;
  for (const event of [
    before("apply_patch", { command: PATCH }),
    before("apply_patch", { input: PATCH }),
    before("apply_patch", { patch: PATCH }),
    before("apply_patch", PATCH),
    before("Bash", { command: heredoc }),
    before("shell", { command: ["bash", "-lc", heredoc] }),
    before("shell", { command: ["apply_patch", PATCH] }),
  ]) {
    assert.equal(event?.kind, "edit");
    assert.deepEqual(event?.kind === "edit" && event.files, ["src/tide.ts", "src/moon.ts"]);
    assert.match(event?.kind === "edit" ? event.text : "", /moment\(\)/);
  }
  assert.equal(before("Bash", { command: "npm test" })?.kind, "command");
  assert.equal(before("Bash", { command: "grep -n 'apply_patch' README.md" })?.kind, "command");
});
