import assert from "node:assert/strict";
import { test } from "node:test";
import { joinedIn, phraseShare } from "./neighbours.ts";

test("telling words beside each other, and a verb with its particle, are also looked for as one word", () => {
  const known = new Set(["timeout", "loglevel", "my"]);
  const joined = (query: string): string[] => joinedIn(query, (term) => known.has(term));
  assert.deepEqual(joined("When does a request time out?"), ["timeout"]);
  assert.deepEqual(joined("What is the default log level?"), ["loglevel"]);
  assert.deepEqual(joined("the time of my request"), []);
});

test("a text with the question's words side by side has more of its phrases than one that has them apart", () => {
  const query = "Which exit code does it return?";
  assert.ok(phraseShare(query, ["The exit code is 1."]) > phraseShare(query, ["On exit, the code is 1."]));
  assert.equal(phraseShare(query, ["The exit is closed.", "A code."]), 0);
  assert.equal(phraseShare("what is it?", ["what is it?"]), 0);
});
