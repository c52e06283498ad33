/**
 * What the rest of dex may ask of the store of documentation. A collection is known by its identity: a hash of its
 * canonical source. Which names lead to which identity is the business of the settings, not of the store.
 */
import type { Chunk, DocumentFormat, ParsedDocument, Section } from "../documents/model.ts";
import type { TermQuery, VectorModel } from "./ports.ts";

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
  tokens: number;
}

/** Nothing outside these is ever answered, whatever is asked. */
export interface DocumentScope {
  /** Identities; undefined: all collections. An empty list: none. */
  collections?: readonly string[];
}

export interface DocumentFilter extends DocumentScope {
  /** One document. */
  no?: number;
  /** Not this one. */
  not?: number;
}

export interface ChunkHit {
  no: number;
  chunk: number;
  section: number;
  first_line: number;
  last_line: number;
  score: number;
  words: number;
  cosine: number | null;
}

export interface DocumentReader {
  collections(scope: DocumentScope): CollectionRow[];
  documents(filter: DocumentFilter, limit: number, offset: number): DocumentRow[];
  countDocuments(filter: DocumentFilter): number;
  document(no: number, scope: DocumentScope): DocumentRow | undefined;
  /** By its path, or the end of it; several where it is not clear. */
  findDocuments(path: string, scope: DocumentScope): DocumentRow[];
  sections(no: number): SectionRow[];
  text(no: number): string;
  searchChunks(query: TermQuery, filter: DocumentFilter, limit: number): ChunkHit[];
  /** What a sync compares with: content hashes by path. */
  hashes(collection: string): Map<string, string>;
  /** What a source left for its next sync (validators, commit ids), as JSON. */
  sourceState(collection: string): string | undefined;
  close(): void;
}

export interface NewDocument {
  path: string;
  location: string;
  hash: string;
  bytes: number;
  updated: number;
  parsed: ParsedDocument;
  chunks: readonly Chunk[];
}

export interface DocumentWriter extends DocumentReader {
  setModel(model: VectorModel | undefined): void;
  /** Adds it, or puts it in the place of the one with the same path. */
  put(collection: string, document: NewDocument): void;
  remove(collection: string, path: string): void;
  removeCollection(collection: string): void;
  /** The sync of a collection ended: complete when nothing failed. */
  finish(collection: string, source: string, outcome: { at: number; failed: number; state?: string }): void;
  commit(): void;
  rollback(): void;
}
