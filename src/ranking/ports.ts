/**
 * The ports that ranking needs from a store. Any engine that keeps dex's packed blocks can implement them, and its
 * answers are then scored the same. The calls are synchronous: an engine behind a network fetches the blocks of a
 * query's terms first.
 */
import type { TermQuery, VectorModel } from "./query.ts";
import type { Segment } from "./segment.ts";
import type { VectorBlock } from "./vector_blocks.ts";

/** The segments of an index of texts and their blocks. Segments are named by their id. */
export interface SegmentSource {
  /** Changes whenever the index may have changed. Called before every search, so it must be cheap. */
  version(): number;
  /** In the order of their ids. */
  segments(): Segment[];
  /** The only block of the segment that can contain the term. */
  termBlock(segment: number, term: string): Uint8Array | undefined;
  /** In order, every block of the segment that can contain a term beginning with this character. */
  termBlocks(segment: number, initial: string): Iterable<Uint8Array>;
  /** How many vectors of this model all segments have together. */
  vectorCount(model: VectorModel): number;
  /** A segment's blocks of vectors of this model, in the order of their documents. */
  vectorBlocks(segment: number, model: VectorModel): Iterable<VectorBlock>;
  /** The vectors of one group, one after another. */
  vectorGroup(group: number): Int8Array;
  /** The vectors of several groups at once. Groups that the source lacks are left out. */
  vectorGroups(groups: readonly number[]): Iterable<readonly [group: number, vectors: Int8Array]>;
  /**
   * How many blocks and groups the source has lacked so far. If the number grows, terms and vectors must be requested
   * again.
   */
  missed?(): number;
}

/** The values that break ties between owners, and the project of a conversation. */
export interface Owner {
  updated: number;
  id: string;
  project?: string | undefined;
}

/** The owners of an index's texts: conversations, documents or source files. */
export interface Catalogue<Filter> {
  /**
   * If the caller may see only some owners: these. The others must not affect any answer, not even the counts of words.
   */
  only?(): ReadonlySet<number>;
  /** How many owners there are, and the largest of their numbers. */
  extent(): { count: number; largest: number };
  /** Called only for the best owners and for owners with equal scores. */
  ownerOf(no: number): Owner | undefined;
  /** The owners that pass the filter; undefined when the filter has no condition. */
  passing(filter: Filter): Iterable<number> | undefined;
  /** Owners that rank higher because of a path that the query names, each with a factor of 1 or more. */
  boosts(query: TermQuery): ReadonlyMap<number, number>;
  /** The order of a text's words; absent if the index does not store it. */
  order?(no: number, slot: number): Uint16Array | undefined;
}

/** An index of texts as ranking sees it. */
export interface IndexedTexts<Filter> {
  source: SegmentSource;
  catalogue: Catalogue<Filter>;
}
