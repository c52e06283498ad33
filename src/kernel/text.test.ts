import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { sharedPrefixLength, shellWord } from "./text.ts";

test("a shell reads a quoted word back as it was", { skip: process.platform === "win32" }, () => {
  for (const word of [
    "npm",
    "src/a.ts:12",
    "",
    "two words",
    "it's",
    '$HOME `id` "x" \\ ;|&*?',
    "line\nbreak",
    "日本",
  ]) {
    const { stdout } = spawnSync("/bin/sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" });
    assert.equal(stdout, word);
  }
  assert.equal(shellWord("src/a.ts:12"), "src/a.ts:12", "a plain word needs no quotes");
});

test("the shared beginning of two texts", () => {
  assert.equal(sharedPrefixLength("abc", "abd"), 2);
  assert.equal(sharedPrefixLength("ab", "abc"), 2);
  assert.equal(sharedPrefixLength("", "abc"), 0);
});
