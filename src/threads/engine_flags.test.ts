import assert from "node:assert/strict";
import { test } from "node:test";
import { Script } from "node:vm";
import { restoreEngineFlags, tuneEarly, tuneForOneAnswer, withUsualFlags } from "./engine_flags.ts";
import { optimiseAfter } from "./late_optimiser.ts";

/** Compiles under the flags of now; the result says whether V8 accepts that code under those of its call. */
function compiled(source: string): () => boolean {
  const cachedData = new Script(source, { filename: "made" }).createCachedData();
  // Under another name, because V8 also remembers what it compiled; so each is asked once.
  return () => new Script(source, { filename: "read", cachedData }).cachedDataRejected === false;
}

test("kept code is accepted under the usual flags only, and they come back", () => {
  const [before, tuned, inside, again, after] = ["1", "2", "3", "4", "5"].map(compiled);
  assert.equal(before?.(), true);
  tuneForOneAnswer(0);
  tuneEarly();
  try {
    assert.equal(tuned?.(), false, "the flags are others");
    assert.equal(
      withUsualFlags(() => inside?.()),
      true,
    );
    assert.equal(again?.(), false, "they are set again");
  } finally {
    restoreEngineFlags();
  }
  assert.equal(after?.(), true);
});

test("after a run with a late optimiser, kept code is accepted again", () => {
  const [during, after] = ["6", "7"].map(compiled);
  const usualOptimiser = optimiseAfter(40_000);
  try {
    assert.equal(during?.(), false, "the flags are others");
  } finally {
    usualOptimiser();
  }
  assert.equal(after?.(), true);
});
