/** The loops of WebAssembly do the same as plain arithmetic. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, seeded } from "../../../test/support/random.ts";
import { type Segment, TITLE_SLOT } from "../segment.ts";
import { LENGTHS } from "../terms/builder.ts";
import { WEIGHT_UNIT } from "../terms/postings.ts";
import { type Accept, scoreOf } from "./grouping.ts";
import type { ScoreKeeper } from "./score_keeper.ts";
import { TermScores } from "./term_scores.ts";

const SIZES = [20_000, 3, 700];
const SCALE = 1.9;
const LARGEST_OWNER = 60;
/** Conversations whose scores have to be exact. */
const FIRST = 5;

test("scores are the sums of the terms' shares, in any number of queries, and the best are those of a full sort", () => {
  const next = seeded(11);
  const norms = LENGTHS.map((length) => 0.2 + length / 100);
  const segments = SIZES.map((documents) => {
    const lengths = Uint8Array.from({ length: documents }, () => between(next, 0, 255));
    return { documents, lengths, places: placesOf(documents, next) } as unknown as Segment;
  });
  const scores = new TermScores(segments, norms, SCALE, LARGEST_OWNER);
  // The last query matches fewer texts than are best, and the one before few of those that the first one had.
  for (const { share, terms } of [
    { share: 2, terms: 3 },
    { share: 40, terms: 2 },
    { share: 300, terms: 1 },
  ]) {
    const expected = SIZES.map((documents) => new Float64Array(documents));
    const barred = [
      Uint8Array.from({ length: SIZES[0] ?? 0 }, (_, at) => (at % 5 === 0 ? 1 : 0)),
      undefined,
      undefined,
    ];
    scores.reset(barred);
    for (let term = 0; term < terms; term += 1) {
      const rarity = between(next, 1, 900) / 100;
      const lists = SIZES.map((size) => {
        const documents = Uint32Array.from(Array(size).keys()).filter(() => between(next, 1, share) === 1);
        const weights = Uint8Array.from(documents, () => between(next, 1, 12));
        return { documents, weights, count: documents.length };
      });
      scores.add(lists, rarity);
      for (const [segment, { documents, weights }] of lists.entries()) {
        for (const [i, document] of documents.entries()) {
          if (barred[segment]?.[document] === 1) continue;
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
    for (const accept of [undefined, (no: number, index: number | null) => no % 2 === 0 || index === null]) {
      assertGrouped(scores, segments, accept);
    }
    assertFirstAreExact(scores);
    for (const keeper of scores.keepers) keeper.scale(0.25);
    assert.deepEqual(
      scores.keepers.map(({ values }) => [...values]),
      expected.map((values) => Array.from(values, (score) => score * 0.25)),
    );
  }
});

test("texts that lack a term are barred, and owners with all terms are those with each in some text", () => {
  const next = seeded(11);
  const segments = SIZES.map((documents) => {
    const lengths = new Uint8Array(documents);
    return { documents, lengths, places: placesOf(documents, next) } as unknown as Segment;
  });
  const scores = new TermScores(segments, new Float64Array(256).fill(1), SCALE, LARGEST_OWNER);
  const terms = [2, 3, 400].map((share) =>
    SIZES.map((size) => {
      const documents = Uint32Array.from(Array(size).keys()).filter(() => between(next, 1, share) === 1);
      return { documents, weights: new Uint8Array(documents.length).fill(WEIGHT_UNIT), count: documents.length };
    }),
  );
  const barred = [Uint8Array.from({ length: SIZES[0] ?? 0 }, () => between(next, 0, 1)), undefined, undefined];
  const having = terms.map((lists) => lists.map(({ documents }) => new Set(documents)));
  const isBarred = (segment: number, document: number): boolean => barred[segment]?.[document] === 1;
  scores.reset(barred);
  scores.barOthers(terms);
  for (const lists of terms) scores.add(lists, 1);
  for (const [segment, { documents }] of scores.keepers.entries()) {
    const expected = [...Array(SIZES[segment]).keys()].filter(
      (document) => !isBarred(segment, document) && having.every((lists) => lists[segment]?.has(document)),
    );
    assert.deepEqual([...documents], expected);
  }
  const owners = Array.from({ length: LARGEST_OWNER + 1 }, (_, no) => no);
  const has = (no: number, lists: readonly ReadonlySet<number>[]): boolean =>
    segments.some(({ places }, segment) =>
      [...(lists[segment] ?? [])].some((document) => places[document * 2] === no && !isBarred(segment, document)),
    );
  assert.deepEqual(
    scores.withAll(terms, barred, owners),
    owners.filter((no) => having.every((lists) => has(no, lists))),
  );
});

/** The last owner is one that the index does not know, as in a damaged index. */
function placesOf(documents: number, next: () => number): Uint32Array {
  return Uint32Array.from({ length: documents * 2 }, (_, at) => {
    if (at % 2 === 0) return between(next, 0, LARGEST_OWNER + 1);
    return between(next, 0, 5) === 0 ? TITLE_SLOT : between(next, 0, 40);
  });
}

function assertGrouped(scores: TermScores, segments: readonly Segment[], accept?: Accept): void {
  const texts = segments
    .flatMap(({ places }, segment) => {
      const before = segments.slice(0, segment).reduce((sum, { documents }) => sum + documents, 0);
      const { documents, values } = scores.keepers[segment] as ScoreKeeper;
      return Array.from(documents, (document) => {
        const [no = 0, slot = 0] = places.subarray(document * 2);
        return { no, slot, score: values[document] ?? 0, document: before + document };
      });
    })
    .filter(({ no, slot }) => no <= LARGEST_OWNER && accept?.(no, slot === TITLE_SLOT ? null : slot) !== false);
  const wanted = accept && { accept, boosts: new Map(), exact: Number.POSITIVE_INFINITY };
  const { numbers, best, whose, slots } = scores.group(wanted);
  const ascending = (a: number, b: number): number => a - b;
  assert.deepEqual(numbers.toSorted(ascending), [...new Set(texts.map(({ no }) => no))].sort(ascending));
  for (const no of numbers) {
    const own = texts.filter((text) => text.no === no).sort((a, b) => b.score - a.score);
    assert.deepEqual(
      [...best.subarray(no * 3, no * 3 + 3)],
      [0, 1, 2].map((i) => own[i]?.score ?? 0),
    );
    for (const [i, { score }] of own.slice(0, 3).entries())
      assert.equal(texts.find(({ document }) => document === whose[no * 3 + i])?.score, score);
    const messages = own.filter(({ slot }) => slot !== TITLE_SLOT);
    const slotsOfBest = messages.filter(({ score }) => score === messages[0]?.score).map(({ slot }) => slot);
    assert.equal(slots[no], messages.length === 0 ? -1 : Math.min(...slotsOfBest));
  }
}

/** Fewer texts are checked, the same conversations are found, and the first of them have the same scores. */
function assertFirstAreExact(scores: TermScores): void {
  const boosts = new Map([[2, 1.5]]);
  const checksOf = (exact: number): { checks: number; found: Map<number, number> } => {
    let checks = 0;
    const accept: Accept = (no, index) => {
      checks += 1;
      return (no + (index ?? 0)) % 3 !== 0;
    };
    const grouped = scores.group({ accept, boosts, exact });
    return { checks, found: new Map(grouped.numbers.map((no) => [no, scoreOf(grouped, no, boosts)])) };
  };
  const all = checksOf(Number.POSITIVE_INFINITY);
  const some = checksOf(FIRST);
  const best = (found: Map<number, number>): [number, number][] =>
    [...found].sort(([a, x], [b, y]) => y - x || a - b).slice(0, FIRST);
  assert.deepEqual(best(some.found), best(all.found));
  assert.deepEqual(new Set(some.found.keys()), new Set(all.found.keys()));
  assert.ok(some.checks <= all.checks);
}
