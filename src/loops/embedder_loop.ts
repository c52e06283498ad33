/**
 * The loops of the static model as WebAssembly (source: wasm/embedder.ts) with their memory: the model, the sum of its
 * rows, and the text, which may grow.
 */
import { EMBEDDER_CODE } from "./embedder_code.ts";
import { growFor, instantiate, Layout, MAX_PAGES, memoryFor, type WasmMemory } from "./platform.ts";

interface EmbedderFunctions {
  placeText(unitsAt: number, plainAt: number, kindsAt: number, wordAt: number, maxWordBytes: number): void;
  placePieces(
    tableAt: number,
    slots: number,
    endsAt: number,
    piecesAt: number,
    piecesLength: number,
    count: number,
  ): void;
  placeIds(idsAt: number, hashesAt: number, maxPieceLetters: number, maxPieces: number): void;
  placeRows(scalesAt: number, rowsAt: number, count: number): void;
  placeSum(
    idsAt: number,
    weightsAt: number,
    partsAt: number,
    countsAt: number,
    sumAt: number,
    rowAt: number,
    dims: number,
  ): void;
  findUnit(maxCount: number): void;
  start(length: number): void;
  decomposed(length: number): void;
  next(): number;
  cut(maxWords: number, minPieceBytes: number): number;
  cutAll(maxIds: number): number;
  wordsFound(): number;
  wordsKnown(): number;
  addRows(count: number): void;
  quantise(): number;
}

/** The rules for characters beyond ASCII, in JavaScript. */
export interface CharacterRules {
  /** Whether decomposing this UTF-16 unit could change the words. */
  isComposed(unit: number): boolean;
  /** Whether the text starts with a letter or digit of any script. */
  isWordCharacter(text: string): boolean;
}

export interface EmbedderSizes {
  modelBytes: number;
  /** Pieces in the model, and numbers in the row of each. */
  count: number;
  dims: number;
  /** The ids that fit into `ids`. */
  maxIds: number;
}

/** At most twelve pieces of 24 letters are used of a word. */
export const MAX_PIECES_PER_WORD = 12;
const MAX_PIECE_LETTERS = 24;
export const MAX_WORD_BYTES: number = MAX_PIECES_PER_WORD * MAX_PIECE_LETTERS;

const UNITS = 1 << 16;
const ASCII = 1 << 7;
const FIRST_UNITS = 1 << 13;
/** Of a UTF-16 unit: decomposing it does not change the words. */
const PLAIN = 1;

export class EmbedderLoop {
  readonly run: EmbedderFunctions;
  /** The image of the model's file. All views are replaced when a text is longer than any before it. */
  model = new Uint8Array();
  /** The address of the model. */
  readonly modelAt: number;
  /** The pieces that were found by the last cut. */
  ids = new Int32Array();
  sum = new Float64Array();
  /** The sum as 8-bit numbers, after `quantise`. */
  row = new Int8Array();
  /** The current word in lower case. */
  word = new Uint8Array();
  readonly #memory: WasmMemory;
  readonly #sizes: EmbedderSizes;
  readonly #rules: CharacterRules;
  readonly #plainAt: number;
  readonly #wordAt: number;
  readonly #idsAt: number;
  readonly #sumAt: number;
  readonly #rowAt: number;
  readonly #unitsAt: number;
  readonly #layout = new Layout();
  #unitCount = FIRST_UNITS;
  #units: Buffer = Buffer.alloc(0);
  #plain = new Uint8Array();
  #text = "";
  /** How many units were written. */
  #length = 0;

  constructor(sizes: EmbedderSizes, rules: CharacterRules) {
    this.#sizes = sizes;
    this.#rules = rules;
    const { modelBytes, count, dims, maxIds } = sizes;
    this.#plainAt = this.#layout.take(UNITS);
    this.#wordAt = this.#layout.take(MAX_WORD_BYTES);
    this.#idsAt = this.#layout.take(maxIds * 4);
    this.#sumAt = this.#layout.take(dims * 8);
    this.#rowAt = this.#layout.take(dims);
    const weightsAt = this.#layout.take(maxIds * 8);
    const kindsAt = this.#layout.take(ASCII);
    const partsAt = this.#layout.take(maxIds * 4);
    const countsAt = this.#layout.take(count * 2);
    const hashesAt = this.#layout.take(MAX_PIECE_LETTERS * 4);
    this.modelAt = this.#layout.take(modelBytes);
    // The last piece, because it may grow.
    this.#unitsAt = this.#layout.take(this.#unitCount * 2);
    this.#memory = memoryFor(this.#layout, MAX_PAGES);
    const asked = {
      lookClosely: (position: number) => this.#lookClosely(position),
      isWordCharacter: (position: number) => (rules.isWordCharacter(this.#characterAt(position)) ? 1 : 0),
    };
    this.run = instantiate(EMBEDDER_CODE, { env: { memory: this.#memory }, words: asked });
    this.run.placeText(this.#unitsAt, this.#plainAt, kindsAt, this.#wordAt, MAX_WORD_BYTES);
    this.run.placeIds(this.#idsAt, hashesAt, MAX_PIECE_LETTERS, MAX_PIECES_PER_WORD);
    this.run.placeSum(this.#idsAt, weightsAt, partsAt, countsAt, this.#sumAt, this.#rowAt, dims);
    this.#view();
  }

  /** From here on, words are those of this text. */
  start(text: string): void {
    this.#text = text;
    this.#write(text, 0);
    this.run.start(text.length);
  }

  #lookClosely(position: number): number {
    const unit = this.#text.charCodeAt(position);
    if (!this.#rules.isComposed(unit)) {
      this.#plain[unit] = PLAIN;
      return unit;
    }
    const rest = this.#text.slice(position).normalize("NFKD");
    this.#write(rest, position);
    this.run.decomposed(this.#length);
    return rest.charCodeAt(0);
  }

  #characterAt(position: number): string {
    return this.#units.toString("utf16le", position * 2, Math.min(position + 2, this.#length) * 2);
  }

  #write(text: string, from: number): void {
    this.#length = from + text.length;
    if (this.#length > this.#unitCount) {
      const before = this.#unitCount;
      this.#unitCount = 2 ** Math.ceil(Math.log2(this.#length));
      this.#layout.take((this.#unitCount - before) * 2);
      growFor(this.#layout, this.#memory);
      this.#view();
    }
    this.#units.write(text, from * 2, "utf16le");
  }

  #view(): void {
    const { buffer } = this.#memory;
    const { modelBytes, dims, maxIds } = this.#sizes;
    this.model = new Uint8Array(buffer, this.modelAt, modelBytes);
    this.ids = new Int32Array(buffer, this.#idsAt, maxIds);
    this.sum = new Float64Array(buffer, this.#sumAt, dims);
    this.row = new Int8Array(buffer, this.#rowAt, dims);
    this.word = new Uint8Array(buffer, this.#wordAt, MAX_WORD_BYTES);
    this.#plain = new Uint8Array(buffer, this.#plainAt, UNITS);
    this.#units = Buffer.from(buffer, this.#unitsAt, this.#unitCount * 2);
  }
}
