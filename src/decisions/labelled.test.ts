/** Precision and recall of shown decisions, on labelled sentences. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HELD } from "../../test/decisions/held.ts";
import type { Labelled } from "../../test/decisions/labelled.ts";
import { TUNING } from "../../test/decisions/tuning.ts";
import { confirms, MIN_SHOWN_SCORE, scoreSentence } from "./cues.ts";

function measure(sentences: readonly Labelled[]): { precision: number; recall: number } {
  let right = 0;
  let wrong = 0;
  let missed = 0;
  for (const { who, text, decision, answer } of sentences) {
    const confirmed = answer !== undefined && confirms(answer);
    const shown = scoreSentence(text, { who, confirmed }).score >= MIN_SHOWN_SCORE;
    if (shown && decision) right += 1;
    else if (shown) wrong += 1;
    else if (decision) missed += 1;
  }
  return { precision: right / (right + wrong), recall: right / (right + missed) };
}

const rounded = (value: number): string => value.toFixed(3);

test("precision of shown decisions is at least 0.85, also on held-out sentences", (t) => {
  const all = [...TUNING, ...HELD];
  assert.ok(all.length >= 200, `${all.length} sentences`);
  const positives = all.filter(({ decision }) => decision).length;
  assert.ok(Math.abs(positives / all.length - 0.5) < 0.1, "about half of them are decisions");
  assert.equal(new Set(all.map(({ text }) => text)).size, all.length, "no sentence occurs twice");
  for (const [name, sentences] of [
    ["tuning", TUNING],
    ["held", HELD],
  ] as const) {
    const { precision, recall } = measure(sentences);
    t.diagnostic(`${name}: ${sentences.length} sentences, precision ${rounded(precision)}, recall ${rounded(recall)}`);
    assert.ok(precision >= 0.85, `${name}: precision ${rounded(precision)}`);
    assert.ok(recall >= 0.75, `${name}: recall ${rounded(recall)}`);
  }
});
