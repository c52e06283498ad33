import assert from "node:assert/strict";
import { test } from "node:test";
import { oneLine } from "./text.ts";

test("a line is cut to its length, and never inside of a character", () => {
  assert.equal(oneLine("  two\n words ", 9), "two words");
  assert.equal(oneLine("two words", 8), "two wor…");
  assert.equal(oneLine("two words", 5), "two…");
  assert.equal(oneLine("ab😀cd", 4), "ab…");
  assert.equal(oneLine("ab😀cd", 5), "ab😀…");
});
