/**
 * What the rest of dex may ask of a store, as narrow as the questions are. SQLite answers them now; another engine
 * has to implement these and nothing else.
 */
import type { ConversationMeta, ParentKind, Role } from "../conversations/model.ts";
import type { MessageHit, TermShare, TextHits } from "../ranking/hits.ts";
import type { TermQuery, VectorModel } from "../ranking/query.ts";
import type { NearTerm } from "../ranking/spelling.ts";
import type { Block } from "./archive.ts";

/** A conversation as the index knows it. Times are milliseconds. */
export interface ConversationRow {
  no: number;
  source: string;
  id: string;
  title: string;
  project: string | null;
  branch: string | null;
  model: string | null;
  created: number;
  updated: number;
  messages: number;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  parent: string | null;
  parent_kind: ParentKind | null;
  archive: string;
  archive_bytes: number;
}

export interface MessageRow {
  index: number;
  role: Role;
  time: number | null;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  head: string;
}

/** What is kept of a message beside its text in the archive: a pure function of the message. */
export interface MessageDigest {
  role: Role;
  time: number | null;
  tokens: number;
  tokens_stripped: number;
  tokens_user: number;
  /** Of the archived line: two readings of the same message are recognised by it. */
  hash: number;
  head: string;
  /** Words in it. */
  length: number;
  /** Numbers of its terms, in the analyser that found them, and their weights in quarters, by turns. */
  terms: Uint32Array;
  /** A row of 8-bit numbers for each window of text; none where nothing is embedded. */
  vectors?: Int8Array;
  files: { path: string; how: FileUse }[];
  commits: { sha: string; subject: string }[];
}

/** A run of documents of one segment of the index. */
export interface VectorGap {
  segment: number;
  first: number;
  /** Index null: the conversation's title. */
  places: { no: number; index: number | null }[];
}

export type FileUse = "edited" | "read" | "mentioned";

export interface FileRow {
  path: string;
  how: FileUse;
  first: number;
}

export interface CommitRow {
  first: number;
  sha: string;
  subject: string;
}

/** Which conversations are meant. All conditions hold together. */
export interface ConversationFilter {
  /** Part of the project path. */
  project?: string;
  /** The project's folder, or one below it. */
  below?: string;
  source?: string;
  /** False: without the conversations of subagents; true: only those. */
  subagents?: boolean;
  /** Milliseconds; a conversation counts when it was active in the span. */
  from?: number;
  to?: number;
  /** Part of the path of a file it touched. */
  file?: string;
  /** One conversation, by its number. */
  no?: number;
}

export interface IndexTotals {
  conversations: number;
  messages: number;
  tokens: number;
  earliest: number | null;
  latest: number | null;
  sources: Record<string, number>;
}

/** What the index knows of a conversation's archive file, and what would be lost with it. */
export interface ArchivedRow {
  no: number;
  source: string;
  id: string;
  title: string;
  messages: number;
  /** The agent's own file that it was read from. */
  origin: string | null;
  /** Path inside the archive folder, and the length of the file. */
  archive: string;
  bytes: number;
}

export interface ConversationReader {
  totals(): IndexTotals;
  /** Projects with how many conversations each has, the most active first. */
  projects(limit: number): { project: string; conversations: number; updated: number }[];
  list(filter: ConversationFilter, limit: number, offset: number): ConversationRow[];
  count(filter: ConversationFilter): number;
  byNo(no: number): ConversationRow | undefined;
  /** Conversations whose id is this or begins with it; an exact match stands alone. */
  byPrefix(prefix: string, source?: string, limit?: number): ConversationRow[];
  /** How many conversations have this id, and the ids next to it in order; empty where there is none. */
  idNeighbours(id: string): { same: number; before: string; after: string };
  /** Ids near a mistyped one. */
  ids(): { source: string; id: string }[];
  /** The metadata as archived. */
  storedMeta(no: number): ConversationMeta | undefined;
  children(id: string): ConversationRow[];
  messages(no: number, from?: number, to?: number): MessageRow[];
  blocks(no: number): Block[];
  files(no: number): FileRow[];
  commits(no: number): CommitRow[];
  fileCounts(nos: readonly number[]): Map<number, { files: number; commits: number }>;
  /** The stamps that containers had when they were last read. */
  stamps(): Map<string, string>;
  /** What the source left for its next read of the container. */
  containerState(source: string, path: string): string | null;
  /** Every conversation's archive path with the length the index knows. */
  archiveSizes(): Map<string, { no: number; bytes: number }>;
  /** Every conversation with its archive file, in the order of their paths. */
  archivedConversations(): ArchivedRow[];
  malformed(): { source: string; path: string; malformed: number }[];
  /** Containers with conversations that were left out on purpose: how many, by reason. */
  leftOut(): { source: string; path: string; reasons: Record<string, number> }[];
  /** Containers whose last read failed, with the reason; they are read again at the next sync. */
  failedContainers(): { source: string; path: string; error: string }[];
  /** Which models made vectors, and for how many messages and titles; how many there are in all. */
  vectorCoverage(): { all: number; models: { model: VectorModel; covered: number }[] };
  /** Messages and titles, at most so many, that have no vectors of this model yet; undefined: all have. */
  vectorGap(model: VectorModel, most: number): VectorGap | undefined;
  /** A small value of dex's own, by name. */
  getValue(key: string): string | undefined;
}

