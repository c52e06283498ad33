/** Random damage to blocks: decoding terminates, with an answer or with `DamagedBlock`, whatever the bytes are. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { crc32 } from "node:zlib";
import { rounds } from "../../../../test/support/program/limits.ts";
import { between, type Random, seeded } from "../../../../test/support/random.ts";
import { readBlock } from "../../../ranking/terms/blocks.ts";
import { SegmentBuilder } from "../../../ranking/terms/builder.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import { postingsIn } from "../../../ranking/terms/posting_list.ts";
import { readPostings } from "../../../ranking/terms/postings.ts";
import { readDirectory, readMessages, SegmentWriter } from "../../archive/archive.ts";
import { encodeFrame } from "../../archive/frames.ts";
import { TEXT_SCHEMA } from "../index/schema.ts";
import { mergeAll } from "./merging.ts";
import { checkSegments } from "./segment_check.ts";
import { loadSegments, writeSegment } from "./segments.ts";
import { checkVectors, readRuns, writeVectors } from "./vector_blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-fuzz-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const NAMES = Array.from({ length: 300 }, (_, i) => `term${i}`);
const MODEL = { name: "test", dims: 16 };

function sampleIndex(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(TEXT_SCHEMA);
  const prepare = (sql: string) => database.prepare(sql);
  const next = seeded(4);
  for (let no = 1; no <= 3; no += 1) {
    const builder = new SegmentBuilder();
    for (let slot = 0; slot < 150; slot += 1) {
      const chosen = new Map<number, number>();
      for (let i = 0; i < 25; i += 1) chosen.set(between(next, 0, NAMES.length - 1), between(next, 1, 255));
      const vectors = Int8Array.from({ length: MODEL.dims }, () => between(next, -128, 127));
      builder.add({ no, slot, role: 0, length: 20, terms: Uint32Array.from([...chosen].flat()), vectors }, NAMES);
    }
    const segment = writeSegment(prepare, builder);
    writeVectors(prepare, segment, MODEL, { first: 0, documents: 150, ...builder.vectors(MODEL.dims) });
  }
  return database;
}

/** Flips bits, overwrites bytes with a run of one value, or cuts the end off. */
function damage(next: Random, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const kind = between(next, 0, 3);
  if (kind === 0) return copy.slice(0, between(next, 0, copy.length - 1));
  if (kind === 1) {
    const from = between(next, 0, copy.length - 1);
    copy.fill(between(next, 0, 255), from, from + between(next, 1, 64));
    return copy;
  }
  for (let flips = between(next, 1, 8); flips > 0; flips -= 1) {
    const at = between(next, 0, copy.length - 1);
    copy[at] = (copy[at] as number) ^ (1 << between(next, 0, 7));
  }
  return copy;
}

/** The block with a valid checksum: the case that the bounds checks alone must withstand. */
function signed(block: Uint8Array): Uint8Array {
  if (block.length < 5) return block;
  const copy = Buffer.from(block);
  copy.writeUInt32LE(crc32(copy.subarray(0, -4)), copy.length - 4);
  return Uint8Array.from(copy);
}

/** A search finds each term as a walk through the whole block does, whatever the bytes are. */
function decode(block: Uint8Array): number {
  let steps = 0;
  const entries = outcome(() => readBlock(block));
  if (entries instanceof DamagedBlock) {
    assert.equal(outcome(() => postingsIn(block, "term7", 150))?.toString(), entries.toString());
    throw entries;
  }
  const seen = new Set<string>();
  for (const { term, start, end } of entries) {
    const [documents, weights]: [number[], number[]] = [[], []];
    const read = outcome(() =>
      readPostings(block, start, end, 150, (document, weight) => {
        steps += 1;
        documents.push(document);
        weights.push(weight);
      }),
    );
    // A search finds the first of two with the same name, and never a name that is not text.
    if (seen.has(term) || term.includes("\ufffd")) continue;
    seen.add(term);
    const found = outcome(() => postingsIn(block, term, 150));
    if (read instanceof DamagedBlock) assert.equal(found?.toString(), read.toString());
    else
      assert.deepEqual(found, {
        documents: Uint32Array.from(documents),
        weights: Uint8Array.from(weights),
        count: documents.length,
      });
  }
  return steps;
}

