import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../conversations/model.ts";
import { isCodeLine, statedTexts } from "./stated_errors.ts";

test("lines of code and commands are not reports of an error", () => {
  for (const line of [
    '460 "estimated pack exceeds the limit",',
    "335: // If the pack exceeds the limit, split it",
    "src/pool.go:12: // too many connections",
    "cmd: rg -n 'unexpected EOF' src",
    'throw new Error("too many connections");',
    "+ if (tooMany) {",
  ])
    assert.ok(isCodeLine(line), line);
  for (const line of [
    "error: too many connections",
    "pool_test.go:54: decode: unexpected EOF",
    "src/pool.ts(8,4): error TS2307: Cannot find module './x'.",
    "12 tests failed",
    "fatal: could not read Username for 'https://example.com'",
  ])
    assert.ok(!isCodeLine(line), line);
});

test("words of people and programs are separate from files, searches and commands", () => {
  const message: Message = {
    role: "assistant",
    parts: [
      { type: "text", text: "The pool is full." },
      { type: "tool_call", id: "1", name: "Bash", input: { command: "rg pool" } },
      { type: "tool_result", id: "1", name: "Bash", output: "error: pool is full", exit_code: 1 },
      { type: "tool_result", id: "2", name: "Read", output: "const pool = full;" },
      { type: "tool_result", id: "3", name: "Read", output: "no such file: pool", is_error: true },
    ],
  };
  const { said, handled } = statedTexts(message);
  assert.match(said, /The pool is full\.[\s\S]*error: pool is full[\s\S]*no such file/);
  assert.doesNotMatch(said, /rg pool|const pool/);
  assert.match(handled, /rg pool[\s\S]*const pool/);
});
