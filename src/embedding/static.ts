/**
 * The built-in model: the vector of a text is the sum of its pieces' rows. A row has 8-bit numbers and one scale; 64-bit
 * sums of them are exact, so the same text gives the same vector on every machine.
 */
import { MAX_PIECES_PER_WORD } from "../loops/embedder_loop.ts";
import { MAX_PART_CHARS, partsOf } from "../text/parts.ts";
import type { CodeBuffer } from "../vectors/quantise.ts";
import { ModelFile } from "./model_file.ts";
import { isBetweenWords } from "./words.ts";

/**
 * Longer texts are embedded in windows of this many words, because their vector would be vague; the best window counts.
 */
export const WINDOW_WORDS = 120;
/** Embedded windows of a text: about a thousand words. */
export const MAX_WINDOWS = 8;

/** A word whose pieces are shorter on average, such as random letters, is unknown to the model. */
const MIN_PIECE_BYTES = 3;
const MAX_IDS = WINDOW_WORDS * MAX_PIECES_PER_WORD;

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
  /** The parts of the text after the one whose words are read. */
  #parts: Iterator<string> | undefined;
  /** Whether the model knows one of the words since the start of `embed`. */
  #known = false;

  constructor(path: string) {
    this.#model = new ModelFile(path, MAX_IDS);
    this.name = this.#model.name;
    this.dims = this.#model.dims;
  }

  embed(text: string): Float32Array | undefined {
    this.#start(text);
    this.#sum.fill(0);
    this.#known = false;
    while (this.#sumWords(WINDOW_WORDS) === WINDOW_WORDS);
    return this.#unit();
  }

  /**
   * The length of the sum of a text's rows. Training made it small for words with little meaning: 0.5 for "several",
   * 3.4 for "grpc".
   */
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

  /** Adds the codes of a text's first windows to a buffer and returns their number. Allocates nothing else. */
  encode(text: string, maxWindows: number, into: CodeBuffer): number {
    const before = into.count;
    const { loop } = this.#model;
    this.#eachWindow(text, maxWindows, () => {
      const inverse = loop.run.quantise();
      into.add(loop.row, inverse);
    });
    return into.count - before;
  }

  /** Writes the rows and scales of a text's first pieces, as many as there is room for, and returns their number. */
  copyRows(text: string, rows: Int8Array, scales: Float32Array): number {
    const room = Math.min(scales.length, MAX_IDS - MAX_PIECES_PER_WORD);
    let count = 0;
    this.#start(text);
    do {
      const found = Math.min(this.#model.loop.run.cutAll(room - count), room - count);
      this.#model.need(found);
      const { ids } = this.#model.loop;
      for (let i = 0; i < found; i += 1, count += 1) {
        const id = ids[i] ?? 0;
        rows.set(this.#model.row(id), count * this.dims);
        scales[count] = this.#model.scale(id);
      }
    } while (count < room && this.#nextPart());
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
    this.#start(text);
    for (let window = 0; window < maxWindows; window += 1) {
      this.#sum.fill(0);
      const words = this.#sumWords(WINDOW_WORDS);
      if (words > 0) visit();
      if (words < WINDOW_WORDS) return;
    }
  }

  get #sum(): Float64Array {
    return this.#model.loop.sum;
  }

  #start(text: string): void {
    this.#parts = text.length > MAX_PART_CHARS ? partsOfText(text) : undefined;
    if (!this.#nextPart()) this.#model.loop.start(text);
  }

  /** False if the text has no other. */
  #nextPart(): boolean {
    const next = this.#parts?.next();
    if (!next || next.done) return false;
    this.#model.loop.start(next.value);
    return true;
  }

  /** Adds the next words to the sum and returns their number. */
  #sumWords(maxWords: number): number {
    const { run } = this.#model.loop;
    let words = 0;
    do {
      const pieces = run.cut(maxWords - words, MIN_PIECE_BYTES);
      words += run.wordsFound();
      if (run.wordsKnown() > 0) this.#known = true;
      this.#model.need(pieces);
      run.addRows(pieces);
    } while (words < maxWords && this.#nextPart());
    return words;
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

function* partsOfText(text: string): Generator<string> {
  for (const [from, to] of partsOf(text.length, (at) => text.charCodeAt(at), isBetweenWords))
    yield text.slice(from, to);
}
