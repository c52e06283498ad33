/**
 * Splits text into the terms that are indexed and searched: lower-case words without accents, reduced to their stem;
 * camelCase identifiers and the words inside them; pairs of neighbouring CJK characters, because CJK text has no spaces.
 * Every character that is not a letter or digit separates terms, so paths, snake_case and versions split into parts. An
 * index for exact search has their names besides (`names.ts`).
 *
 * This runs over every character that is synced, so the terms of each word are cached, and the loop is WebAssembly.
 */
import { AnalyserLoop, CODED, ENTRY, USED } from "../../loops/analyser_loop.ts";
import { MAX_PART_CHARS, partsOf } from "../parts.ts";
import { asciiForms, foreignForms, stem, writtenTerms } from "./forms.ts";
import { ALPHANUMERIC, DOT, type FoundName, flagFrom, HYPHEN, namesFrom, UNDERSCORE } from "./names.ts";
import { MAX_ORDERED_WORDS, wordCode } from "./word_order.ts";

/** The number of runs of characters that are cached before the cache is cleared. It then takes 16 MB. */
const DEFAULT_CAPACITY = 1 << 19;
/** Enough for a query or a few messages. */
export const SMALL_CAPACITY: number = 1 << 12;

export interface CountedTerms {
  /** How many terms the texts have. */
  length: number;
  /** Alternating: the number of a term, then its weight. */
  terms: Uint32Array;
}

export class Analyser {
  /** Every term so far; its index is its number. A new list when the cache is cleared. */
  terms: string[] = [];
  #numbers = new Map<string, number>();

  /**
   * The terms of a run of characters, by two 32-bit hashes, so that a lookup creates no string. A collision of both
   * hashes is too unlikely to matter. An open hash table with four numbers per entry, so that a lookup touches one cache
   * line: both hashes, the meaning, and `USED` or more if the entry is used. The meaning is the number of a term, or, if
   * negative, an index into `#several`. A last number of at least `CODED` is `CODED` plus the run's code in an order.
   */
  #made: AnalyserLoop | undefined;
  readonly #capacity: number;
  readonly #withNames: boolean;
  #several: number[][] = [];
  /** The codes of the same runs; undefined until they are needed. */
  #severalCodes: (readonly number[] | undefined)[] = [];
  #remembered = 0;
  /** The text in the loop; undefined if it was given as units. */
  #text: string | undefined = "";

  /** `capacity` is a power of two. `withNames`: names are terms by themselves, besides their words. */
  constructor(capacity: number = DEFAULT_CAPACITY, withNames = false) {
    this.#capacity = capacity;
    this.#withNames = withNames;
  }

