/**
 * The built-in model: the vector of a text is the sum of its pieces' rows. A row has 8-bit numbers and one scale; 64-bit
 * sums of them are exact, so the same text gives the same vector on every machine.
 */

import type { CodeBuffer } from "../vectors/quantise.ts";
import { ModelFile } from "./model_file.ts";
import { cutWord, MAX_PIECES_PER_WORD } from "./pieces.ts";
import { WordScanner } from "./words.ts";

/** The vector of a longer text is vague: it is embedded in windows of this many words, and the best window counts. */
export const WINDOW_WORDS = 120;
/** Embedded windows of a text: about a thousand words. */
export const MAX_WINDOWS = 8;

/** A word whose pieces are shorter on average, such as random letters, is unknown to the model. */
const MIN_PIECE_BYTES = 3;

export interface Embedder {
  readonly name: string;
  readonly dims: number;
  /** The unit vector of a whole text; undefined if the model knows none of its words. */
  embed(text: string): Float32Array | undefined;
}

export class StaticEmbedder implements Embedder {
  readonly name: string;
  readonly dims: number;
  readonly #model: ModelFile;
  readonly #scanner = new WordScanner();
  readonly #sum: Float64Array;
  readonly #ids = new Int32Array(WINDOW_WORDS * MAX_PIECES_PER_WORD);
  readonly #weights = new Float64Array(WINDOW_WORDS * MAX_PIECES_PER_WORD);
  readonly #counts: Uint16Array;
  /** Whether the model knows one of the words since the start of `embed`. */
  #known = false;

  constructor(path: string) {
    this.#model = new ModelFile(path);
    this.name = this.#model.name;
    this.dims = this.#model.dims;
    this.#sum = new Float64Array(this.dims);
    this.#counts = new Uint16Array(this.#model.count);
  }

  embed(text: string): Float32Array | undefined {
    this.#scanner.start(text);
    this.#sum.fill(0);
    this.#known = false;
    while (this.#sumWords(WINDOW_WORDS) === WINDOW_WORDS);
    return this.#unit();
  }

  /** The length of a text's sum of rows. Training made it small for words that say little: 0.5 for "several", 3.4 for "grpc". */
  strength(text: string): number {
    this.embed(text);
    return Math.sqrt(this.#sum.reduce((squares, value) => squares + value ** 2, 0));
  }

  /** Whether the model knows a word of the text; random letters split into meaningless pieces. */
  knows(text: string): boolean {
    this.embed(text);
    return this.#known;
  }

  /** The same for the text that was embedded last. */
  get knewWord(): boolean {
    return this.#known;
  }

  /** The vectors of a text's first windows. A window of only unknown words has none. */
  embedWindows(text: string, maxWindows: number): Float32Array[] {
    const vectors: Float32Array[] = [];
    this.#eachWindow(text, maxWindows, () => {
      const vector = this.#unit();
      if (vector) vectors.push(vector);
    });
    return vectors;
  }

  /** Adds the codes of a text's first windows to a buffer and returns their number. Allocates nothing else. */
  encode(text: string, maxWindows: number, into: CodeBuffer): number {
    const before = into.count;
    this.#eachWindow(text, maxWindows, () => into.add(this.#sum));
    return into.count - before;
  }

