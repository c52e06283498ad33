/** Precision and recall of shown decisions, on labelled sentences. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HELD } from "../../test/decisions/held.ts";
import type { Labelled } from "../../test/decisions/labelled.ts";
import { TUNING } from "../../test/decisions/tuning.ts";
import { standsAlone } from "./wording/alone.ts";
import { confirms, isErrand, MIN_SHOWN_SCORE, scoreSentence } from "./wording/cues.ts";
import { hasSubstance } from "./wording/substance.ts";

/** No manifest, and no known dependency: only the words count. */
const NO_PROJECT = { type: "", manifest: false, dependency: () => false };

function isShown({ who, text, answer }: Labelled): boolean {
  const confirmed = answer !== undefined && confirms(answer);
  const { score } = scoreSentence(text, { who, confirmed });
  if (score < MIN_SHOWN_SCORE || !standsAlone(text)) return false;
  return who === "commit" ? hasSubstance(text, NO_PROJECT) : !isErrand(text);
}

function measure(sentences: readonly Labelled[]): { precision: number; recall: number } {
  let right = 0;
  let wrong = 0;
  let missed = 0;
  for (const sentence of sentences) {
    const { decision } = sentence;
    const shown = isShown(sentence);
    if (shown && decision) right += 1;
    else if (shown) wrong += 1;
    else if (decision) missed += 1;
  }
  return { precision: right / (right + wrong), recall: right / (right + missed) };
}

const rounded = (value: number): string => value.toFixed(3);

test("precision of shown decisions is at least 0.9, also on held-out sentences", (t) => {
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
    assert.ok(precision >= 0.9, `${name}: precision ${rounded(precision)}`);
    assert.ok(recall >= 0.75, `${name}: recall ${rounded(recall)}`);
  }
});
