import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../model.ts";
import { deriveCommits } from "./commits.ts";

function answer(output: string, name = "Bash"): Message {
  return { role: "tool", parts: [{ type: "tool_result", name, output }] };
}

test("a commit is recognised by git's line and its count of files", () => {
  const output = "[main 1a2b3c4] fix: error in the error handler\n 2 files changed, 3 insertions(+), 1 deletion(-)\n";
  assert.deepEqual(deriveCommits(answer(output)), [{ sha: "1a2b3c4", subject: "fix: error in the error handler" }]);
});

test("several commits, a root commit, a detached head and an amended one", () => {
  const output = [
    "[main (root-commit) 0000001] first",
    " 1 file changed, 1 insertion(+)",
    "[detached HEAD 0000002] second",
    " 3 files changed, 3 insertions(+)",
    "[topic/a-b 0000003] third",
    " Date: Sun Mar 1 10:00:00 2026 +0000",
    " 1 file changed, 2 deletions(-)",
  ].join("\n");
  assert.deepEqual(
    deriveCommits(answer(output)).map(({ subject }) => subject),
    ["first", "second", "third"],
  );
});

test("text that only resembles one is ignored", () => {
  assert.deepEqual(deriveCommits(answer("[main 1a2b3c4] quoted in prose, nothing changed")), []);
  assert.deepEqual(deriveCommits(answer("[main 1a2b3c4] in a file\n 1 file changed, 1 insertion(+)\n", "Read")), []);
  assert.deepEqual(
    deriveCommits({ role: "user", parts: [{ type: "text", text: "[main 1a2b3c4] x\n 1 file changed" }] }),
    [],
  );
});
