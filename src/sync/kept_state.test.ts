/** What readers keep for the next time holds nothing that is to be kept nowhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keptState } from "./kept_state.ts";

test("a clean state is kept as it is, hashes and all", () => {
  const state = {
    version: 1,
    offset: 389,
    check: "imNloi4feG64+XmZsdyuRvwMtRU=",
    carry: { prompt: "Plan it", calls: [] },
  };
  assert.deepEqual(keptState(state), state);
  assert.equal(keptState(undefined), undefined);
});

test("a title's words are redacted, and a state that compares what is private is not kept", () => {
  const prompt = "Plan it <private>by night</private>";
  assert.deepEqual(keptState({ carry: { prompt } }), { carry: { prompt: "Plan it [REDACTED:private]" } });
  assert.equal(keptState({ carry: { prompt, queue: [{ text: prompt, said: true }] } }), undefined);
  assert.equal(keptState({ pending: ["psql postgres://ada:Xk9mP2vL5nQ8@db.example.org/x"] }), undefined);
});
