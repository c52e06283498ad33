/** Segments: every document that is written can be read again, merged or not; deleted ones cannot. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { between, seeded } from "../../../../test/support/random.ts";
import { isDead } from "../../../ranking/segment.ts";
import { compareTerms, readBlock } from "../../../ranking/terms/blocks.ts";
import { encodeLength, SegmentBuilder } from "../../../ranking/terms/builder.ts";
import { readPostings } from "../../../ranking/terms/postings.ts";
import type { Prepare } from "../connection.ts";
import { TEXT_SCHEMA } from "../index/schema.ts";
import { mergeAll, mergeSmall } from "./merging.ts";
import { deleteDocuments, loadSegments, writeSegment } from "./segments.ts";
import { TextWriter } from "./writer.ts";

function sizes(prepare: Prepare): number[] {
  return loadSegments(prepare).map(({ documents }) => documents);
}

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

test("merging loses nothing, duplicates nothing, and drops only deleted documents", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(TEXT_SCHEMA);
  const prepare = (sql: string) => database.prepare(sql);
  const next = seeded(9);
  const names = Array.from({ length: 400 }, (_, i) => (i % 7 === 0 ? `é${i}` : `term${i}`));
  const expected: string[] = [];
  const builder = new SegmentBuilder();
  for (let segment = 0; segment < 30; segment += 1) {
    builder.clear();
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
  deleteDocuments(prepare, 3, 2, 100);
  deleteDocuments(prepare, 17, 0, 100);
  const alive = expected.filter((line) => !/^(3#([2-9]|\d\d)|17#\d+) /.test(line));
  assert.deepEqual(everything(database), alive);
  mergeAll(database, prepare);
  assert.equal(loadSegments(prepare).length, 1);
  assert.deepEqual(everything(database), alive);
});

test("a run that wrote several segments leaves one, and does not rewrite many older documents", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(TEXT_SCHEMA);
  const prepare = (sql: string) => database.prepare(sql);
  const run = (first: number, steps: number, documents: number): void => {
    const writer = new TextWriter(database, prepare);
    for (let step = 0; step < steps; step += 1) {
      for (let slot = 0; slot < documents; slot += 1) {
        writer.add({ no: first + step, slot, role: 0, length: 1, terms: Uint32Array.of(slot % 3, 4) }, ["a", "b", "c"]);
      }
      writer.settle();
    }
    writer.join();
  };
  run(0, 5, 40);
  assert.deepEqual(sizes(prepare), [200]);
  for (let no = 5; no < 12; no += 1) run(no, 1, 30);
  assert.deepEqual(sizes(prepare), [200, 30, 30, 30, 30, 30, 30, 30]);
  // The first step of this run merges the seven small segments with its own, which has few of their documents.
  run(12, 2, 10);
  assert.deepEqual(sizes(prepare), [200, 220, 10]);
  assert.equal(everything(database).length, 430);
});
