import assert from "node:assert/strict";
import { test } from "node:test";
import { askedOfPast, documentMayTell, givesReason } from "./asks.ts";

test("only questions about the past are taken for such", () => {
  assert.equal(askedOfPast("why was the cache removed?"), "why");
  assert.equal(askedOfPast("What is the rationale for two databases?"), "why");
  assert.equal(askedOfPast("when did we drop Python 2?"), "when");
  assert.equal(askedOfPast("since when are logs compressed?"), "when");
  assert.equal(askedOfPast("who added the retry?"), "who");
  assert.equal(askedOfPast("do you know when the cache was removed?"), "when");
  assert.equal(askedOfPast("in which version was the cache removed?"), "when");
  for (const query of [
    "what is thrown when a route was added twice?",
    "when is the hook called?",
    "how do I add a route?",
    "who maintains this?",
    "the default port",
  ])
    assert.equal(askedOfPast(query), undefined, query);
});

test("a message that only says what was done gives no reason", () => {
  assert.ok(givesReason("Remove the cache, because it grew without a limit."));
  assert.ok(givesReason("fix: close the stream to avoid a leak"));
  assert.ok(!givesReason("Remove the cache"));
});

test("a document tells when only with a number, and not who", () => {
  assert.ok(documentMayTell("why", "It is simpler."));
  assert.ok(documentMayTell("when", "Dropped in 2.0."));
  assert.ok(!documentMayTell("when", "It was dropped."));
  assert.ok(!documentMayTell("who", "Version 2 was written by many."));
});
