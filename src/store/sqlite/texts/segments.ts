/**
 * Segments of an index of texts in the database. A segment never changes except for the marks of deleted documents.
 * Small segments are merged now and then; a merge leaves deleted documents out.
 */

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "../../../loops/crc32.ts";
import { isDead, markDeleted, type Segment, wordsOfLength } from "../../../ranking/segment.ts";
import { BlockPacker, compareTerms, readBlock, type TermEntry } from "../../../ranking/terms/blocks.ts";
import type { SegmentBuilder, SegmentData } from "../../../ranking/terms/builder.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import { ByteWriter, readPostings, writePosting } from "../../../ranking/terms/postings.ts";
import type { Prepare } from "../connection.ts";
import { moveVectors, wordsOf } from "./vector_blocks.ts";

/** This many segments of about the same size are merged into one. */
const SEGMENTS_PER_MERGE = 8;

export function writeSegment(prepare: Prepare, builder: SegmentBuilder): number {
  const id = nextId(prepare);
  const insert = prepare("INSERT INTO term_blocks (segment, first, data) VALUES (?, ?, ?)");
  const data = builder.write((block) => insert.run(id, block.first, block.data));
  insertSegment(prepare, id, data);
  return id;
}

export function loadSegments(prepare: Prepare, ids?: readonly number[]): Segment[] {
  const columns = "id, documents, places, roles, lengths, words, dead, gone, gone_words";
  const some = "WHERE id IN (SELECT value FROM json_each(?))";
  const rows = ids
    ? prepare(`SELECT ${columns} FROM segments ${some} ORDER BY id`).all(JSON.stringify(ids))
    : prepare(`SELECT ${columns} FROM segments ORDER BY id`).all();
  return rows.map((row) =>
    checkedSizes({
      id: Number(row.id),
      documents: Number(row.documents),
      places: wordsOf(row.places),
      roles: bytes(row.roles),
      lengths: bytes(row.lengths),
      words: Number(row.words),
      dead: row.dead === null ? undefined : bytes(row.dead),
      gone: Number(row.gone),
      goneWords: Number(row.gone_words),
    }),
  );
}

/** Checks that every table of a segment has an entry for each document; readers then need no bounds checks. */
function checkedSizes(segment: Segment): Segment {
  const { documents, places, roles, lengths, dead } = segment;
  const whole =
    places.length === documents * 2 &&
    roles.length === documents &&
    lengths.length === documents &&
    (dead === undefined || dead.length === (documents + 7) >> 3);
  if (!whole) throw new DamagedBlock("a segment's tables differ in length");
  return segment;
}

/** CRC-32 of a segment's tables of documents. */
export function segmentChecksum({ places, roles, lengths }: SegmentData): number {
  return crc32(lengths, crc32(roles, crc32(new Uint8Array(places.buffer, places.byteOffset, places.byteLength))));
}

/** Marks an owner's documents with these slots as deleted. */
export function deleteDocuments(prepare: Prepare, no: number, fromSlot: number, toSlot: number): void {
  deleteTexts(prepare, (owner, slot) => owner === no && slot >= fromSlot && slot < toSlot);
}

/** Marks all documents of these owners as deleted. */
export function deleteOwners(prepare: Prepare, owners: ReadonlySet<number>): void {
  if (owners.size > 0) deleteTexts(prepare, (owner) => owners.has(owner));
}

function deleteTexts(prepare: Prepare, isGone: (owner: number, slot: number) => boolean): void {
  for (const segment of loadSegments(prepare)) {
    const { dead, gone, goneWords } = markDeleted(segment, isGone);
    if (gone === segment.gone) continue;
    prepare("UPDATE segments SET dead = ?, gone = ?, gone_words = ? WHERE id = ?").run(
      dead,
      gone,
      goneWords,
      segment.id,
    );
  }
}

/** Keeps the number of segments logarithmic in the number of documents. */
export function mergeSmall(database: DatabaseSync, prepare: Prepare): void {
  for (;;) {
    const tiers = new Map<number, number[]>();
    for (const row of prepare("SELECT id, documents FROM segments ORDER BY id").all()) {
      const tier = Math.floor(Math.log(Number(row.documents) + 1) / Math.log(SEGMENTS_PER_MERGE));
      tiers.set(tier, [...(tiers.get(tier) ?? []), Number(row.id)]);
    }
    const full = [...tiers.values()].find((ids) => ids.length >= SEGMENTS_PER_MERGE);
    if (!full) return;
    mergeSegments(database, prepare, full);
  }
}

/** Merges all segments from this one on, unless they have more documents than that together. */
export function mergeFrom(database: DatabaseSync, prepare: Prepare, first: number, mostDocuments: number): void {
  const rows = prepare("SELECT id, documents FROM segments WHERE id >= ? ORDER BY id").all(first);
  const documents = rows.reduce((sum, row) => sum + Number(row.documents), 0);
  if (rows.length < 2 || documents > mostDocuments) return;
  mergeSegments(
    database,
    prepare,
    rows.map((row) => Number(row.id)),
  );
}

