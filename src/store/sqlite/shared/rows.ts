/** Shared segments and their details in the tables of an index. */
import { SLOTS, TITLE_SLOT } from "../../../ranking/segment.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import type { Detail } from "../../shared/details.ts";
import type { SharedTables } from "../../shared/segment.ts";
import type { Prepare } from "../connection.ts";
import { segmentChecksum } from "../texts/segments.ts";

/** Groups of vectors are numbered in their segment; in a database each segment has this many numbers. */
export const GROUPS_PER_SEGMENT = 2 ** 20;

/** The columns of a message that its detail has; the others serve the machine that recorded it. */
export const DETAIL_COLUMNS = "role, time, tokens, tokens_stripped, tokens_user, hash, head";

/** Inserts the row of a message: its id, then the values of its detail. */
export const INSERT_DETAIL = `INSERT OR REPLACE INTO messages (id, ${DETAIL_COLUMNS}, usage_hash, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`;

/** Where the numbers of a segment's groups of vectors begin. */
export function firstGroup(segment: number): number {
  return segment * GROUPS_PER_SEGMENT;
}

/** The segment of a group of vectors, and its number there. */
export function groupOf(group: number): { segment: number; id: number } {
  return { segment: Math.floor(group / GROUPS_PER_SEGMENT), id: group % GROUPS_PER_SEGMENT };
}

/** Inserts the tables of a segment and the codes of its vectors; `places` has the numbers that owners get here. */
export function insertShared(prepare: Prepare, id: number, segment: SharedTables, places: Uint32Array): void {
  if (segmentChecksum(segment) !== segment.checksum) throw new DamagedBlock("a shared segment has another checksum");
  prepare(
    "INSERT INTO segments (id, documents, places, roles, lengths, words, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(
    id,
    segment.documents,
    new Uint8Array(places.buffer, places.byteOffset, places.byteLength),
    segment.roles,
    segment.lengths,
    segment.words,
    segmentChecksum({ ...segment, places }),
  );
  const insert = prepare(
    "INSERT INTO vector_blocks (segment, first, documents, model, dims, owners, codes, base, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const { first, documents, model, dims, owners, codes, base, checksum } of segment.vectors) {
    insert.run(id, first, documents, model, dims, owners, codes, firstGroup(id) + base, checksum);
  }
}

/** The rows and orders of documents from `first` on, except those of owners that are `gone`. */
export function insertDetails(
  prepare: Prepare,
  places: Uint32Array,
  first: number,
  details: readonly Detail[],
  gone?: ReadonlySet<number>,
): void {
  const message = prepare(INSERT_DETAIL);
  const words = prepare("INSERT OR REPLACE INTO word_orders (id, codes, checksum) VALUES (?, ?, 0)");
  for (const [i, { row, order }] of details.entries()) {
    const at = (first + i) * 2;
    const slot = places[at + 1];
    if (slot === undefined) throw new DamagedBlock("there are details of more documents than the segment has");
    const owner = places[at] as number;
    if (gone?.has(owner)) continue;
    const id = owner * SLOTS + slot;
    if (row && slot !== TITLE_SLOT) message.run(id, ...row);
    if (order) words.run(id, order);
  }
}

export function bytesOfRow(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
