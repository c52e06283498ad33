/**
 * What the rest of dex may ask of the store of a project's code: files, entities and the relations between them. One
 * store a project; everything in it is derived from the files and may be deleted at any time.
 */
import type { TermQuery } from "../ranking/query.ts";

export const ENTITY_KINDS = [
  "file",
  "module",
  "class",
  "interface",
  "type",
  "function",
  "method",
  "constant",
  "test",
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export const RELATIONS = ["CONTAINS", "IMPORTS", "CALLS", "EXTENDS", "IMPLEMENTS", "TESTS", "DOCUMENTS"] as const;
export type Relation = (typeof RELATIONS)[number];

/** How the target was found, from sure to guessed. An ambiguous edge is one of several candidates. */
export const RESOLUTIONS = ["import", "same-file", "unique-name", "ambiguous"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** A file as the last run left it. */
export interface CodeFileRow {
  no: number;
  /** From the project's root, with slashes. */
  path: string;
  language: string;
  /** Of the content. */
  hash: string;
  /** Tells cheaply whether the file may have changed: size, time, inode. */
  stamp: string;
  lines: number;
  test: boolean;
  /** The package or namespace it states. */
  module: string;
}

/** A file as far as a run needs to know whether anything is new. */
export type KnownFile = Pick<CodeFileRow, "no" | "path" | "language" | "module" | "stamp" | "hash">;

export interface EntityRow {
  no: number;
  file: number;
  path: string;
  kind: EntityKind;
  name: string;
  qualified: string;
  parent: number | null;
  exported: boolean;
  signature: string;
  doc: string;
  first_line: number;
  last_line: number;
  hash: string;
}

/** What is written of an entity. */
export interface NewEntity {
  kind: EntityKind;
  name: string;
  qualified: string;
  /** Place in the list of the file's entities; -1: none. */
  parent: number;
  exported: boolean;
  signature: string;
  doc: string;
  first_line: number;
  last_line: number;
  hash: string;
  /** For full text: numbers of terms and weights in quarters, by turns. */
  terms: Uint32Array;
  length: number;
}

export interface NewFile {
  path: string;
  language: string;
  hash: string;
  stamp: string;
  lines: number;
  test: boolean;
  module: string;
  /** What other files see of it, and what they do not, as JSON. */
  outside: string;
  inside: string;
  entities: readonly NewEntity[];
}

/** A definition that bears a name, for whoever looks for it by nothing else. */
export interface NamedEntity {
  path: string;
  language: string;
  test: boolean;
  slot: number;
  kind: EntityKind;
  /** The kind of what it stands in. */
  owner: EntityKind;
}

/** An edge between entities by their numbers. */
export interface Edge {
  from: number;
  to: number;
  relation: Relation;
  resolution: Resolution;
  confidence: number;
  line: number;
  /** How often, between the same two. */
  count: number;
}

/** References of a file that lead to nothing in the project. */
export interface Unresolved {
  /** Names that nothing explains. */
  names: number;
  /** Imports that should lead to a file of the project, and do not. */
  imports: readonly string[];
  /** Packages from outside. */
  external: readonly string[];
}

/** A file that was left out after a look at it. */
export interface SkippedFile {
  path: string;
  stamp: string;
  reason: string;
}

export interface LinkedEntity {
  entity: EntityRow;
  edge: Edge;
}

/** The weight of all relations from one file to another. */
export interface FileLink {
  from: number;
  to: number;
  weight: number;
}

export interface EntityFilter {
  kind?: EntityKind;
  /** Part of the path. */
  path?: string;
}

export interface EntityHit {
  no: number;
  score: number;
}

/** How much of some words a file's definitions and comments have. */
export interface FileWords {
  path: string;
  /** BM25 of its best entity, over what an entity that is all of the words could have: 0 to 1. */
  score: number;
  /** The share of the words that any file has, each counting by how few of the files have it. */
  share: number;
  /** The same, of the entity that has the most. */
  together: number;
  /** Places in the list of words, that of the rarest first. */
  has: readonly number[];
}

export interface CodeTotals {
  files: number;
  entities: Partial<Record<EntityKind, number>>;
  relations: Partial<Record<Relation, number>>;
  resolutions: Partial<Record<Resolution, number>>;
  languages: Record<string, number>;
  unresolved: number;
  unresolved_imports: number;
}

export interface CodeReader {
  /** Changes when anything was written. */
  version(): number;
  files(): CodeFileRow[];
  file(path: string): CodeFileRow | undefined;
  /** Files whose path ends in this. */
  filesEnding(end: string): CodeFileRow[];
  entity(no: number): EntityRow | undefined;
  entities(file: number): EntityRow[];
  named(name: string): EntityRow[];
  /** Entities whose qualified name is this or ends in it after a dot. */
  qualified(name: string): EntityRow[];
  names(): string[];
  outgoing(no: number, relations: readonly Relation[]): LinkedEntity[];
  incoming(no: number, relations: readonly Relation[]): LinkedEntity[];
  links(): FileLink[];
  unresolved(file: number): Unresolved;
  /** In the order of paths; all, or the path and what is below it. */
  known(under?: string): KnownFile[];
  skipped(under?: string): SkippedFile[];
  search(query: TermQuery, filter: EntityFilter, limit: number): EntityHit[];
  /** Files with any of the words (each given once), the best first. */
  searchFiles(terms: readonly string[], limit: number): FileWords[];
  /** As they were counted while writing. */
  totals(): CodeTotals;
  /** Counted now, row by row; the same figures. */
  countTotals(): CodeTotals;
  value(key: string): string | undefined;
  close(): void;
}

export interface CodeWriter extends CodeReader {
  /** What other files see of a file, and what they do not, as JSON. */
  outside(no: number): string;
  inside(no: number): string;
  /** All definitions of a name, in the order of their paths and places. */
  places(name: string): NamedEntity[];
  /** What the edges of files were worked out from, by path. */
  needs(): Map<string, Uint32Array>;
  setNeeds(no: number, needs: Uint32Array): void;
  /** Adds or replaces it; entities keep their number where kind, qualified name and order are the same. */
  put(file: NewFile, termNames: readonly string[]): number;
  /** It was looked at and is the same. */
  touch(no: number, stamp: string): void;
  remove(no: number): void;
  /** The numbers of a file's entities, in the order they were given. */
  numbers(file: number): number[];
  /** Puts these in the place of all edges that a file's text makes. Returns whether they differ. */
  setEdges(file: number, edges: readonly Edge[], links: ReadonlyMap<number, number>, unresolved: Unresolved): boolean;
  /** Files that were looked at and left out, in the place of those known before: all, or those below these paths. */
  setSkipped(files: readonly SkippedFile[], under?: readonly string[]): void;
  setValue(key: string, value: string): void;
  commit(): void;
  rollback(): void;
}
