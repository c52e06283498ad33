import assert from "node:assert/strict";
import { test } from "node:test";
import { between, seeded } from "../../test/support/random.ts";
import { Holders } from "./holders.ts";
import { MAX_BEST } from "./scores/term_scores.ts";
import { TITLE_SLOT } from "./segment.ts";

test("texts come by score, then by owner, then the title before the messages in their order", () => {
  const next = seeded(3);
  const length = 1000;
  const texts = {
    owners: Uint32Array.from({ length }, () => between(next, 1, 30)),
    slots: Uint32Array.from({ length }, (_, at) => (between(next, 1, 40) === 1 ? TITLE_SLOT : at)),
    lengths: new Uint8Array(length),
    scores: Float64Array.from({ length }, () => between(next, 1, 50)),
  };
  const least = texts.scores.toSorted()[length - MAX_BEST] as number;
  const holders = new Holders(texts, least, (a, b) => b - a);
  const expected = [...texts.scores.keys()]
    .map((at) => {
      const [score = 0, no = 0, slot = 0] = [texts.scores[at], texts.owners[at], texts.slots[at]];
      return { score, no, index: slot === TITLE_SLOT ? null : slot };
    })
    .sort((a, b) => b.score - a.score || b.no - a.no || (a.index ?? -1) - (b.index ?? -1))
    .map(({ no, index }) => ({ no, index }));
  assert.deepEqual(
    [...holders.bestFirst()].map(({ no, index }) => ({ no, index })),
    expected,
  );
  assert.equal(holders.count, length);
  assert.equal(holders.all().length, length);
});
