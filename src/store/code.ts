/**
 * The port of the store of a project's code: files, entities and the relations between them. One store per project;
 * everything in it is derived from the files and may be deleted at any time.
 */
import type { TermCounts } from "../ranking/hits.ts";
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

/** NAMES: an import or re-export by the definition's name. */
export const RELATIONS = [
  "CONTAINS",
  "IMPORTS",
  "CALLS",
  "EXTENDS",
  "IMPLEMENTS",
  "TESTS",
  "DOCUMENTS",
  "USES_TYPE",
  "READS",
  "WRITES",
  "NAMES",
] as const;
export type Relation = (typeof RELATIONS)[number];

/** How the target was found, from certain to guessed. An ambiguous edge is one of several candidates. */
export const RESOLUTIONS = ["import", "same-file", "unique-name", "ambiguous"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** A file as of the last run. */
export interface CodeFileRow {
  no: number;
  /** From the project's root, with slashes. */
  path: string;
  language: string;
  /** Hash of the content. */
  hash: string;
  /** A cheap test whether the file may have changed: size, time, inode. */
  stamp: string;
  lines: number;
  test: boolean;
  /** The package or namespace it declares. */
  module: string;
}

/** The fields of a file by which a run detects changes. */
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

/** An entity as it is written. */
export interface NewEntity extends Omit<EntityRow, "no" | "file" | "path" | "parent"> {
  /** Position in the list of the file's entities; -1: none. */
  parent: number;
  /** For full text: alternating numbers of terms and weights in quarters. */
  terms: Uint32Array;
  length: number;
}

export interface NewFile extends Omit<CodeFileRow, "no"> {
  /** The exported and the private part of a file, as JSON. */
  outside: string;
  inside: string;
  entities: readonly NewEntity[];
}

/** A definition with its name, for lookups by name only. */
export interface NamedEntity {
  path: string;
  language: string;
  test: boolean;
  slot: number;
  kind: EntityKind;
  /** The kind of its container. */
  owner: EntityKind;
  exported: boolean;
}

/** An edge between entities by their numbers. */
export interface Edge {
  from: number;
  to: number;
  relation: Relation;
  resolution: Resolution;
  confidence: number;
  /** The first line. */
  line: number;
  /** The number of occurrences between the same two. */
  count: number;
  /** Every line, if there are several. */
  lines?: readonly number[];
}

/** References of a file without a target in the project. */
export interface Unresolved {
  /** Names without a definition. */
  names: number;
  /** Imports whose target should be a file of the project but was not found. */
  imports: readonly string[];
  /** External packages. */
  external: readonly string[];
}

/** A file that was read and left out. */
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

export interface SymbolNode {
  no: number;
  file: number;
  parent: number | null;
  /** Its parent is the file. */
  isTop: boolean;
}

export type SymbolEdge = Pick<Edge, "from" | "to" | "relation" | "confidence" | "count">;

export interface EntityFilter {
  /** Part of the path. */
  path?: string;
}

export interface EntityHit extends Pick<EntityRow, "no" | "kind" | "path"> {
  /** It is in a test file. */
  test: boolean;
  score: number;
}

/** How well the definitions and comments of a file match some words. */
export interface FileWords {
  path: string;
  /** BM25 score of its best entity, relative to an entity with all of the words: 0 to 1. */
  score: number;
  /** The share of the words that any file has, weighted by rarity. */
  share: number;
  /** The same, for the entity with the most of them. */
  together: number;
  /** Positions in the list of words, the rarest first. */
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
  /** Changes with every write. */
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
  /** All entities, with what a graph of them needs. */
  symbolNodes(): Iterable<SymbolNode>;
  /** All edges of these relations that are not ambiguous. */
  symbolEdges(relations: readonly Relation[]): Iterable<SymbolEdge>;
  unresolved(file: number): Unresolved;
  /** In the order of paths; all, or the path and everything below it. */
  known(under?: string): KnownFile[];
  skipped(under?: string): SkippedFile[];
  /** The matches with the best words, at most so many, the best first; each is read when it is asked for. */
  search(query: TermQuery, filter: EntityFilter, limit: number): { count: number; hits: Iterable<EntityHit> };
  countTerms(terms: readonly string[]): TermCounts;
  /** Files with any of the words (each given once), the best first. */
  searchFiles(terms: readonly string[], limit: number): FileWords[];
  /** As counted while writing. */
  totals(): CodeTotals;
  /** Counted now, row by row; the same numbers. */
  countTotals(): CodeTotals;
  value(key: string): string | undefined;
  close(): void;
}

/** The facts of a project's files, from which relations are resolved. */
export interface CodeFacts extends CodeReader {
  /** The exported and the private part of a file, as JSON. */
  outside(no: number): string;
  inside(no: number): string;
  /** All definitions of a name, ordered by path and position. */
  places(name: string): NamedEntity[];
  /** The numbers of a file's entities, in the order they were given. */
  numbers(file: number): number[];
}

export interface CodeWriter extends CodeFacts {
  /** The dependencies recorded while the edges of files were resolved, by path. */
  needs(): Map<string, Uint32Array>;
  setNeeds(no: number, needs: Uint32Array): void;
  /** Adds or replaces it; entities keep their number if kind, qualified name and order are the same. */
  put(file: NewFile, termNames: readonly string[]): number;
  /** Call it after the last `put`: writes the words that are still in memory. */
  endFiles(): void;
  /** The file was checked and is unchanged. */
  touch(no: number, stamp: string): void;
  remove(no: number): void;
  /**
   * Lets threads of this process read a new store before its first commit. Until then, and after a crash, the store is
   * missing for everyone else. Returns the path for them; undefined if the store is not new.
   */
  shareFiles(): string | undefined;
  /** Replaces all edges that a file's text makes. Returns whether they differ, by their `edgesMark`. */
  setEdges(
    file: number,
    edges: readonly Edge[],
    links: ReadonlyMap<number, number>,
    unresolved: Unresolved,
    mark: string,
  ): boolean;
  /** Files that were read and left out; replaces the known ones: all, or those below these paths. */
  setSkipped(files: readonly SkippedFile[], under?: readonly string[]): void;
  setValue(key: string, value: string): void;
  commit(): void;
  rollback(): void;
}
