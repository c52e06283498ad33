/** The part of a port through which vectors are added to texts that are already indexed. */
import type { VectorModel } from "../ranking/query.ts";

/** Which models made vectors, and for how many texts; the total of all texts. */
export interface VectorCoverage {
  all: number;
  models: { model: VectorModel; covered: number }[];
}

/** A run of texts of one segment of the index. */
export interface VectorGap {
  segment: number;
  first: number;
  /** Index null: the conversation's title. */
  places: { no: number; index: number | null }[];
}

export interface VectorGapReader {
  /** The coverage of all texts in the file, whatever the scope of the reader. */
  vectorCoverage(): VectorCoverage;
  /** Texts, at most this many, that have no vectors of this model yet; undefined: all have. */
  vectorGap(model: VectorModel, maxTexts: number): VectorGap | undefined;
}

export interface VectorGapWriter {
  /** Vectors for a gap: rows for each of its texts. False, and nothing is written, if the gap no longer exists. */
  fillGap(model: VectorModel, gap: VectorGap, vectors: readonly (Int8Array | undefined)[]): boolean;
  /** Removes the vectors of all other models. */
  dropVectors(keeps: (model: VectorModel) => boolean): void;
}
