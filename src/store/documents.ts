/**
 * What the rest of dex may ask of the store of documentation. A collection is known by its identity: a hash of its
 * canonical source. Which names lead to which identity is the business of the settings, not of the store.
 *
 * A reader is opened with its scope and has no call that leaves it: what lies outside is not listed, not counted, not
 * found, and weighs in no score.
 */
import type { DocumentFormat, Section } from "../documents/model.ts";
import type { TermShare } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";

export interface CollectionRow {
  id: string;
  /** Canonical: an absolute folder, an address, `npm:name@range`. */
  source: string;
  documents: number;
  tokens: number;
  bytes: number;
  /** Milliseconds of the last sync that ended; null: none did. */
  synced: number | null;
  /** What the last sync could not get: it was not complete. */
  failed: number;
}

export interface DocumentRow {
  no: number;
  collection: string;
  /** Inside the collection, with slashes. */
  path: string;
  title: string;
  description: string | null;
  format: DocumentFormat;
  /** Of the content. */
  hash: string;
  bytes: number;
  tokens: number;
  sections: number;
  updated: number;
  /** Where it can be opened: a path or an address. */
  location: string;
}

export interface SectionRow extends Omit<Section, "text"> {
  /** Of its own lines, with the heading and without the sections below it. */
  tokens: number;
}

/** Nothing outside these is ever answered, whatever is asked. */
export interface DocumentScope {
  /** Identities; undefined: all collections. An empty list: none. */
  collections?: readonly string[];
}

/** Narrows within the reader's scope. All conditions hold together. */
export interface DocumentFilter extends DocumentScope {
  /** One document. */
  no?: number;
  /** Not this one. */
  not?: number;
}

export interface ChunkRow {
  chunk: number;
  section: number;
  first_line: number;
  last_line: number;
}

export interface ChunkHit extends ChunkRow {
  no: number;
  score: number;
  /** By words, as BM25 counts. */
  words: number;
  /** Cosine with the question; null where it has no vector or was not looked at. */
  cosine: number | null;
}

export interface ChunkHits {
  hits: ChunkHit[];
  /** Chunks with a match. */
  total: number;
  /** Chunks that were near and are not among the answers. */
  dropped: { no: number; chunk: number; cosine: number; reason: string }[];
}

export interface DocumentReader {
  collections(): CollectionRow[];
  /** By collection and path. */
  documents(filter: DocumentFilter, limit: number, offset: number): DocumentRow[];
  countDocuments(filter: DocumentFilter): number;
  document(no: number): DocumentRow | undefined;
  /** By its path, or the end of it; several where it is not clear. */
  findDocuments(path: string, filter: DocumentFilter, limit: number): DocumentRow[];
  sections(no: number): SectionRow[];
  /** The whole text; empty for a document that is not there. */
  text(no: number): string;
  chunks(no: number): ChunkRow[];
  chunkText(no: number, chunk: number): string;
  searchChunks(
    query: TermQuery,
    filter: DocumentFilter,
    limit: number,
    /** A last look at each chunk that passes, when terms alone cannot tell. */
    accept?: (no: number, chunk: number) => boolean,
  ): ChunkHits;
  /** How a chunk came to its score by words. */
  explain(query: TermQuery, no: number, chunk: number): TermShare[];
  /** Terms that are nearly this one, and a chunk with each. */
  nearTerms(term: string): { term: string; no: number; index: number }[];
  /** What a sync compares with: content hashes by path. */
  hashes(collection: string): Map<string, string>;
  /** What a source left for its next sync (validators, commit ids), as JSON. */
  sourceState(collection: string): string | undefined;
  /** `ok`, or what is wrong. */
  integrity(): string;
  close(): void;
}

export interface NewDocument {
  path: string;
  location: string;
  hash: string;
  bytes: number;
  updated: number;
  digested: DigestedDocument;
}

/** What the index keeps of a document: a pure function of its text, so that any thread may make it. */
export interface DigestedDocument {
  title: string;
  description: string | undefined;
  format: DocumentFormat;
  tokens: number;
  /** Compressed with zstd. */
  text: Uint8Array;
  sections: readonly SectionRow[];
  chunks: readonly DigestedChunk[];
  /** The text of a term by its number in the digests. The list may grow; what is in it stays. */
  names: readonly string[];
}

export interface DigestedChunk extends Omit<ChunkRow, "chunk"> {
  /** Where it begins in the text, and how long it is; -1 where it does not stand there as it is. */
  start: number;
  length: number;
  /** Only where it does not stand in the document's text. */
  text: string | null;
  digest: ChunkDigest;
}

/** What the index keeps of a chunk beside its place. */
export interface ChunkDigest {
  /** Words in it. */
  length: number;
  /** Numbers of its terms and their weights in quarters, by turns. */
  terms: Uint32Array;
  /** A row of 8-bit numbers for each window of text; none where nothing is embedded. */
  vectors?: Int8Array;
}

/** Sees all collections. The caller holds the writer's lock, and commits at safe moments. */
export interface DocumentWriter extends DocumentReader {
  /** Adds it, or puts it in the place of the one with the same path. */
  put(collection: string, document: NewDocument): void;
  remove(collection: string, path: string): void;
  removeCollection(collection: string): void;
  /** The sync of a collection ended: complete when nothing failed. */
  finish(collection: string, source: string, outcome: { at: number; failed: number; state?: string }): void;
  /** Rewrites the file, so that nothing of what was removed stays on disk. */
  purge(): void;
  commit(): void;
  rollback(): void;
}
