/**
 * A segment: an immutable part of an index of texts, with the position, role and length of each of its documents. Only
 * the marks of deleted documents ever change.
 */
import { ROLES, type Role } from "../conversations/model.ts";
import { LENGTHS, type SegmentData } from "./terms/builder.ts";

/**
 * A document belongs to an owner (a conversation, a document, a source file) and is one of its slots (a message, a chunk,
 * an entity). The last slot of an owner is its title.
 */
export const SLOTS = 2 ** 24;
export const TITLE_SLOT = SLOTS - 1;

export interface Segment extends SegmentData {
  id: number;
  /** The words of all its documents, in thousandths. */
  words: number;
  /** A bit for each deleted document; the number of deleted documents, and of their words. */
  dead: Uint8Array | undefined;
  gone: number;
  goneWords: number;
}

/** The byte of a role in a segment. */
export function roleNumber(role: Role): number {
  return ROLES.indexOf(role);
}

export function isDead(segment: Pick<Segment, "dead">, document: number): boolean {
  return segment.dead !== undefined && (((segment.dead[document >> 3] as number) >> (document & 7)) & 1) === 1;
}

/** The segment's marks with more deleted documents: those for which `isGone` returns true. */
export function markDeleted(
  segment: Segment,
  isGone: (owner: number, slot: number) => boolean,
): { dead: Uint8Array; gone: number; goneWords: number } {
  const { documents, places, lengths } = segment;
  const dead = segment.dead?.slice() ?? new Uint8Array((documents + 7) >> 3);
  let { gone, goneWords } = segment;
  for (let document = 0; document < documents; document += 1) {
    if (!isGone(places[document * 2] as number, places[document * 2 + 1] as number)) continue;
    if (isDead({ dead }, document)) continue;
    dead[document >> 3] = (dead[document >> 3] as number) | (1 << (document & 7));
    gone += 1;
    goneWords += wordsOfLength(lengths[document] as number);
  }
  return { dead, gone, goneWords };
}

/** The segment as if it contained nothing of other owners. */
export function onlyOf(segment: Segment, owners: ReadonlySet<number>): Segment {
  return { ...segment, ...markDeleted(segment, (owner) => !owners.has(owner)) };
}

/**
 * The number of words of a length byte, in whole thousandths: their sum does not depend on the order, so an index that
 * grew step by step equals one that was built at once.
 */
export function wordsOfLength(code: number): number {
  return Math.round((LENGTHS[code] as number) * 1000);
}
