/** The loops of WebAssembly do the same as plain arithmetic. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, seeded } from "../../../test/support/random.ts";
import type { Segment } from "../segment.ts";
import { LENGTHS } from "../terms/builder.ts";
import { WEIGHT_UNIT } from "../terms/postings.ts";
import { TermScores } from "./term_scores.ts";

const SIZES = [20_000, 3, 700];
const SCALE = 1.9;

test("scores are the sums of the terms' shares, in any number of questions, and the best are those of a full sort", () => {
  const next = seeded(11);
  const norms = LENGTHS.map((length) => 0.2 + length / 100);
  const segments = SIZES.map((documents) => {
    const lengths = Uint8Array.from({ length: documents }, () => between(next, 0, 255));
    return { documents, lengths } as unknown as Segment;
  });
  const scores = new TermScores(segments, norms, SCALE);
  // The last question matches fewer texts than are best, and the one before few of those that the first one had.
  for (const { share, terms } of [
    { share: 2, terms: 3 },
    { share: 40, terms: 2 },
    { share: 300, terms: 1 },
  ]) {
    const expected = SIZES.map((documents) => new Float64Array(documents));
    scores.reset();
    for (let term = 0; term < terms; term += 1) {
      const rarity = between(next, 1, 900) / 100;
      const lists = SIZES.map((size) => {
        const documents = Uint32Array.from(Array(size).keys()).filter(() => between(next, 1, share) === 1);
        const weights = Uint8Array.from(documents, () => between(next, 1, 12));
        return { documents, weights, count: documents.length };
      });
      const passes = [(document: number) => document % 5 !== 0, undefined, undefined];
      scores.add(lists, rarity, passes);
      for (const [segment, { documents, weights }] of lists.entries()) {
        for (const [i, document] of documents.entries()) {
          if (passes[segment]?.(document) === false) continue;
          const weight = (weights[i] ?? 0) / WEIGHT_UNIT;
          const norm = norms[segments[segment]?.lengths[document] ?? 0] ?? 0;
          const values = expected[segment] as Float64Array;
          values[document] = (values[document] ?? 0) + (rarity * weight * SCALE) / (weight + norm);
        }
      }
    }
    assert.deepEqual(
      scores.keepers.map(({ values }) => [...values]),
      expected.map((values) => [...values]),
    );
    const all = expected.flatMap((values) => [...values].filter((score) => score > 0)).sort((a, b) => b - a);
    const least = all[199] ?? 0;
    const { documents, largest } = scores.best();
    assert.equal(largest, all[0]);
    assert.deepEqual(
      documents.map((list) => list.toSorted((a, b) => a - b)),
      expected.map((values) =>
        [...values.keys()].filter((document) => (values[document] ?? 0) > 0 && (values[document] ?? 0) >= least),
      ),
    );
  }
});
