/** The resume state of readers contains no secrets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { storableState } from "./reader_state.ts";

test("a clean state is stored unchanged, including hashes", () => {
  const state = {
    version: 1,
    offset: 389,
    check: "imNloi4feG64+XmZsdyuRvwMtRU=",
    carry: { prompt: "Plan it", calls: [] },
  };
  assert.deepEqual(storableState(state), state);
  assert.equal(storableState(undefined), undefined);
});

test("title candidates are redacted, and a state with other private text is not stored", () => {
  const prompt = "Plan it <private>by night</private>";
  assert.deepEqual(storableState({ carry: { prompt } }), { carry: { prompt: "Plan it [REDACTED:private]" } });
  assert.equal(storableState({ carry: { prompt, queue: [{ text: prompt, said: true }] } }), undefined);
  assert.equal(storableState({ pending: ["psql postgres://ada:Xk9mP2vL5nQ8@db.example.org/x"] }), undefined);
});
