/**
 * The inner loops of a search as WebAssembly (source: wasm/). They work on memory of their own: what they read is
 * copied there, and what they write is read through views.
 */
import { LOOPS_CODE } from "./code.ts";
import { Instance, Memory, Module, PAGE_BYTES } from "./platform.ts";

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

/** Vector instructions want addresses that are a multiple of this. */
const ALIGNMENT = 16;

let compiled: object | undefined;

/** The functions with a memory of fixed size, so that its views stay valid. It is handed out piece by piece. */
export class Loops {
  readonly run: LoopFunctions;
  readonly #buffer: ArrayBuffer;
  #used = ALIGNMENT;

  /** `sizes`: the bytes of each piece that will be taken. */
  constructor(sizes: readonly number[]) {
    const bytes = sizes.reduce((sum, size) => sum + aligned(size), ALIGNMENT);
    compiled ??= new Module(Buffer.from(LOOPS_CODE, "base64"));
    const pages = Math.ceil(bytes / PAGE_BYTES);
    const memory = new Memory({ initial: pages, maximum: pages });
    this.run = new Instance(compiled, { env: { memory } }).exports as LoopFunctions;
    this.#buffer = memory.buffer;
  }

  /** All of these begin as zeros. */
  bytes(length: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#take(length), length);
  }

  shorts(length: number): Uint16Array {
    return new Uint16Array(this.#buffer, this.#take(length * 2), length);
  }

  words(length: number): Uint32Array {
    return new Uint32Array(this.#buffer, this.#take(length * 4), length);
  }

  integers(length: number): Int32Array {
    return new Int32Array(this.#buffer, this.#take(length * 4), length);
  }

  doubles(length: number): Float64Array {
    return new Float64Array(this.#buffer, this.#take(length * 8), length);
  }

  #take(bytes: number): number {
    const at = this.#used;
    this.#used += aligned(bytes);
    return at;
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
