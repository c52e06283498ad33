/**
 * The port of the store of documentation. The identity of a collection is a hash of its canonical source. The settings,
 * not the store, map names to identities.
 *
 * A reader is opened with its scope and has no call that leaves it: documents outside it are not listed, counted or
 * found, and affect no score.
 */
import type { DocumentFormat, Section } from "../documents/model.ts";
import type { TermCounts, TermShare } from "../ranking/hits.ts";
import type { TermQuery } from "../ranking/query.ts";
import type { WeightedEvidence } from "../ranking/scores/evidence.ts";
import type { VectorGapReader, VectorGapWriter } from "./vector_gaps.ts";

export interface CollectionRow {
  id: string;
  /** Canonical: an absolute folder, an address, `npm:name@range`. */
  source: string;
  documents: number;
  tokens: number;
  bytes: number;
  /** Milliseconds of the last completed sync; null: none. */
  synced: number | null;
  /** Documents that the last sync could not fetch: it was not complete. */
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
  /** Hash of the content. */
  hash: string;
  bytes: number;
  tokens: number;
  sections: number;
  updated: number;
  /** Where it can be opened: a path or an address. */
  location: string;
}

export interface SectionRow extends Omit<Section, "text"> {
  /** Of its own lines, with the heading and without its subsections. */
  tokens: number;
}

/** No answer includes anything outside these. */
export interface DocumentScope {
  /** Identities; undefined: all collections. An empty list: none. */
  collections?: readonly string[];
}

/** Narrows within the reader's scope. All conditions hold together. */
export interface DocumentFilter extends DocumentScope {
  /** One document. */
  no?: number;
  /** Excludes this one. */
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
  /** BM25 score of its words. */
  words: number;
  /** Cosine with the question; null if it has no vector or was not compared. */
  cosine: number | null;
  /** Its amounts are part of the score. */
  evidence: readonly WeightedEvidence[];
}

export interface ChunkHits {
  hits: ChunkHit[];
  /** Chunks with a match. */
  total: number;
  /** Near chunks that are not among the answers. */
  dropped: { no: number; chunk: number; cosine: number; reason: string }[];
}

export interface DocumentReader extends VectorGapReader {
  collections(): CollectionRow[];
  /** By collection and path. */
  documents(filter: DocumentFilter, limit: number, offset: number): DocumentRow[];
  countDocuments(filter: DocumentFilter): number;
  document(no: number): DocumentRow | undefined;
  /** By its path, or the end of it; several if it is ambiguous. */
  findDocuments(path: string, filter: DocumentFilter, limit: number): DocumentRow[];
  sections(no: number): SectionRow[];
  /** The whole text; empty for a missing document. */
  text(no: number): string;
  chunks(no: number): ChunkRow[];
  chunkText(no: number, chunk: number): string;
  searchChunks(
    query: TermQuery,
    filter: DocumentFilter,
    limit: number,
    /** Checks a matching chunk if its terms alone do not decide. */
    accept?: (no: number, chunk: number) => boolean,
  ): ChunkHits;
  /** How a chunk came to its score by words. */
  explain(query: TermQuery, no: number, chunk: number): TermShare[];
  /** Counts the chunks that have each term. */
  countTerms(terms: readonly string[], filter?: DocumentFilter): TermCounts;
  /** Terms similar to this one, and a chunk with each. */
  nearTerms(term: string): { term: string; no: number; index: number }[];
  /** The content hashes by path that a sync compares with. */
  hashes(collection: string): Map<string, string>;
  /** State that a source saved for its next sync (validators, commit ids), as JSON. */
  sourceState(collection: string): string | undefined;
  /** `ok`, or a description of the damage. */
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

/** The indexed form of a document: a pure function of its text, so any thread may compute it. */
export interface DigestedDocument {
  title: string;
  description: string | undefined;
  format: DocumentFormat;
  tokens: number;
  /** Compressed with zstd. */
  text: Uint8Array;
  sections: readonly SectionRow[];
  chunks: readonly DigestedChunk[];
  /** The text of a term by its number in the digests. The list may grow; existing entries stay. */
  names: readonly string[];
}

export interface DigestedChunk extends Omit<ChunkRow, "chunk"> {
  /** Its start and length in the text; -1 if the text does not contain it verbatim. */
  start: number;
  length: number;
  /** Only if the document's text does not contain it. */
  text: string | null;
  digest: ChunkDigest;
}

/** The indexed form of a chunk besides its position. */
export interface ChunkDigest {
  /** The number of words in it. */
  length: number;
  /** Alternating numbers of its terms and their weights in quarters. */
  terms: Uint32Array;
  /** A row of 8-bit numbers for each window of text; none if nothing is embedded. */
  vectors?: Int8Array;
}

/** Sees all collections. The caller holds the writer's lock, and commits at safe moments. */
export interface DocumentWriter extends DocumentReader, VectorGapWriter {
  /** Adds it, or replaces the one with the same path. */
  put(collection: string, document: NewDocument): void;
  remove(collection: string, path: string): void;
  removeCollection(collection: string): void;
  /** The sync of a collection ended: complete if nothing failed. */
  finish(collection: string, source: string, outcome: { at: number; failed: number; state?: string }): void;
  /** Rewrites the file to erase all removed text from the disk. */
  purge(): void;
  commit(): void;
  rollback(): void;
}
