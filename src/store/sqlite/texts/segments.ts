/** Segments of an index of texts in the database. A segment never changes except for the marks of deleted documents. */
import { crc32 } from "../../../loops/crc32.ts";
import { markDeleted, type Segment, wordsOfLength } from "../../../ranking/segment.ts";
import type { SegmentBuilder, SegmentData } from "../../../ranking/terms/builder.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import type { Prepare } from "../connection.ts";
import { wordsOf } from "./vector_blocks.ts";

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
      roles: bytesOf(row.roles),
      lengths: bytesOf(row.lengths),
      words: Number(row.words),
      dead: row.dead === null ? undefined : bytesOf(row.dead),
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

export function nextId(prepare: Prepare): number {
  return Number(prepare("SELECT coalesce(max(id), 0) + 1 n FROM segments").get()?.n ?? 1);
}

export function insertSegment(prepare: Prepare, id: number, data: SegmentData): void {
  const places = new Uint8Array(data.places.buffer, data.places.byteOffset, data.places.byteLength);
  const words = data.lengths.reduce((sum, code) => sum + wordsOfLength(code), 0);
  prepare(
    "INSERT INTO segments (id, documents, places, roles, lengths, words, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(id, data.documents, places, data.roles, data.lengths, words, segmentChecksum(data));
}

export function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
