/**
 * The inner loops of a search as WebAssembly (source: wasm/). They work on memory of their own: what they read is
 * copied there, and what they write is read through views.
 */
import { LOOPS_CODE } from "./code.ts";
import { Program } from "./program.ts";

/** Arguments that end in `At` are addresses in the memory. */
export interface LoopFunctions {
  makeCrcTable(tableAt: number): void;
  crc32(at: number, end: number, tableAt: number, before: number): number;
  findTerm(blockAt: number, length: number, nameAt: number, nameLength: number, tableAt: number, toAt: number): number;
  decode(at: number, end: number, documents: number, documentsAt: number, weightsAt: number): number;
  score(
    documentsAt: number,
    weightsAt: number,
    count: number,
    rarity: number,
    scale: number,
    barredAt: number,
    lengthsAt: number,
    normsAt: number,
    valuesAt: number,
    scoredAt: number,
    scored: number,
  ): number;
  raiseCounts(documentsAt: number, count: number, countsAt: number, before: number): void;
  barOthers(countsAt: number, documents: number, needed: number, barredAt: number): void;
  raiseOwners(
    documentsAt: number,
    count: number,
    barredAt: number,
    placesAt: number,
    largestOwner: number,
    countsAt: number,
    before: number,
  ): number;
  scale(scoredAt: number, count: number, valuesAt: number, factor: number): void;
  group(
    scoredAt: number,
    count: number,
    valuesAt: number,
    placesAt: number,
    before: number,
    largestOwner: number,
    titleSlot: number,
    bestAt: number,
    whoseAt: number,
    slotsAt: number,
    slotScoresAt: number,
    ownersAt: number,
    owners: number,
  ): number;
  keepBest(valuesAt: number, scoredAt: number, count: number, heapAt: number, limit: number, kept: number): number;
  atLeast(valuesAt: number, scoredAt: number, count: number, least: number, toAt: number): number;
  distances(queryAt: number, codesAt: number, count: number, words: number, toAt: number): void;
  countDistances(distancesAt: number, count: number, largest: number, countsAt: number): void;
  rowsWithin(distancesAt: number, count: number, farthest: number, toAt: number): number;
  cosine(aAt: number, bAt: number, dims: number): number;
}

/** The numbers in the table that `crc32` needs: eight slices of 256. */
export const CRC_TABLE_WORDS = 8 * 256;

export class Loops extends Program<LoopFunctions> {
  /** `sizes`: the bytes of each piece of memory that will be taken. */
  constructor(sizes: readonly number[]) {
    super(LOOPS_CODE, sizes);
  }
}
