/** How terms, postings and lengths are packed: decoding gives what was encoded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, seeded } from "../../../test/support/random.ts";
import { compareTerms, sortedTerms } from "./blocks.ts";
import { encodeLength, LENGTHS } from "./builder.ts";
import { ByteWriter, readPostings, writePosting } from "./postings.ts";

test("postings come back as they were written", () => {
  const next = seeded(1);
  const bytes = new ByteWriter(4);
  const written: [number, number][] = [];
  let document = -1;
  for (let i = 0; i < 5000; i += 1) {
    const distance = between(next, 1, i % 50 === 0 ? 3_000_000 : 300);
    const weight = between(next, 1, 255);
    document += distance;
    writePosting(bytes, distance, weight);
    written.push([document, weight]);
  }
  const read: [number, number][] = [];
  readPostings(bytes.take(), 0, bytes.length, document + 1, (at, weight) => read.push([at, weight]));
  assert.deepEqual(read, written);
});

test("lengths are exact when small and near when large", () => {
  for (let words = 0; words < 8; words += 1) assert.ok(Math.abs((LENGTHS[encodeLength(words)] ?? 0) - words) < 0.5);
  for (const words of [50, 1000, 100_000]) {
    assert.ok(Math.abs((LENGTHS[encodeLength(words)] ?? 0) - words) < words * 0.05, String(words));
  }
});

test("terms are in the order of their bytes", () => {
  const terms = ["é", "z", "\u{1f642}", "\uffee", "漢", "a", "ab", "a0"];
  const byBytes = terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(terms.toSorted(compareTerms), byBytes);
  assert.deepEqual(sortedTerms(terms), byBytes);
});
