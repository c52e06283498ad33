/** The own SHA-256 gives the same as that of Node, for every length around the limits of a block. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { sha256 } from "./sha256.ts";

test("every length up to three blocks, and characters of several bytes", () => {
  for (let length = 0; length < 200; length += 1) {
    const text = "a/é漢\u{1f642}.ts".repeat(20).slice(0, length);
    assert.equal(sha256(text), hash("sha256", text, "hex"), `${length} characters`);
  }
  const long = "The same prompt again. ".repeat(500);
  assert.equal(sha256(long), hash("sha256", long, "hex"));
});