  /** Writes the rows and scales of a text's first pieces, as many as there is room for, and returns their number. */
  copyRows(text: string, rows: Int8Array, scales: Float32Array): number {
    const ids = this.#ids;
    const room = Math.min(scales.length, ids.length - MAX_PIECES_PER_WORD);
    let found = 0;
    this.#scanner.start(text);
    while (found < room && this.#scanner.next()) {
      found = cutWord(this.#model, this.#scanner.word, this.#scanner.length, ids, found);
    }
    const count = Math.min(found, room);
    this.#model.need(ids, count);
    for (let i = 0; i < count; i += 1) {
      const id = ids[i] ?? 0;
      rows.set(this.#model.rows.subarray(id * this.dims, (id + 1) * this.dims), i * this.dims);
      scales[i] = this.#model.scales[id] ?? 0;
    }
    return count;
  }

  /** Reads all rows now: for many texts, and before another thread uses the disk. */
  warm(): void {
    this.#model.readAll();
  }

  close(): void {
    this.#model.close();
  }

  #eachWindow(text: string, maxWindows: number, visit: () => void): void {
    this.#scanner.start(text);
    for (let window = 0; window < maxWindows; window += 1) {
      this.#sum.fill(0);
      const words = this.#sumWords(WINDOW_WORDS);
      if (words > 0) visit();
      if (words < WINDOW_WORDS) return;
    }
  }

  /** Adds the next words to the sum and returns their number. */
  #sumWords(maxWords: number): number {
    const { word } = this.#scanner;
    let words = 0;
    let ids = 0;
    while (words < maxWords && this.#scanner.next()) {
      const first = ids;
      ids = cutWord(this.#model, word, this.#scanner.length, this.#ids, ids);
      const pieces = ids - first;
      if (pieces === 1 || (pieces > 0 && this.#scanner.length / pieces >= MIN_PIECE_BYTES)) this.#known = true;
      words += 1;
    }
    this.#addPieces(ids);
    return words;
  }

  /** A third of a text's pieces are repetitions: each row is added once, multiplied by its count. */
  #addPieces(length: number): void {
    const ids = this.#ids;
    const weights = this.#weights;
    const kept = distinct(ids, length, this.#counts);
    for (let i = 0; i < kept; i += 1) {
      const id = ids[i] ?? 0;
      weights[i] = (this.#model.scales[id] ?? 0) * (this.#counts[id] ?? 0);
      this.#counts[id] = 0;
    }
    this.#model.need(ids, kept);
    addRows(this.#model, ids, weights, kept, this.#sum);
  }

  #unit(): Float32Array | undefined {
    const sum = this.#sum;
    let squares = 0;
    for (let i = 0; i < sum.length; i += 1) squares += (sum[i] ?? 0) ** 2;
    if (!(squares > 0 && squares < Number.POSITIVE_INFINITY)) return undefined;
    const length = Math.sqrt(squares);
    const vector = new Float32Array(sum.length);
    for (let i = 0; i < sum.length; i += 1) vector[i] = (sum[i] ?? 0) / length;
    return vector;
  }
}

/** Moves the distinct indexes to the front, in order of first appearance; `counts` gets the count of each. */
function distinct(ids: Int32Array, length: number, counts: Uint16Array): number {
  let kept = 0;
  for (let i = 0; i < length; i += 1) {
    const id = ids[i] ?? 0;
    const count = counts[id] ?? 0;
    counts[id] = count + 1;
    if (count === 0) ids[kept++] = id;
  }
  return kept;
}

/** Adds four rows per pass, so the sum is read and written a quarter as often. */
function addRows(
  { rows, dims }: ModelFile,
  ids: Int32Array,
  weights: Float64Array,
  length: number,
  sum: Float64Array,
): void {
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    const a = (ids[i] ?? 0) * dims;
    const b = (ids[i + 1] ?? 0) * dims;
    const c = (ids[i + 2] ?? 0) * dims;
    const d = (ids[i + 3] ?? 0) * dims;
    const ofA = weights[i] ?? 0;
    const ofB = weights[i + 1] ?? 0;
    const ofC = weights[i + 2] ?? 0;
    const ofD = weights[i + 3] ?? 0;
    for (let k = 0; k < dims; k += 1) {
      sum[k] =
        (sum[k] ?? 0) +
        (rows[a + k] ?? 0) * ofA +
        (rows[b + k] ?? 0) * ofB +
        (rows[c + k] ?? 0) * ofC +
        (rows[d + k] ?? 0) * ofD;
    }
  }
  for (; i < length; i += 1) {
    const at = (ids[i] ?? 0) * dims;
    const weight = weights[i] ?? 0;
    for (let k = 0; k < dims; k += 1) sum[k] = (sum[k] ?? 0) + (rows[at + k] ?? 0) * weight;
  }
}
