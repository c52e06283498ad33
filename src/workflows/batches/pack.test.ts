import assert from "node:assert/strict";
import { test } from "node:test";
import { between, type Random, seeded } from "../../../test/support/random.ts";
import { type Batch, type Piece, pack, type Unit } from "./pack.ts";

const MAX_MESSAGES = 40;

/** Conversations whose message i has `sizes[i]` tokens; a character is a token. */
function randomUnits(random: Random, room: number): { units: Unit<number>[]; sizes: number[][] } {
  const sizes: number[][] = [];
  const units = Array.from({ length: between(random, 0, 30) }, (_, of): Unit<number> => {
    const largest = random() < 0.2 ? room * 3 : random() < 0.5 ? room / 3 : 20;
    const each = Array.from({ length: between(random, 0, 120) }, () =>
      random() < 0.3 ? 0 : between(random, 1, Math.ceil(largest)),
    );
    sizes.push(each);
    const pieces: Piece[] = each.flatMap((tokens, index) => (tokens === 0 ? [] : [{ index, tokens }]));
    return {
      of,
      count: each.length,
      head: between(random, 1, 10),
      pieces,
      stretches: (index, most) => {
        const size = each[index] ?? 0;
        return Array.from({ length: Math.ceil(size / most) }, (_, i) => {
          const [from, to] = [i * most, Math.min(size, (i + 1) * most)];
          return { from, to, tokens: to - from };
        });
      },
    };
  });
  return { units, sizes };
}

/** Each message's characters, as often as the batches hold them. */
function covered(batches: readonly Batch<number>[], sizes: readonly number[][]): number[][] {
  const times = sizes.map((each) => each.map(() => 0));
  for (const { entries } of batches) {
    for (const { of, range, chars } of entries) {
      const row = times[of] ?? [];
      const { first, last } = range ?? { first: 0, last: row.length - 1 };
      for (let index = first; index <= last; index += 1) {
        const size = sizes[of]?.[index] ?? 0;
        row[index] = (row[index] ?? 0) + (chars ? chars.to - chars.from : size);
      }
    }
  }
  return times;
}

test("random selections: every message once, every batch fits, the same batches each time", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const room = between(seeded(seed), 30, 500);
    const { units, sizes } = randomUnits(seeded(seed), room);
    const batches = pack(units, { room, maxMessages: MAX_MESSAGES });
    assert.deepEqual(covered(batches, sizes), sizes, `seed ${seed}`);
    const met = new Set(batches.flatMap(({ entries }) => entries.map(({ of }) => of)));
    assert.equal(met.size, units.length, `seed ${seed}`);
    for (const { tokens, entries } of batches) {
      assert.ok(tokens <= room, `seed ${seed}: ${tokens} in ${room}`);
      assert.ok(entries.length > 0);
      assert.equal(
        tokens,
        entries.reduce((sum, entry) => sum + entry.tokens, 0),
      );
      for (const { range } of entries) assert.ok(!range || range.last - range.first < MAX_MESSAGES);
    }
    assert.deepEqual(pack(units, { room, maxMessages: MAX_MESSAGES }), batches);
  }
});

test("later conversations do not change earlier batches", () => {
  const { units } = randomUnits(seeded(7), 200);
  const all = pack(units, { room: 200, maxMessages: MAX_MESSAGES });
  const before = pack(units.slice(0, -1), { room: 200, maxMessages: MAX_MESSAGES });
  assert.deepEqual(all.slice(0, before.length - 1), before.slice(0, -1));
});

test("an empty conversation is still in a batch", () => {
  const unit: Unit<string> = { of: "empty", count: 0, head: 5, pieces: [], stretches: () => [] };
  assert.deepEqual(pack([unit], { room: 100, maxMessages: MAX_MESSAGES }), [
    { tokens: 5, entries: [{ of: "empty", tokens: 5 }] },
  ]);
});
