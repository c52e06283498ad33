import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { refused } from "../../test/support/refused.ts";
import { parseAddress } from "./address.ts";

describe("parseAddress", () => {
  test("every form", () => {
    const id = "0b1e2f3a-9c8d-4e5f-a6b7-c8d9e0f1a2b3";
    assert.deepEqual(parseAddress("0b1e"), { id: "0b1e" });
    assert.deepEqual(parseAddress(` ${id}#12 `), { id, index: 12 });
    assert.deepEqual(parseAddress(`codex:${id}`), { source: "codex", id });
    assert.deepEqual(parseAddress(`claude_code:${id}#0`), { source: "claude_code", id, index: 0 });
    assert.deepEqual(parseAddress("Claude-Code:0b1e"), { source: "claude-code", id: "0b1e" });
    assert.deepEqual(parseAddress("ses_4fA/x.y"), { id: "ses_4fA/x.y" });
    assert.deepEqual(parseAddress("C:\\work\\chat"), { id: "C:\\work\\chat" });
  });

  test("anything else is refused", () => {
    for (const bad of [
      "",
      "#3",
      "abc#",
      "abc#x",
      "abc#-1",
      "abc#1.5",
      "codex:",
      "codex:#1",
      "a b",
      "a\u0000b",
      "a#1#2",
      "x".repeat(600),
    ]) {
      refused("bad_address", /is not the address/, /id#12/, () => parseAddress(bad));
    }
  });
});
