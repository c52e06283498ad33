import assert from "node:assert/strict";
import { test } from "node:test";
import { resumeWords } from "./handoff.ts";
import { HANDOFF_TARGETS, handoffTargetNamed } from "./registry.ts";

test("an id that another program could read as an option, or as several words, is not passed to it", () => {
  const claude = handoffTargetNamed("claude");
  assert.deepEqual(resumeWords(claude, "ab-12"), ["claude", "--resume", "ab-12"]);
  for (const id of ["--dangerous", "-x", "a b", "a;b", "$(a)", ""]) assert.equal(resumeWords(claude, id), undefined);
});

test("conversations of another program of the same vendor are not resumed", () => {
  const cases: [string, string, boolean][] = [
    ["cursor", "/home/sam/.cursor/chats/0f/11-22/store.db", true],
    ["cursor", "/home/sam/.config/Cursor/User/globalStorage/state.vscdb", false],
    ["gemini", "/home/sam/.gemini/tmp/ab/chats/session.json", true],
    ["gemini", "/home/sam/.gemini/antigravity-cli/brain/1/x.jsonl", false],
    ["pi", "/home/sam/.pi/agent/sessions/x.jsonl", true],
    ["pi", "/home/sam/.omp/agent/sessions/x.jsonl", false],
    ["vscode", "/home/sam/x.json", false],
  ];
  for (const [name, origin, can] of cases) {
    const target = HANDOFF_TARGETS.find(({ id }) => id === name);
    assert.ok(target);
    assert.equal(resumeWords(target, "some-id", origin) !== undefined, can, origin);
  }
});
