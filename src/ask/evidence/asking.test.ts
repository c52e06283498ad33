import assert from "node:assert/strict";
import { test } from "node:test";
import { CONVERSATIONS } from "../passage.ts";
import { significantTerms } from "../terms.ts";
import { askedOf, NO_MODELS } from "./asked.ts";
import { askedBefore, onlyAsks } from "./asking.ts";

const QUERY = "what was the root cause of the stuck sluice gate?";

function asks(text: string, collection = CONVERSATIONS): boolean {
  const having = new Map(significantTerms(QUERY).map((term) => [term, 2]));
  return onlyAsks(askedOf(QUERY, { texts: 40, having }, NO_MODELS), { collection, text });
}

test("a request to find out what the question asks does not answer it", () => {
  assert.ok(asks("Investigate the stuck sluice gate again and try to find the root cause. The last report matters."));
  assert.ok(asks("Thanks. Why does the sluice gate get stuck, what is the root cause?"));
});

test("a message that tells something about it is one, whether or not it also asks", () => {
  assert.ok(!asks("The root cause of the stuck sluice gate was a bent rail."));
  assert.ok(!asks("Find the root cause of the stuck sluice gate.\nI think the gate is stuck since the rail is bent."));
  assert.ok(!asks("Can you remove the sluice gate, since its stuck rail is the root cause?"));
});

test("only messages are requests, and only those that ask for the same", () => {
  assert.ok(!asks("How do I find the root cause of a stuck sluice gate?", "handbook"));
  assert.ok(!asks("Please investigate the flooding of the lower meadow."));
});

test("the place of such a request is named, because the answer may follow it", () => {
  assert.deepEqual(askedBefore([]), []);
  assert.deepEqual(askedBefore([{ document: "claude_code:aaaa", section: "#0" }]), [
    "Asked before in claude_code:aaaa#0: the answer may follow there.",
  ]);
});
