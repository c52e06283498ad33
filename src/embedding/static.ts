/**
 * The built-in model: the vector of a text is the sum of its pieces' rows. A row is 8-bit numbers and one scale, which
 * a 64-bit sum holds without rounding, so the same text gives the same vector on every machine.
 */

import type { CodeBuffer } from "../vectors/quantise.ts";
import { ModelFile } from "./model_file.ts";
import { cutWord, MAX_PIECES_PER_WORD } from "./pieces.ts";
import { WordScanner } from "./words.ts";

/** Longer texts blur: they are embedded by windows of this many words, and the best window counts. */
export const WINDOW_WORDS = 120;

/** A word that falls into shorter pieces on average, as a row of keys does, means nothing to the model. */
const LEAST_PIECE_BYTES = 3;

export interface Embedder {
  readonly name: string;
  readonly dims: number;
  /** The unit vector of a whole text; undefined when the model knows nothing of it. */
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
  /** Whether one of the words since `embed` began means something to the model. */
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

  /** Whether the text has a word that means something to the model: a row of keys falls into pieces that mean nothing. */
  knows(text: string): boolean {
    this.embed(text);
    return this.#known;
  }

  /** The vectors of a text's first windows. A window of unknown words alone has none. */
  embedWindows(text: string, most: number): Float32Array[] {
    const vectors: Float32Array[] = [];
    this.#eachWindow(text, most, () => {
      const vector = this.#unit();
      if (vector) vectors.push(vector);
    });
    return vectors;
  }

  /** Adds the codes of a text's first windows to a buffer and returns how many were added. Allocates nothing else. */
  encode(text: string, most: number, into: CodeBuffer): number {
    const before = into.count;
    this.#eachWindow(text, most, () => into.add(this.#sum));
    return into.count - before;
  }

  /** Reads all rows now: for many texts, and before another thread is busy with the disk. */
  warm(): void {
    this.#model.readAll();
  }

  /** A model that is used no more. */
  close(): void {
    this.#model.close();
  }

  #eachWindow(text: string, most: number, visit: () => void): void {
    this.#scanner.start(text);
    for (let window = 0; window < most; window += 1) {
      this.#sum.fill(0);
      const words = this.#sumWords(WINDOW_WORDS);
      if (words > 0) visit();
      if (words < WINDOW_WORDS) return;
    }
  }

  /** Adds the next words to the sum and returns how many there were. */
  #sumWords(most: number): number {
    const { word } = this.#scanner;
    let words = 0;
    let ids = 0;
    while (words < most && this.#scanner.next()) {
      const first = ids;
      ids = cutWord(this.#model, word, this.#scanner.length, this.#ids, ids);
      const pieces = ids - first;
      if (pieces === 1 || (pieces > 0 && this.#scanner.length / pieces >= LEAST_PIECE_BYTES)) this.#known = true;
      words += 1;
    }
    this.#addPieces(ids);
    return words;
  }

  /** A third of a text's pieces are repeats: each row is added once, times how often it is there. */
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

/** The distinct indexes move to the front, in order of first appearance; `counts` says how often each was there. */
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

/** Four rows in one pass: the sum is read and written a quarter as often. */
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
