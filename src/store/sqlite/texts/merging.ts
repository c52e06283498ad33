/**
 * Merges segments: walks the terms of all of them in order, and writes one segment into the place of what it has read.
 * Deleted documents are left out.
 */
import type { DatabaseSync } from "node:sqlite";
import { isDead, type Segment } from "../../../ranking/segment.ts";
import { BlockPacker, compareTerms, readBlock, type TermEntry } from "../../../ranking/terms/blocks.ts";
import type { SegmentData } from "../../../ranking/terms/builder.ts";
import { appendPostings, ByteWriter, readPostings, writePosting } from "../../../ranking/terms/postings.ts";
import type { Prepare } from "../connection.ts";
import { bytesOf, insertSegment, loadSegments, nextId } from "./segments.ts";
import { moveVectors } from "./vector_blocks.ts";

/** This many segments of about the same size are merged into one. */
const SEGMENTS_PER_MERGE = 8;
/** A merge reads several thousand blocks a second. */
const BLOCKS_PER_REPORT = 25;

/** Keeps the number of segments logarithmic in the number of documents: fewer than `most` have about the same size. */
export function mergeSmall(database: DatabaseSync, prepare: Prepare, most = SEGMENTS_PER_MERGE): void {
  for (;;) {
    const tiers = new Map<number, number[]>();
    for (const row of prepare("SELECT id, documents FROM segments ORDER BY id").all()) {
      const tier = Math.floor(Math.log(Number(row.documents) + 1) / Math.log(SEGMENTS_PER_MERGE));
      tiers.set(tier, [...(tiers.get(tier) ?? []), Number(row.id)]);
    }
    const full = [...tiers.values()].find((ids) => ids.length >= most);
    if (!full) return;
    mergeSegments(database, prepare, full);
  }
}

/** Merges all segments from this one on, unless they have more documents than that together. */
export function mergeFrom(
  database: DatabaseSync,
  prepare: Prepare,
  first: number,
  mostDocuments: number,
  progress?: (share: number) => void,
): void {
  const rows = prepare("SELECT id, documents FROM segments WHERE id >= ? ORDER BY id").all(first);
  const documents = rows.reduce((sum, row) => sum + Number(row.documents), 0);
  if (rows.length < 2 || documents > mostDocuments) return;
  const ids = rows.map((row) => Number(row.id));
  mergeSegments(database, prepare, ids, progress);
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

function mergeSegments(
  database: DatabaseSync,
  prepare: Prepare,
  ids: readonly number[],
  progress?: (share: number) => void,
): void {
  const segments = loadSegments(prepare).filter(({ id }) => ids.includes(id));
  const id = nextId(prepare);
  const { data, renumbered } = joinDocuments(segments);
  const insert = prepare("INSERT INTO term_blocks (segment, first, data) VALUES (?, ?, ?)");
  const packer = new BlockPacker((block) => insert.run(id, block.first, block.data));
  // Writes the new segment into the space of the deleted ones, so that the file hardly grows.
  const remove = prepare("DELETE FROM term_blocks WHERE segment = ? AND first = ?");
  const blocks = progress ? countBlocks(prepare, ids) : 0;
  let read = 0;
  const streams = segments.map((segment, i) => {
    const isRead = (first: string): void => {
      remove.run(segment.id, first);
      read += 1;
      if (read % BLOCKS_PER_REPORT === 0) progress?.(read / blocks);
    };
    return new TermStream(database, segment.id, renumbered[i] as Int32Array, isRead);
  });
  const joined: JoinedPostings = { bytes: new ByteWriter(), last: -1, documents: 0 };
  const least: TermStream[] = [];
  for (;;) {
    const term = smallest(streams, least);
    if (term === undefined) break;
    joined.bytes.clear();
    joined.last = -1;
    joined.documents = 0;
    for (const stream of least) {
      stream.append(joined);
      stream.next();
    }
    if (joined.documents > 0) packer.add(term, joined.documents, joined.bytes.view());
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

function countBlocks(prepare: Prepare, ids: readonly number[]): number {
  const sql = "SELECT count(*) n FROM term_blocks WHERE segment IN (SELECT value FROM json_each(?))";
  return Number(prepare(sql).get(JSON.stringify(ids))?.n ?? 0);
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

/** The postings of one term in the merged segment. */
interface JoinedPostings {
  bytes: ByteWriter;
  last: number;
  documents: number;
}

/** The terms of a segment in order. `isRead`: is called with the first term of each block that is not needed any more. */
class TermStream {
  readonly #blocks: Iterator<Record<string, unknown>>;
  readonly #renumbered: Int32Array;
  /** No document of it is deleted. */
  readonly #isWhole: boolean;
  readonly #isRead: (first: string) => void;
  #first: string | undefined;
  #data: Uint8Array = new Uint8Array();
  #entries: TermEntry[] = [];
  #at = 0;
  entry: TermEntry | undefined;

  constructor(database: DatabaseSync, segment: number, renumbered: Int32Array, isRead: (first: string) => void) {
    this.#renumbered = renumbered;
    this.#isWhole = renumbered.length > 0 && !renumbered.includes(-1);
    this.#isRead = isRead;
    // A statement of its own: several streams run at once.
    this.#blocks = database
      .prepare("SELECT first, data FROM term_blocks WHERE segment = ? ORDER BY first")
      .iterate(segment)
      [Symbol.iterator]();
    this.next();
  }

  next(): void {
    while (this.#at >= this.#entries.length) {
      const row = this.#blocks.next();
      if (this.#first !== undefined) this.#isRead(this.#first);
      this.#first = row.done ? undefined : String(row.value.first);
      if (row.done) {
        this.entry = undefined;
        return;
      }
      this.#data = bytesOf(row.value.data);
      this.#entries = readBlock(this.#data);
      this.#at = 0;
    }
    this.entry = this.#entries[this.#at];
    this.#at += 1;
  }

  /** Appends the postings of the current term, without those of deleted documents. */
  append(joined: JoinedPostings): void {
    if (!this.entry) return;
    const { start, end, documents } = this.entry;
    const { length } = this.#renumbered;
    if (this.#isWhole) {
      const by = this.#renumbered[0] as number;
      joined.last = appendPostings(joined.bytes, this.#data, start, end, length, by, joined.last);
      joined.documents += documents;
      return;
    }
    readPostings(this.#data, start, end, length, (document, weight) => {
      const number = this.#renumbered[document] as number;
      if (number < 0) return;
      writePosting(joined.bytes, number - joined.last, weight);
      joined.last = number;
      joined.documents += 1;
    });
  }
}

/** The smallest term, and the streams that are at it. */
function smallest(streams: readonly TermStream[], least: TermStream[]): string | undefined {
  let term: string | undefined;
  for (const stream of streams) {
    const { entry } = stream;
    if (!entry) continue;
    const order = term === undefined ? -1 : compareTerms(entry.term, term);
    if (order > 0) continue;
    if (order < 0) least.length = 0;
    term = entry.term;
    least.push(stream);
  }
  return term;
}