/** Merges everything into one segment to erase the deleted documents. */
export function mergeAll(database: DatabaseSync, prepare: Prepare): void {
  const ids = prepare("SELECT id FROM segments ORDER BY id").all();
  mergeSegments(
    database,
    prepare,
    ids.map((row) => Number(row.id)),
  );
}

function mergeSegments(database: DatabaseSync, prepare: Prepare, ids: readonly number[]): void {
  const segments = loadSegments(prepare).filter(({ id }) => ids.includes(id));
  const id = nextId(prepare);
  const { data, renumbered } = joinDocuments(segments);
  const insert = prepare("INSERT INTO term_blocks (segment, first, data) VALUES (?, ?, ?)");
  const packer = new BlockPacker((block) => insert.run(id, block.first, block.data));
  const streams = segments.map((segment, i) => new TermStream(database, segment.id, renumbered[i] as Int32Array));
  const postings = new ByteWriter();
  for (;;) {
    const term = smallest(streams);
    if (term === undefined) break;
    postings.clear();
    let last = -1;
    let documents = 0;
    for (const stream of streams) {
      if (stream.entry?.term !== term) continue;
      stream.postings((document, weight) => {
        writePosting(postings, document - last, weight);
        last = document;
        documents += 1;
      });
      stream.next();
    }
    if (documents > 0) packer.add(term, documents, postings.view());
  }
  packer.flush();
  moveVectors(
    prepare,
    segments.map((segment, i) => ({ id: segment.id, renumbered: renumbered[i] as Int32Array })),
    id,
  );
  for (const old of ids) {
    prepare("DELETE FROM term_blocks WHERE segment = ?").run(old);
    prepare("DELETE FROM segments WHERE id = ?").run(old);
  }
  if (data.documents > 0) insertSegment(prepare, id, data);
}

/** The documents of all segments one after another, without deleted ones, and the new number of each (-1: deleted). */
function joinDocuments(segments: readonly Segment[]): { data: SegmentData; renumbered: Int32Array[] } {
  const places: number[] = [];
  const roles: number[] = [];
  const lengths: number[] = [];
  const renumbered = segments.map((segment) => {
    const numbers = new Int32Array(segment.documents).fill(-1);
    for (let document = 0; document < segment.documents; document += 1) {
      if (isDead(segment, document)) continue;
      numbers[document] = roles.length;
      places.push(segment.places[document * 2] as number, segment.places[document * 2 + 1] as number);
      roles.push(segment.roles[document] as number);
      lengths.push(segment.lengths[document] as number);
    }
    return numbers;
  });
  return {
    data: {
      documents: roles.length,
      places: Uint32Array.from(places),
      roles: Uint8Array.from(roles),
      lengths: Uint8Array.from(lengths),
    },
    renumbered,
  };
}

/** The terms of a segment in order. */
class TermStream {
  readonly #blocks: Iterator<Record<string, unknown>>;
  readonly #renumbered: Int32Array;
  #data: Uint8Array = new Uint8Array();
  #entries: TermEntry[] = [];
  #at = 0;
  entry: TermEntry | undefined;

  constructor(database: DatabaseSync, segment: number, renumbered: Int32Array) {
    this.#renumbered = renumbered;
    // A statement of its own: several streams run at once.
    this.#blocks = database
      .prepare("SELECT data FROM term_blocks WHERE segment = ? ORDER BY first")
      .iterate(segment)
      [Symbol.iterator]();
    this.next();
  }

  next(): void {
    while (this.#at >= this.#entries.length) {
      const row = this.#blocks.next();
      if (row.done) {
        this.entry = undefined;
        return;
      }
      this.#data = bytes(row.value.data);
      this.#entries = readBlock(this.#data);
      this.#at = 0;
    }
    this.entry = this.#entries[this.#at];
    this.#at += 1;
  }

  postings(found: (document: number, weight: number) => void): void {
    if (!this.entry) return;
    readPostings(this.#data, this.entry.start, this.entry.end, this.#renumbered.length, (document, weight) => {
      const number = this.#renumbered[document] as number;
      if (number >= 0) found(number, weight);
    });
  }
}

function smallest(streams: readonly TermStream[]): string | undefined {
  let least: string | undefined;
  for (const { entry } of streams) {
    if (entry && (least === undefined || compareTerms(entry.term, least) < 0)) least = entry.term;
  }
  return least;
}

export function nextId(prepare: Prepare): number {
  return Number(prepare("SELECT coalesce(max(id), 0) + 1 n FROM segments").get()?.n ?? 1);
}

function insertSegment(prepare: Prepare, id: number, data: SegmentData): void {
  const places = new Uint8Array(data.places.buffer, data.places.byteOffset, data.places.byteLength);
  const words = data.lengths.reduce((sum, code) => sum + wordsOfLength(code), 0);
  prepare(
    "INSERT INTO segments (id, documents, places, roles, lengths, words, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(id, data.documents, places, data.roles, data.lengths, words, segmentChecksum(data));
}

function bytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
