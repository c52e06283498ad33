/**
 * How vectors are stored, whatever the engine. A document has one vector for each window of its text. Bit codes for the
 * first, rough comparison are in blocks; the vectors themselves are in groups that fill about one database page each,
 * so reading one vector reads no more than one page.
 */
import { codeWords } from "../vectors/quantise.ts";
import { DamagedBlock } from "./terms/damage.ts";

export interface VectorBlock {
  /** The document of each window, ascending. */
  owners: Uint32Array;
  /** The bit codes of the windows, one after another. */
  codes: Uint32Array;
  /** The group with the first vector; the others are in consecutive groups. */
  base: number;
}

/** Fits a database page of 4 KB, including the engine's own bytes. */
const MAX_GROUP_BYTES = 4000;

export function vectorsPerGroup(dims: number): number {
  return Math.max(1, Math.floor(MAX_GROUP_BYTES / dims));
}

/** Throws unless every window has a code and belongs to a document of the segment, in order. */
export function checkVectorBlock(owners: Uint32Array, codes: Uint32Array, documents: number, dims: number): void {
  if (codes.length !== owners.length * codeWords(dims)) throw new DamagedBlock("a vector has no code");
  let last = 0;
  for (let i = 0; i < owners.length; i += 1) {
    const owner = owners[i] as number;
    if (owner < last || owner >= documents) throw new DamagedBlock("a vector belongs to no document");
    last = owner;
  }
}