/** The result of a read, or the damage that it found. */
function outcome<T>(read: () => T): T | DamagedBlock {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedBlock) return error;
    throw error;
  }
}

test("a damaged block of terms is rejected by its checksum", () => {
  const database = sampleIndex();
  const [row] = database.prepare("SELECT data FROM term_blocks").all();
  const block = row?.data as Uint8Array;
  assert.ok(decode(block) > 100);
  const next = seeded(21);
  const all = rounds(150, 600);
  let refused = 0;
  for (let i = 0; i < all; i += 1) {
    const damaged = damage(next, block);
    if (Buffer.compare(damaged, block) === 0) continue;
    assert.throws(() => decode(damaged), DamagedBlock);
    refused += 1;
  }
  assert.ok(refused > 0.9 * all);
});

test("without a checksum the bounds hold: decoding takes no more steps than the block has bytes", () => {
  const database = sampleIndex();
  const next = seeded(22);
  let refused = 0;
  for (const row of database.prepare("SELECT data FROM term_blocks").all()) {
    const block = row.data as Uint8Array;
    for (let i = 0; i < rounds(60, 600); i += 1) {
      try {
        assert.ok(decode(signed(damage(next, block))) <= block.length);
      } catch (error) {
        assert.ok(error instanceof DamagedBlock, String(error));
        refused += 1;
      }
    }
  }
  assert.ok(refused > rounds(30, 300));
});

test("damage in any table of segments or vectors is found, and neither reading nor merging hangs", () => {
  const next = seeded(23);
  const columns = [
    ["segments", "places"],
    ["segments", "roles"],
    ["segments", "lengths"],
    ["term_blocks", "data"],
    ["vector_blocks", "owners"],
    ["vector_blocks", "codes"],
    ["vector_rows", "vectors"],
  ] as const;
  for (const [table, column] of columns) {
    for (let i = 0; i < 6; i += 1) {
      const database = sampleIndex();
      const prepare = (sql: string) => database.prepare(sql);
      checkSegments(database, prepare);
      const before = database.prepare(`SELECT ${column} value FROM ${table} LIMIT 1`).get()?.value as Uint8Array;
      const damaged = damage(next, before);
      if (Buffer.compare(damaged, before) === 0) continue;
      database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(damaged, before);
      assert.throws(() => checkSegments(database, prepare), DamagedBlock, `${table}.${column}`);
      for (const use of [
        () => loadSegments(prepare).forEach((segment) => void checkVectors(prepare, segment)),
        () => loadSegments(prepare).forEach(({ id }) => void [...readRuns(prepare, id)]),
        () => mergeAll(database, prepare),
      ]) {
        try {
          use();
        } catch (error) {
          assert.ok(error instanceof DamagedBlock, `${table}.${column}: ${error}`);
        }
      }
      database.close();
    }
  }
});

test("a damaged archive file is read to an end: complete messages, or an error", () => {
  const meta = { source: "claude_code", id: "a", title: "t" };
  const path = "a.jsonl.zst";
  const segment = new SegmentWriter(folder, path, 0, { dex: 1, from: 0, conversation: meta });
  for (let i = 0; i < 6; i += 1) {
    const line = JSON.stringify({ role: "user", parts: [{ type: "text", text: `message ${i} `.repeat(20) }] });
    segment.messages(encodeFrame("messages", `${line}\n${line}\n`, 2));
  }
  segment.end(meta);
  const whole = readFileSync(join(folder, path));
  const next = seeded(24);
  for (let i = 0; i < rounds(100, 400); i += 1) {
    writeFileSync(join(folder, path), damage(next, whole));
    try {
      const archived = readDirectory(folder, path);
      const read = archived ? [...readMessages(folder, path, archived.blocks)].length : 0;
      assert.ok(read <= 12);
    } catch (error) {
      assert.ok(error instanceof Error);
    }
  }
});
