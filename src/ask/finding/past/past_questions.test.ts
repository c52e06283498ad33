import assert from "node:assert/strict";
import { test } from "node:test";
import { documentMayAnswer, givesReason, pastQuestionIn } from "./past_questions.ts";

test("only questions about the past are taken for such", () => {
  assert.equal(pastQuestionIn("why was the cache removed?"), "why");
  assert.equal(pastQuestionIn("What is the rationale for two databases?"), "why");
  assert.equal(pastQuestionIn("when did we drop Python 2?"), "when");
  assert.equal(pastQuestionIn("since when are logs compressed?"), "when");
  assert.equal(pastQuestionIn("who added the retry?"), "who");
  assert.equal(pastQuestionIn("do you know when the cache was removed?"), "when");
  assert.equal(pastQuestionIn("in which version was the cache removed?"), "when");
  for (const query of [
    "what is thrown when a route was added twice?",
    "when is the hook called?",
    "how do I add a route?",
    "who maintains this?",
    "the default port",
  ])
    assert.equal(pastQuestionIn(query), undefined, query);
});

test("a message that only describes the change gives no reason", () => {
  assert.ok(givesReason("Remove the cache, because it grew without a limit."));
  assert.ok(givesReason("fix: close the stream to avoid a leak"));
  assert.ok(!givesReason("Remove the cache"));
});

test("a document tells when only with a number, and not who", () => {
  assert.ok(documentMayAnswer("why", "It is simpler."));
  assert.ok(documentMayAnswer("when", "Dropped in 2.0."));
  assert.ok(!documentMayAnswer("when", "It was dropped."));
  assert.ok(!documentMayAnswer("who", "Version 2 was written by many."));
});
