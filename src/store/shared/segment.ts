/**
 * A segment of a team's index, as the server stores it: the tables and blocks of a segment of one machine, and two more
 * kinds of blocks. Details are the rows and word orders of runs of its documents; entries describe its conversations.
 * Owners are the numbers that conversations have in their bucket.
 */
import type { ConversationMeta } from "../../conversations/model.ts";
import type { TermBlock } from "../../ranking/terms/blocks.ts";
import type { SegmentData } from "../../ranking/terms/builder.ts";
import type { ArchiveBlock } from "../archive/archive.ts";
import type { CommitRow, FileRow } from "../ports.ts";

/** The version of text analysis and packing. Raise it with the version of the index; readers skip other formats. */
export const SHARED_FORMAT = 12;
/** Documents whose details are fetched together. */
export const DOCUMENTS_PER_DETAIL = 32;

export interface SharedVectors {
  model: string;
  dims: number;
  first: number;
  documents: number;
  owners: Uint8Array;
  codes: Uint8Array;
  /** The number, within the segment, of its first group of vectors. */
  base: number;
  checksum: number;
}

/** The part of a segment that every search needs. */
export interface SharedTables extends SegmentData {
  words: number;
  checksum: number;
  vectors: SharedVectors[];
  entries: SharedEntry[];
}

export interface SharedSegment extends SharedTables {
  terms: TermBlock[];
  groups: { id: number; vectors: Uint8Array }[];
  details: { first: number; data: Uint8Array }[];
}

/** A segment's knowledge about one of its conversations. */
export interface SharedEntry {
  conv: number;
  /** The bytes of the pushed archive that are indexed. */
  generation: number;
  bytes: number;
  meta: ConversationMeta;
  totals: SharedTotals;
  /** The bytes that were indexed when the segment got the title of the conversation; null if it has none. */
  titled: number | null;
  /** The blocks of the messages in this segment; other segments have the others. */
  blocks: ArchiveBlock[];
  files: FileRow[];
  commits: CommitRow[];
}

/** Totals over all messages so far; times are null where no message has one. */
export interface SharedTotals {
  messages: number;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  first: number | null;
  last: number | null;
  /** The first prompt, which is the title if the agent gave none. */
  prompt: string | null;
}

/** Combines the entries of two segments for one conversation; the order of merging does not matter. */
export function combineEntries(a: SharedEntry, b: SharedEntry): SharedEntry {
  if (a.generation !== b.generation) return a.generation > b.generation ? a : b;
  const newer = a.bytes >= b.bytes ? a : b;
  return {
    ...newer,
    titled: a.titled === null || b.titled === null ? (a.titled ?? b.titled) : Math.max(a.titled, b.titled),
    blocks: unique([...a.blocks, ...b.blocks], ({ offset }) => `${offset}`),
    files: unique([...a.files, ...b.files], ({ path, how }) => `${how} ${path}`),
    commits: unique([...a.commits, ...b.commits], ({ first, sha }) => `${first} ${sha}`),
  };
}

/** In the order of messages, the first of each key. */
function unique<T extends { first: number }>(items: readonly T[], key: (item: T) => string): T[] {
  const known = new Map<string, T>();
  for (const item of [...items].sort((a, b) => a.first - b.first)) {
    if (!known.has(key(item))) known.set(key(item), item);
  }
  return [...known.values()];
}