/** What the last read of a container came to. */
export interface ContainerRead {
  stamp: string;
  /** What the source wants to know at its next read, as JSON. */
  state: string | null;
  malformed: number;
  /** Conversations left out on purpose, by reason. */
  leftOut?: Readonly<Record<string, number>>;
  error?: string;
}

export interface TextSearch {
  /** Conversations with a match, best first, and how many there are in all. */
  searchTexts(
    query: TermQuery,
    filter: ConversationFilter,
    limit: number,
    offset: number,
    /** A last look at each message that passes, when terms alone cannot tell. */
    accept?: (no: number, index: number) => boolean,
  ): TextHits;
  /** Single messages with a match, best first; titles are none. */
  searchMessages(query: TermQuery, filter: ConversationFilter, limit: number): MessageHit[];
  /** How a message came to its score: each term's rarity, weight in the message, and share. */
  explain(query: TermQuery, no: number, index: number): TermShare[];
  /** Terms of the index that are nearly this one, the most frequent first. */
  nearTerms(term: string): NearTerm[];
}

export interface IndexWriter extends ConversationReader {
  find(source: string, id: string): ConversationRow | undefined;
  hashes(no: number, from: number): number[];
  /** Conversations whose first record is this one. */
  family(source: string, key: string): ConversationRow[];
  /** Files that hold a fork: what they repeat must be known whenever they are read. */
  forkOrigins(): Set<string>;
  setValue(key: string, value: string): void;
  /** The container at this path is read whole at the next sync. */
  dropContainer(path: string): void;
  /** All containers of this source are read whole at the next sync. */
  dropContainers(source: string): void;
  /** Takes over what another index knows of containers, and dex's own values, where this version can read it. */
  copyContainers(otherIndex: string): void;
  newNo(): number;
  /** Forgets every message of the conversation from this index on. */
  cutFrom(no: number, from: number): void;
  /** `names` gives the text of a term by its number in the digests. */
  addBlock(no: number, block: Block, digests: readonly MessageDigest[], names: readonly string[]): void;
  /** Writes the conversation's own row, with totals over its messages. */
  finish(no: number, entry: ConversationEntry, title: TitleDigest): void;
  /** What makes the vectors in the digests; undefined: nothing does. */
  setModel(model: VectorModel | undefined): void;
  /** Vectors for a gap: rows of each of its places. False, and nothing is written, when the gap is no more. */
  fillGap(model: VectorModel, gap: VectorGap, vectors: readonly (Int8Array | undefined)[]): boolean;
  /** Removes all vectors but those of one model. */
  dropVectors(keep: VectorModel | undefined): void;
  remove(no: number): void;
  /** Terms that are in messages or titles of these conversations and of no others. */
  termsOnlyIn(nos: ReadonlySet<number>): Set<string>;
  /** Removes what readers noted about the files that these conversations came from. Call it before `remove`. */
  forgetContainers(nos: ReadonlySet<number>): void;
  /** Rewrites the index, so that nothing of what was removed stays on disk. */
  purge(): void;
  /** Removes what belongs to no conversation: the rest of an interrupted sync. */
  removeOrphans(): void;
  saveContainer(source: string, path: string, read: ContainerRead): void;
  /** Removes one container's row, whatever it says. */
  removeContainer(source: string, path: string): void;
  commit(): void;
  rollback(): void;
  close(): void;
}

export interface TitleDigest {
  terms: readonly string[];
  vectors?: Int8Array;
}

export interface ConversationEntry {
  meta: ConversationMeta;
  archive: string;
  archiveBytes: number;
}
