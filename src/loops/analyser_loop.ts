/**
 * The loop of the analyser as WebAssembly (source: wasm/analyser.ts) with its memory: the text, what is known of runs of
 * characters, and the weights of the current document.
 */
import { ANALYSER_CODE } from "./analyser_code.ts";
import { growFor, instantiate, Layout, MAX_PAGES, memoryFor, type WasmMemory } from "./platform.ts";

interface AnalyserFunctions {
  place(unitsAt: number, alphanumericAt: number, orderAt: number, maxOrdered: number): void;
  placeTable(at: number, bytes: number): void;
  placeWeights(weightsAt: number, touchedAt: number): void;
  touchedCount(): number;
  wordCount(): number;
  orderedCount(): number;
  begin(): void;
  count(term: number, weight: number): void;
  countName(start: number, end: number, weight: number): void;
  add(length: number, weight: number, isOrdered: boolean, withNames: boolean): void;
}

/** The rules for words, in JavaScript: the loop calls them for runs that it does not know. Positions are those in its units. */
export interface WordRules {
  learn(start: number, end: number, first: number, second: number, isForeign: number): number;
  learnName(start: number, end: number, first: number, second: number): number;
  countSeveral(meaning: number, weight: number): number;
  addCodes(entry: number, meaning: number, start: number, end: number, ordered: number): number;
  countNames(start: number, end: number, length: number, weight: number): number;
  countFlag(start: number, length: number, weight: number): void;
}

/** Numbers of an entry in the table: two hashes, the meaning, and `USED`, or `CODED` plus the code of the run. */
export const ENTRY = 4;
export const USED = 1;
export const CODED = 2;

const MAX_ASCII_CHARS = 256;
const FIRST_UNITS = 1 << 12;
const FIRST_TERMS = 1 << 12;
const FIRST_ENTRIES = 1 << 13;

export class AnalyserLoop {
  readonly run: AnalyserFunctions;
  units = new Uint16Array();
  table = new Int32Array();
  /** By term. */
  weights = new Uint32Array();
  /** The terms that have a weight. */
  touched = new Uint32Array();
  /** Codes of the current document's words. */
  order = new Uint16Array();
  #unitBytes: Buffer = Buffer.alloc(0);
  readonly #asciiBytes = Buffer.alloc(MAX_ASCII_CHARS);
  readonly #memory: WasmMemory;
  readonly #maxEntries: number;
  readonly #layout = new Layout();
  #unitsAt = 0;
  #unitCount = FIRST_UNITS;
  #tableAt = 0;
  #entries: number;
  #termsAt = 0;
  #terms = FIRST_TERMS;
  readonly #orderAt: number;
  readonly #maxOrdered: number;
  readonly #alphanumericAt: number;

  /** `maxEntries`: a power of two. `alphanumeric`: 1 for each code of a letter or digit of ASCII. */
  constructor(maxEntries: number, maxOrdered: number, alphanumeric: Uint8Array, rules: WordRules) {
    this.#maxEntries = maxEntries;
    this.#entries = Math.min(maxEntries, FIRST_ENTRIES);
    this.#maxOrdered = maxOrdered;
    this.#alphanumericAt = this.#layout.take(alphanumeric.length);
    this.#orderAt = this.#layout.take(maxOrdered * 2);
    this.#unitsAt = this.#layout.take(this.#unitCount * 2);
    this.#termsAt = this.#layout.take(this.#terms * 8);
    // Reserves the table's maximum size, so that it can grow in place: untouched memory costs nothing.
    this.#tableAt = this.#layout.take(maxEntries * ENTRY * 4);
    this.#memory = memoryFor(this.#layout, MAX_PAGES);
    this.run = instantiate(ANALYSER_CODE, { env: { memory: this.#memory }, analyser: rules });
    this.#place();
    new Uint8Array(this.#memory.buffer).set(alphanumeric, this.#alphanumericAt);
  }

  /** Writes the text to `units`. */
  write(text: string): void {
    this.#reserveUnits(text.length);
    this.#unitBytes.write(text, "utf16le");
  }

  writeUnits(units: Uint16Array): void {
    this.#reserveUnits(units.length);
    this.units.set(units);
  }

  /** A part of the written text as a string, with one byte per character if all of them are ASCII. */
  textAt(start: number, end: number): string {
    const { units } = this;
    const bytes = this.#asciiBytes;
    const length = end - start;
    if (length > bytes.length) return this.#unitBytes.toString("utf16le", start * 2, end * 2);
    for (let i = 0; i < length; i += 1) {
      const unit = units[start + i] as number;
      if (unit >= 128) return this.#unitBytes.toString("utf16le", start * 2, end * 2);
      bytes[i] = unit;
    }
    return bytes.toString("latin1", 0, length);
  }

  #reserveUnits(count: number): void {
    if (count <= this.#unitCount) return;
    this.#unitCount = 2 ** Math.ceil(Math.log2(count));
    this.#unitsAt = this.#layout.take(this.#unitCount * 2);
    this.#place();
  }

  /** Makes room for the weights of terms numbered below `count`. */
  reserveTerms(count: number): void {
    if (count <= this.#terms) return;
    const { weights, touched } = this;
    const before = this.#terms;
    this.#terms = before * 2;
    const [oldWeights, oldTouched] = [weights.byteOffset, touched.byteOffset];
    this.#termsAt = this.#layout.take(this.#terms * 8);
    this.#place();
    const { buffer } = this.#memory;
    this.weights.set(new Uint32Array(buffer, oldWeights, before));
    this.touched.set(new Uint32Array(buffer, oldTouched, before));
  }

  /** Doubles the table if it is half full. */
  reserveEntries(used: number): void {
    if (used * 2 < this.#entries || this.#entries === this.#maxEntries) return;
    const before = this.table.slice();
    this.table.fill(0);
    this.#entries *= 2;
    this.#place();
    for (let from = 0; from < before.length; from += ENTRY) {
      if (before[from + 3] === 0) continue;
      this.table.set(
        before.subarray(from, from + ENTRY),
        this.free(before[from] as number, before[from + 1] as number),
      );
    }
  }

  /** The position for a run with these hashes that is not in the table yet. */
  free(first: number, second: number): number {
    const { table } = this;
    const mask = table.length - 1;
    let at = ((first ^ (first >>> 15) ^ second) * ENTRY) & mask;
    while (table[at + 3] !== 0) at = (at + ENTRY) & mask;
    return at;
  }

  #place(): void {
    growFor(this.#layout, this.#memory);
    const { buffer } = this.#memory;
    this.units = new Uint16Array(buffer, this.#unitsAt, this.#unitCount);
    this.#unitBytes = Buffer.from(buffer, this.#unitsAt, this.#unitCount * 2);
    this.table = new Int32Array(buffer, this.#tableAt, this.#entries * ENTRY);
    this.weights = new Uint32Array(buffer, this.#termsAt, this.#terms);
    this.touched = new Uint32Array(buffer, this.#termsAt + this.#terms * 4, this.#terms);
    this.order = new Uint16Array(buffer, this.#orderAt, this.#maxOrdered);
    this.run.place(this.#unitsAt, this.#alphanumericAt, this.#orderAt, this.#maxOrdered);
    this.run.placeTable(this.#tableAt, this.#entries * ENTRY * 4);
    this.run.placeWeights(this.#termsAt, this.#termsAt + this.#terms * 4);
  }
}
