/** Titles of conversations are taken from the first line of a prompt that says something. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { titleFrom } from "./wrappers.ts";

test("a title is the first line that says something", () => {
  assert.equal(titleFrom("\n\nSail the boat\nand land it"), "Sail the boat");
  assert.equal(titleFrom("[[ ## user_query ## ]]\n\nReply with the mark."), "Reply with the mark.");
  assert.equal(titleFrom("<task>\nReview the plan\n</task>"), "Review the plan");
  assert.equal(titleFrom("```\nTypeError: x is undefined\n```\nFix it"), "TypeError: x is undefined");
  assert.equal(titleFrom("---\n=====\nHarbour plan"), "Harbour plan");
  assert.equal(titleFrom("@[System]:\nWrite FizzBuzz"), "Write FizzBuzz");
  assert.equal(titleFrom("<div> is too wide"), "<div> is too wide");
  assert.equal(titleFrom("[masked]"), "[masked]");
});

test("a prompt of marks alone keeps its first line, and an empty one has no title", () => {
  assert.equal(titleFrom("???\n---"), "???");
  assert.equal(titleFrom("<task>\n</task>"), "<task>");
  assert.equal(titleFrom(" \n "), undefined);
  assert.equal(titleFrom(undefined), undefined);
});
