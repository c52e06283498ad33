/** Segments: what is put in comes out, merged or not, and what is buried does not. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { between, seeded } from "../../../test/support/random.ts";
import { SCHEMA } from "../../store/sqlite/index/schema.ts";
import {
  buryDocuments,
  isDead,
  loadSegments,
  mergeAll,
  mergeSmall,
  writeSegment,
} from "../../store/sqlite/texts/segments.ts";
import { compareTerms, readBlock, sortedTerms } from "./blocks.ts";
import { encodeLength, LENGTHS, SegmentBuilder } from "./builder.ts";
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

function everything(database: DatabaseSync): string[] {
  const found: string[] = [];
  for (const segment of loadSegments((sql) => database.prepare(sql))) {
    const blocks = database.prepare("SELECT data FROM term_blocks WHERE segment = ? ORDER BY first").all(segment.id);
    let last = "";
    for (const { data } of blocks) {
      if (!(data instanceof Uint8Array)) throw new Error("no block");
      for (const entry of readBlock(data)) {
        assert.ok(last === "" || compareTerms(last, entry.term) < 0, "terms ascend");
        last = entry.term;
        readPostings(data, entry.start, entry.end, segment.documents, (document, weight) => {
          if (isDead(segment, document)) return;
          const [no, slot] = [segment.places[document * 2], segment.places[document * 2 + 1]];
          found.push(`${no}#${slot} ${entry.term} ${weight} ${segment.roles[document]} ${segment.lengths[document]}`);
        });
      }
    }
  }
  return found.sort();
}

test("merging loses nothing, doubles nothing, and drops only what is buried", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(SCHEMA);
  const prepare = (sql: string) => database.prepare(sql);
  const next = seeded(9);
  const names = Array.from({ length: 400 }, (_, i) => (i % 7 === 0 ? `é${i}` : `term${i}`));
  const expected: string[] = [];
  for (let segment = 0; segment < 30; segment += 1) {
    const builder = new SegmentBuilder();
    for (let slot = 0; slot < between(next, 1, 40); slot += 1) {
      const chosen = new Map<number, number>();
      for (let i = 0; i < 20; i += 1) chosen.set(between(next, 0, names.length - 1), between(next, 1, 255));
      const terms = Uint32Array.from([...chosen].flat());
      builder.add({ no: segment, slot, role: slot % 4, length: 20, terms }, names);
      const facts = `${slot % 4} ${encodeLength(20)}`;
      for (const [term, weight] of chosen) expected.push(`${segment}#${slot} ${names[term]} ${weight} ${facts}`);
    }
    writeSegment(prepare, builder);
    mergeSmall(database, prepare);
  }
  assert.deepEqual(everything(database), expected.sort());
  assert.ok(loadSegments(prepare).length < 24);
  buryDocuments(prepare, 3, 2, 100);
  buryDocuments(prepare, 17, 0, 100);
  const alive = expected.filter((line) => !/^(3#([2-9]|\d\d)|17#\d+) /.test(line));
  assert.deepEqual(everything(database), alive);
  mergeAll(database, prepare);
  assert.equal(loadSegments(prepare).length, 1);
  assert.deepEqual(everything(database), alive);
});
