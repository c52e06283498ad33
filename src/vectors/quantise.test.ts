import assert from "node:assert/strict";
import { test } from "node:test";
import { dot8 } from "../../test/support/dot8.ts";
import { between, seeded } from "../../test/support/random.ts";
import { CodeScan } from "./code_scan.ts";
import { CodeBuffer, codeWords, quantise } from "./quantise.ts";

function add(codes: CodeBuffer, vector: ArrayLike<number>): boolean {
  const row = new Int8Array(codes.dims);
  return codes.add(row, quantise(vector, codes.dims, row, 0));
}

function vectors(count: number, dims: number): Float32Array[] {
  const random = seeded(2);
  return Array.from({ length: count }, () => Float32Array.from({ length: dims }, () => random() + random() - 1));
}

/** The same with no number so small that a row has 0 for it, which has no sign. */
function signedVectors(count: number, dims: number): Float32Array[] {
  return vectors(count, dims).map((vector) =>
    vector.map((value) => Math.sign(value) * Math.max(0.01, Math.abs(value))),
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));
}

test("the cosine of two rows is that of their vectors, to three places", () => {
  for (const dims of [256, 384, 100]) {
    const all = vectors(40, dims);
    const codes = new CodeBuffer(dims, 1);
    for (const vector of all) assert.ok(add(codes, vector));
    assert.equal(codes.count, 40);
    for (let i = 1; i < all.length; i += 1) {
      const dot = dot8(codes.rows, 0, codes.rows, i * dims, dims);
      const kept = dot * (codes.inverses[0] ?? 0) * (codes.inverses[i] ?? 0);
      const [first, other] = [all[0], all[i]];
      assert.ok(first && other && Math.abs(kept - cosine(first, other)) < 2e-3);
    }
    const squares = dot8(codes.rows, 0, codes.rows, 0, dims);
    assert.equal(Math.fround(1 / Math.sqrt(squares)), codes.inverses[0]);
  }
});

test("the distance of two bit codes is the number of dimensions whose signs differ", () => {
  for (const dims of [256, 100, 31]) {
    const [a, b] = signedVectors(2, dims);
    assert.ok(a && b);
    const codes = new CodeBuffer(dims);
    add(codes, a);
    add(codes, b);
    const differ = a.filter((value, i) => value > 0 !== (b[i] ?? 0) > 0).length;
    assert.equal(bitsApart(codes, 0, 1), differ);
    assert.equal(bitsApart(codes, 0, 0), 0);
  }
});

test("a vector without direction is not stored", () => {
  const codes = new CodeBuffer(3);
  const none = [
    [0, 0, 0],
    [Number.NaN, 1, 0],
    [1, Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0, 1],
  ];
  for (const vector of none) assert.equal(add(codes, vector), false);
  assert.equal(codes.count, 0);
});

test("a scan gives every row's distance, and the nearest are those of a full sort, equal ones together", () => {
  for (const dims of [256, 384, 100, 31, 4096]) {
    const codes = new CodeBuffer(dims, 1);
    for (const vector of signedVectors(200, dims)) add(codes, vector);
    // All bits apart: the largest distance there is.
    add(codes, signedVectors(1, dims)[0]?.map((value) => -value) ?? []);
    const scan = new CodeScan(codes.count, codes.words, dims);
    scan.codes.set(codes.bits.subarray(0, codes.count * codes.words));
    const distances = scan.measure(codes.bits.subarray(0, codes.words));
    for (const [row, distance] of distances.entries()) assert.equal(distance, bitsApart(codes, 0, row));
    assert.equal(distances.at(-1), dims);
    const order = [...distances.keys()].sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b);
    for (const most of [0, 1, 7, 200, 201, 999]) {
      const edge = most === 0 ? -1 : (distances[order[Math.min(most, order.length) - 1] ?? 0] ?? 0);
      const expected = [...distances.keys()].filter((row) => (distances[row] ?? 0) <= edge);
      assert.deepEqual([...scan.nearest(most)], expected);
    }
    distances[0] = 65_535;
    assert.ok(![...scan.nearest(999)].includes(0), "a row whose distance the caller raised");
  }
});

test("the cosine of two rows is that of plain arithmetic", () => {
  const next = seeded(5);
  for (const dims of [256, 100, 16, 7]) {
    const scan = new CodeScan(0, codeWords(dims), dims);
    for (let i = 0; i < 50; i += 1) {
      const [a, b] = [0, 0].map(() => Int8Array.from({ length: dims }, () => between(next, -128, 127)));
      if (!a || !b) throw new Error("no rows");
      const product = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
      const squares = b.reduce((sum, value) => sum + value * value, 0);
      assert.equal(scan.cosine(a, b), product / Math.sqrt(squares));
    }
    assert.equal(scan.cosine(new Int8Array(dims).fill(1), new Int8Array(dims)), 0);
  }
});

function bitsApart(codes: CodeBuffer, a: number, b: number): number {
  const bits = (row: number): string =>
    [...codes.bits.subarray(row * codes.words, (row + 1) * codes.words)]
      .map((word) => word.toString(2).padStart(32, "0"))
      .join("");
  const [x, y] = [bits(a), bits(b)];
  return [...x].filter((bit, i) => bit !== y[i]).length;
}
