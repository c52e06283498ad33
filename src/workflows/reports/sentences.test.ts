import assert from "node:assert/strict";
import { test } from "node:test";
import { sentencesOf } from "./sentences.ts";

test("lines of programs are not sentences of a person", () => {
  for (const line of [
    "=== RUN TestRun_Sync",
    "--- FAIL: TestRun_Sync (0.01s)",
    "[test:docker] ERROR task failed",
    "[build] $ go test ./internal/syncer -v",
    "❯ mise run test:docker",
    "➜ ledger npm test",
    "https://example.org/ledger-test.git \\",
    "    at round (src/rates.ts)",
  ]) {
    assert.deepEqual(sentencesOf(line), [], line);
  }
});

test("indented lines below the output of a program are its output", () => {
  const pasted =
    "❯ npm test\n=== RUN ledger\n    a.ts:82: port failed\n        no port was published\n\n    cp: no such file";
  assert.deepEqual(sentencesOf(`${pasted}\nDon't retry it.\n  Fix the port.`), ["Don't retry it.", "Fix the port."]);
});

test("sentences of a person stay, with their marks removed", () => {
  const said =
    "- Always run the tests first.\n[x] do not commit yet\n[nit] rename it\nRates -- all of them -- are in cents";
  assert.deepEqual(sentencesOf(said), [
    "Always run the tests first.",
    "[x] do not commit yet",
    "[nit] rename it",
    "Rates -- all of them -- are in cents",
  ]);
});
