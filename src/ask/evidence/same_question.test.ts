import assert from "node:assert/strict";
import { test } from "node:test";
import { CONVERSATIONS } from "../passage.ts";
import { NO_MODELS, weighQuestion } from "../question/question_words.ts";
import { significantTerms } from "../question/terms.ts";
import { askedBeforeNote, onlyRepeatsQuestion } from "./same_question.ts";

const QUERY = "what was the root cause of the stuck sluice gate?";

function asks(text: string, collection = CONVERSATIONS): boolean {
  const having = new Map(significantTerms(QUERY).map((term) => [term, 2]));
  return onlyRepeatsQuestion(weighQuestion(QUERY, { texts: 40, having }, NO_MODELS), { collection, text });
}

test("a request to find out what the question asks does not answer it", () => {
  assert.ok(asks("Investigate the stuck sluice gate again and try to find the root cause. The last report matters."));
  assert.ok(asks("Thanks. Why does the sluice gate get stuck, what is the root cause?"));
});

test("a message that states something about the subject is an answer, whether or not it also asks", () => {
  assert.ok(!asks("The root cause of the stuck sluice gate was a bent rail."));
  assert.ok(!asks("Find the root cause of the stuck sluice gate.\nI think the gate is stuck since the rail is bent."));
  assert.ok(!asks("Can you remove the sluice gate, since its stuck rail is the root cause?"));
});

test("only messages of conversations count, and only those that ask the same question", () => {
  assert.ok(!asks("How do I find the root cause of a stuck sluice gate?", "handbook"));
  assert.ok(!asks("Please investigate the flooding of the lower meadow."));
});

test("the place of such a request is named, because the answer may follow it", () => {
  assert.deepEqual(askedBeforeNote([]), []);
  assert.deepEqual(askedBeforeNote([{ document: "claude_code:aaaa", section: "#0" }]), [
    "Asked before in claude_code:aaaa#0: the answer may follow there.",
  ]);
});
