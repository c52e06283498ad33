/**
 * Compares one vector with very many: first by bit codes, how many of their bits differ and which are nearest, then a few
 * of them exactly. The loops run as WebAssembly.
 */
import { Loops } from "../loops/loops.ts";

export class CodeScan {
  /** The bit codes, one after another; the caller fills them in. */
  readonly codes: Uint32Array;
  readonly #run: Loops["run"];
  readonly #count: number;
  readonly #words: number;
  readonly #dims: number;
  readonly #query: Uint32Array;
  readonly #distances: Uint16Array;
  /** How many rows are at each distance. */
  readonly #counts: Uint32Array;
  readonly #rows: Uint32Array;
  /** Two rows of signed bytes that are compared exactly. */
  readonly #a: Uint8Array;
  readonly #b: Uint8Array;
  #rowInA: Int8Array | undefined;

  /** `count` vectors of `dims` dimensions each; a code has `words` 32-bit words. */
  constructor(count: number, words: number, dims: number) {
    this.#count = count;
    this.#words = words;
    this.#dims = dims;
    const sizes = [count * words * 4, words * 4, count * 2, (dims + 1) * 4, count * 4, dims, dims];
    const loops = new Loops(sizes);
    this.#run = loops.run;
    this.codes = loops.words(count * words);
    this.#query = loops.words(words);
    this.#distances = loops.shorts(count);
    this.#counts = loops.words(dims + 1);
    this.#rows = loops.words(count);
    this.#a = loops.bytes(dims);
    this.#b = loops.bytes(dims);
  }

  /** The distance of each code to this one. The caller may raise some to exclude them; the next call overwrites all. */
  measure(code: Uint32Array): Uint16Array {
    this.#query.set(code);
    const { byteOffset: queryAt } = this.#query;
    this.#run.distances(queryAt, this.codes.byteOffset, this.#count, this.#words, this.#distances.byteOffset);
    return this.#distances;
  }

  /**
   * About `most` rows with the smallest distances of the last measurement, in row order, without excluded rows. Rows at
   * the same distance are returned together or not at all, so that their order does not matter: at most twice `most`,
   * unless all of them are at the smallest distance. The next call overwrites the list.
   */
  nearest(most: number): Uint32Array {
    const { byteOffset: distancesAt } = this.#distances;
    this.#counts.fill(0);
    this.#run.countDistances(distancesAt, this.#count, this.#dims, this.#counts.byteOffset);
    let edge = -1;
    let within = 0;
    for (let distance = 0; distance <= this.#dims && within < most; distance += 1) {
      const here = this.#counts[distance] as number;
      if (here === 0) continue;
      if (within > 0 && within + here > 2 * most) break;
      within += here;
      edge = distance;
    }
    if (within > 0) this.#run.rowsWithin(distancesAt, this.#count, edge, this.#rows.byteOffset);
    return this.#rows.subarray(0, within);
  }

  /** The cosine of two vectors of signed bytes, times the length of the first. */
  cosine(a: Int8Array, b: Int8Array): number {
    if (a !== this.#rowInA) this.#a.set(a);
    this.#rowInA = a;
    this.#b.set(b);
    return this.#run.cosine(this.#a.byteOffset, this.#b.byteOffset, this.#dims);
  }
}
