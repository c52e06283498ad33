import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean, endedWithQuestion, unknownName } from "./did_you_mean.ts";

const NAMES = ["codex", "cursor", "claude_code"];

test("the nearest name is asked for, written as the caller wants it", () => {
  assert.equal(didYouMean("cusor", NAMES), "Did you mean cursor?");
  assert.equal(
    didYouMean("cusor", NAMES, (name) => `--${name}`),
    "Did you mean --cursor?",
  );
  assert.equal(didYouMean("emacs", NAMES), undefined);
});

test("a sentence ends with the question or with a full stop", () => {
  assert.equal(endedWithQuestion("There is no x", "codx", NAMES), "There is no x; did you mean codex?");
  assert.equal(endedWithQuestion("There is no x", "emacs", NAMES), "There is no x.");
});

test("the list stands in for the question, or follows it where that is wanted", () => {
  const of = { code: "unknown_x", sentence: "There is no x.", names: NAMES, hint: "There are three." };
  const hints = [
    unknownName({ ...of, typed: "codx" }),
    unknownName({ ...of, typed: "emacs" }),
    unknownName({ ...of, typed: "codx", alwaysHint: true }),
  ].map(({ hint }) => hint);
  assert.deepEqual(hints, ["Did you mean codex?", "There are three.", "Did you mean codex? There are three."]);
  assert.equal(unknownName({ ...of, typed: "codx", exitCode: 1 }).exitCode, 1);
});
