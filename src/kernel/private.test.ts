import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutPrivate } from "./private.ts";

test("what is marked private goes, however the marker is written", () => {
  assert.equal(withoutPrivate("a <private>b</private> c <PRIVATE reason='x'>\nd\n</Private > e"), "a   c   e");
  assert.equal(withoutPrivate("a <private>b"), "a");
  assert.equal(withoutPrivate("<private>a</private>"), "");
  assert.equal(withoutPrivate("the privateer <privateer> sails"), "the privateer <privateer> sails");
});
