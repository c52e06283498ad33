import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../../test/support/random.ts";
import { hamming, hammingScan, nearestRows } from "./hamming.ts";
import { CodeBuffer, dot8, inverseLength } from "./quantise.ts";

function vectors(count: number, dims: number): Float32Array[] {
  const random = seeded(2);
  return Array.from({ length: count }, () => Float32Array.from({ length: dims }, () => random() + random() - 1));
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));
}

test("the cosine of two rows is that of their vectors, to three places", () => {
  for (const dims of [256, 384, 100]) {
    const all = vectors(40, dims);
    const codes = new CodeBuffer(dims, 1);
    for (const vector of all) assert.ok(codes.add(vector));
    assert.equal(codes.count, 40);
    for (let i = 1; i < all.length; i += 1) {
      const dot = dot8(codes.rows, 0, codes.rows, i * dims, dims);
      const kept = dot * (codes.inverses[0] ?? 0) * (codes.inverses[i] ?? 0);
      const [first, other] = [all[0], all[i]];
      assert.ok(first && other && Math.abs(kept - cosine(first, other)) < 2e-3);
    }
    const row = codes.rows.slice(0, dims);
    assert.equal(Math.fround(inverseLength(row)), codes.inverses[0]);
  }
});

test("the distance of two bit codes is the number of dimensions whose signs differ", () => {
  for (const dims of [256, 100, 31]) {
    const [a, b] = vectors(2, dims);
    assert.ok(a && b);
    const codes = new CodeBuffer(dims);
    codes.add(a);
    codes.add(b);
    const differ = a.filter((value, i) => value > 0 !== (b[i] ?? 0) > 0).length;
    assert.equal(hamming(codes.bits, 0, codes.bits, codes.words, codes.words), differ);
    assert.equal(hamming(codes.bits, 0, codes.bits, 0, codes.words), 0);
  }
  assert.equal(hamming(Uint32Array.of(0xffffffff, 1), 0, Uint32Array.of(0, 0), 0, 2), 33);
});

test("a vector without direction is not stored", () => {
  const codes = new CodeBuffer(3);
  const none = [
    [0, 0, 0],
    [Number.NaN, 1, 0],
    [1, Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0, 1],
  ];
  for (const vector of none) assert.equal(codes.add(vector), false);
  assert.equal(codes.count, 0);
});

test("a scan gives every row's distance, and the nearest are those of a full sort, equal ones together", () => {
  for (const dims of [256, 384, 100, 31, 4096]) {
    const codes = new CodeBuffer(dims, 1);
    for (const vector of vectors(200, dims)) codes.add(vector);
    // All bits apart: the largest distance there is.
    codes.add(vectors(1, dims)[0]?.map((value) => -value) ?? []);
    const distances = new Uint16Array(codes.count);
    hammingScan(codes.bits, 0, codes.bits, codes.count, codes.words, distances);
    for (const [row, distance] of distances.entries()) {
      assert.equal(distance, hamming(codes.bits, 0, codes.bits, row * codes.words, codes.words));
    }
    assert.equal(distances.at(-1), dims);
    const order = [...distances.keys()].sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b);
    for (const most of [0, 1, 7, 200, 201, 999]) {
      const edge = most === 0 ? -1 : (distances[order[Math.min(most, order.length) - 1] ?? 0] ?? 0);
      const expected = [...distances.keys()].filter((row) => (distances[row] ?? 0) <= edge);
      assert.deepEqual([...nearestRows(distances, codes.count, most)], expected);
    }
  }
});
