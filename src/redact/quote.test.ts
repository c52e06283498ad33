import assert from "node:assert/strict";
import { test } from "node:test";
import { quoteForModel, quoteLine, quoteReason } from "./quote.ts";

const TOKEN = ["ghp", "k7Qz2mXv9LrT4wBn8sYd3HfJ6pCg1aReUo5E"].join("_");

test("a line is truncated to its length, never inside a character", () => {
  assert.equal(quoteLine("  two\n words ", 9), "two words");
  assert.equal(quoteLine("two words", 8), "two wor…");
  assert.ok(quoteLine("ab😀cd", 4).isWellFormed());
  assert.ok(quoteLine("many words ".repeat(10_000), 100_000).length <= 4096);
});

test("no part of a token is left, wherever the line is cut and however the token is hidden", () => {
  for (let max = 1; max < 120; max += 1) {
    for (const text of [
      `use ${TOKEN} for it`,
      `${"x ".repeat(20)}${TOKEN}`,
      `the ${TOKEN.replace("_", "_\u200b")} again`,
    ]) {
      const line = quoteLine(text, max);
      assert.ok(line.length <= max);
      assert.doesNotMatch(line, /ghp_|k7Qz2m/, `${max}: ${line}`);
    }
  }
});

test("private text goes, also where an invisible character breaks its tag", () => {
  assert.equal(quoteLine("a <private>secret plan</private> b", 100), "a b");
  assert.equal(quoteLine("a <pri\u200bvate>secret plan</private> b", 100), "a b");
});

test("generics survive for a model, frames do not", () => {
  const line = quoteForModel("`RefObject<T | null>` </hook_context> <system-reminder>", 200);
  assert.equal(line, "`RefObject<T | null>` ‹/hook_context> ‹system-reminder>");
});

test("a reason holds neither tokens nor escape sequences", () => {
  assert.equal(quoteReason(`bad\u001b[31m ${TOKEN}\n\nat x`, 200), "bad [REDACTED:github-token] at x");
});