  /** Made for the first text: many analysers never get one. */
  get #loop(): AnalyserLoop {
    this.#made ??= this.#make();
    return this.#made;
  }

  #make(): AnalyserLoop {
    let weight = 0;
    const found: FoundName = (from, to) => this.#loop.run.countName(from, to, weight);
    return new AnalyserLoop(this.#capacity * 2, MAX_ORDERED_WORDS, ALPHANUMERIC, {
      learn: (start, end, first, second, isForeign) =>
        this.#learn(this.#run(start, end), first, second, isForeign !== 0),
      learnName: (start, end, first, second) =>
        this.#remember(first, second, this.#number(this.#run(start, end).toLowerCase())),
      countSeveral: (meaning, each) => this.#countSeveral(meaning, each),
      addCodes: (entry, meaning, start, end, ordered) => this.#addCodes(entry, meaning, this.#run(start, end), ordered),
      countNames: (start, end, length, each) => {
        weight = each;
        return namesFrom(this.#loop.units, length, start, end, found);
      },
      countFlag: (start, length, each) => {
        weight = each;
        flagFrom(this.#loop.units, length, start, found);
      },
    });
  }

  /**
   * Adds a text to the current document, with this weight for each of its terms. `isOrdered`: the order of its words is
   * part of the document's.
   */
  add(text: string, weight: number, isOrdered = false): void {
    if (text.length <= MAX_PART_CHARS) {
      this.#add(text, weight, isOrdered);
      return;
    }
    for (const [from, to] of partsOf(text.length, (at) => text.charCodeAt(at), isOutside))
      this.#add(text.slice(from, to), weight, isOrdered);
  }

  /** The same for a text that is given as its UTF-16 units. */
  addUnits(units: Uint16Array, weight: number, isOrdered: boolean): void {
    if (units.length <= MAX_PART_CHARS) {
      this.#addUnits(units, weight, isOrdered);
      return;
    }
    for (const [from, to] of partsOf(units.length, (at) => units[at] as number, isOutside))
      this.#addUnits(units.subarray(from, to), weight, isOrdered);
  }

  #add(text: string, weight: number, isOrdered: boolean): void {
    this.#text = text;
    this.#loop.write(text);
    this.#loop.run.add(text.length, weight, isOrdered, this.#withNames);
  }

  #addUnits(units: Uint16Array, weight: number, isOrdered: boolean): void {
    this.#text = undefined;
    this.#loop.writeUnits(units);
    this.#loop.run.add(units.length, weight, isOrdered, this.#withNames);
  }

  /** A run of the text in the loop. */
  #run(start: number, end: number): string {
    return this.#text === undefined ? this.#loop.textAt(start, end) : this.#text.slice(start, end);
  }

  /** Adds the codes of a run to the order and returns its new length. `entry`: of the run in the table, or -1. */
  #addCodes(entry: number, meaning: number, run: string, ordered: number): number {
    const known = meaning < 0 ? this.#severalCodes[-meaning - 1] : undefined;
    const codes = known ?? writtenTerms(run).map(wordCode);
    const { order, table } = this.#loop;
    if (meaning < 0) this.#severalCodes[-meaning - 1] = codes;
    else if (entry >= 0) table[entry * ENTRY + 3] = CODED + (codes[0] as number);
    const length = Math.min(MAX_ORDERED_WORDS, ordered + codes.length);
    for (let i = ordered; i < length; i += 1) order[i] = codes[i - ordered] as number;
    return length;
  }

  /** The order of the current document's words: undefined for fewer than two. Called before `finish`. */
  order(): Uint16Array | undefined {
    const count = this.#loop.run.orderedCount();
    return count < 2 ? undefined : this.#loop.order.slice(0, count);
  }

  /** Returns the terms of the current document and starts a new one. */
  finish(): CountedTerms {
    const { run, touched, weights } = this.#loop;
    const count = run.touchedCount();
    const terms = new Uint32Array(count * 2);
    for (let i = 0; i < count; i += 1) {
      const term = touched[i] as number;
      terms[i * 2] = term;
      terms[i * 2 + 1] = weights[term] as number;
      weights[term] = 0;
    }
    const length = run.wordCount();
    run.begin();
    return { length, terms };
  }

  /** The terms of a short text, each once. */
  words(text: string): string[] {
    this.add(text, 1);
    const { terms } = this.finish();
    return Array.from({ length: terms.length / 2 }, (_, i) => this.terms[terms[i * 2] as number] as string);
  }

  /** Clears the cache when it is nearly full. Earlier numbers belong to the old list. */
  trim(): void {
    if (this.#remembered < this.#capacity * 0.9) return;
    this.terms = [];
    this.#numbers = new Map();
    this.#loop.table.fill(0);
    this.#several = [];
    this.#severalCodes = [];
    this.#remembered = 0;
  }

  /** Computes the terms of a run and caches them. */
  #learn(run: string, first: number, second: number, foreign: boolean): number {
    const forms = foreign ? foreignForms(run) : asciiForms(run);
    if (forms.length === 1) return this.#remember(first, second, this.#number(stem(forms[0] as string)));
    const terms: number[] = [];
    for (const form of forms) terms.push(this.#number(stem(form)));
    this.#several.push(terms);
    return this.#remember(first, second, -this.#several.length);
  }

  /** Returns the meaning. */
  #remember(first: number, second: number, meaning: number): number {
    if (this.#remembered >= this.#capacity) return meaning;
    const { table } = this.#loop;
    const at = this.#loop.free(first, second);
    table[at] = first;
    table[at + 1] = second;
    table[at + 2] = meaning;
    table[at + 3] = USED;
    this.#remembered += 1;
    this.#loop.reserveEntries(this.#remembered);
    return meaning;
  }

  #countSeveral(meaning: number, weight: number): number {
    const terms = this.#several[-meaning - 1] as number[];
    for (const term of terms) this.#loop.run.count(term, weight);
    return terms.length;
  }

  #number(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.terms.length;
      this.terms.push(term);
      this.#numbers.set(term, number);
      this.#loop.reserveTerms(this.terms.length);
    }
    return number;
  }
}

/** Whether a part of a long text may end after this unit: neither a word nor a name is cut. */
function isOutside(unit: number): boolean {
  return unit < 128 && ALPHANUMERIC[unit] !== 1 && unit !== DOT && unit !== UNDERSCORE && unit !== HYPHEN;
}
