/**
 * Splits text into the terms that are indexed and searched: lower-case words without accents, reduced to their stem;
 * camelCase identifiers and the words inside them; pairs of neighbouring CJK characters, because CJK text has no spaces.
 * Every character that is not a letter or digit separates terms, so paths, snake_case and versions split into parts. An
 * index for exact search has their names besides (`names.ts`).
 *
 * This runs over every byte that is synced, so the terms of each word are cached.
 */
import { asciiForms, foreignForms, stem, writtenTerms } from "./forms.ts";
import { ALPHANUMERIC, DOT, flagFrom, HYPHEN, namesFrom, UNDERSCORE } from "./names.ts";
import { unitsOf } from "./units.ts";
import { MAX_ORDERED_WORDS, wordCode } from "./word_order.ts";

/** How many runs of characters are cached before the cache is cleared: 16 MB then, and in proportion before. */
const DEFAULT_CAPACITY = 1 << 19;
const ENTRY = 4;
/** The last number of an entry: it is used, and if it has a code, this plus the code. */
const USED = 1;
const CODED = 2;
/** Enough for a query or a few messages. */
export const SMALL_CAPACITY: number = 1 << 12;

/** The hash of a name starts here: a name and a word with the same characters have different terms. */
const NAME_HASH = 0x811c9dc5 | 0;

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
  #table: Int32Array;
  readonly #capacity: number;
  readonly #withNames: boolean;
  #several: number[][] = [];
  /** The codes of the same runs; undefined until they are needed. */
  #severalCodes: (readonly number[] | undefined)[] = [];
  #remembered = 0;

  /** Weights of the current document by term, and which terms have one. */
  #weights = new Uint32Array(SMALL_CAPACITY);
  #touched = new Uint32Array(SMALL_CAPACITY);
  #touchedCount = 0;
  #length = 0;
  /** Codes of the current document's words, in their order. */
  readonly #order = new Uint16Array(MAX_ORDERED_WORDS);
  #ordered = 0;

  /**
   * `capacity` is a power of two. `withNames`: names are terms by themselves, besides their words. `isFullSize`: the table
   * does not grow, for texts that will fill it: the smaller tables before it would leave gaps in memory.
   */
  constructor(capacity: number = DEFAULT_CAPACITY, withNames = false, isFullSize = false) {
    this.#capacity = capacity;
    this.#withNames = withNames;
    this.#table = new Int32Array((isFullSize ? capacity : Math.min(capacity, SMALL_CAPACITY)) * 2 * ENTRY);
  }

  /**
   * Adds a text to the current document, with this weight for each of its terms. `isOrdered`: the order of its words is
   * part of the document's.
   */
  add(text: string, weight: number, isOrdered = false): void {
    const { length } = text;
    const units = unitsOf(text);
    let table = this.#table;
    let mask = table.length - 1;
    const withNames = this.#withNames;
    // Written out in one loop over local names: this is where a sync spends its time.
    let weights = this.#weights;
    let touched = this.#touched;
    let touchedCount = this.#touchedCount;
    const order = this.#order;
    let ordered = isOrdered ? this.#ordered : MAX_ORDERED_WORDS;
    let count = 0;
    let start = 0;
    let first = 0;
    let second = 0;
    let foreign = 0;
    // The names up to here are counted.
    let namedUntil = 0;
    const countName = (from: number, to: number): void => this.#countName(text, units, from, to, weight);
    for (let i = 0; i <= length; i += 1) {
      const code = i < length ? (units[i] as number) : 0;
      if (code >= 128 || ALPHANUMERIC[code] === 1) {
        foreign |= code & 0xff80;
        first = Math.imul(first ^ code, 0x01000193);
        second = (Math.imul(second, 31) + code) | 0;
        continue;
      }
      if (i > start) {
        let at = ((first ^ (first >>> 15) ^ second) * ENTRY) & mask;
        while (table[at + 3] !== 0 && (table[at] !== first || table[at + 1] !== second)) at = (at + ENTRY) & mask;
        let meaning = table[at + 2] as number;
        const isUnknown = table[at + 3] === 0;
        if (isUnknown) {
          meaning = this.#learn(at, text.slice(start, i), first, second, foreign !== 0);
          weights = this.#weights;
        }
        if (ordered < MAX_ORDERED_WORDS) {
          // An entry that was just learned may have moved with its table.
          const code = isUnknown ? USED : (table[at + 3] as number);
          if (code >= CODED) {
            order[ordered] = code - CODED;
            ordered += 1;
          } else ordered = this.#addCodes(isUnknown ? -1 : at, meaning, text, start, i, ordered);
        }
        if (isUnknown) {
          table = this.#table;
          mask = table.length - 1;
        }
        if (meaning >= 0) {
          if (weights[meaning] === 0) {
            if (touchedCount === touched.length) {
              touched = doubled(touched);
              this.#touched = touched;
            }
            touched[touchedCount] = meaning;
            touchedCount += 1;
          }
          weights[meaning] = (weights[meaning] as number) + weight;
          count += 1;
        } else {
          this.#touchedCount = touchedCount;
          count += this.#countSeveral(meaning, weight);
          touched = this.#touched;
          touchedCount = this.#touchedCount;
        }
        if (withNames) {
          const joins = (code === UNDERSCORE || code === DOT) && i >= namedUntil;
          const isFlag = start > 1 && units[start - 1] === HYPHEN && units[start - 2] === HYPHEN;
          if (joins || isFlag) {
            this.#touchedCount = touchedCount;
            if (joins) namedUntil = namesFrom(units, length, start, i, countName);
            if (isFlag) flagFrom(units, length, start, countName);
            weights = this.#weights;
            table = this.#table;
            mask = table.length - 1;
            touched = this.#touched;
            touchedCount = this.#touchedCount;
          }
        }
        first = 0;
        second = 0;
        foreign = 0;
      }
      start = i + 1;
    }
    this.#touchedCount = touchedCount;
    this.#length += count;
    if (isOrdered) this.#ordered = ordered;
  }

  /** Adds the codes of a run to the order and returns its new length. `at`: the run's entry in the table, or -1. */
  #addCodes(at: number, meaning: number, text: string, start: number, end: number, ordered: number): number {
    const known = meaning < 0 ? this.#severalCodes[-meaning - 1] : undefined;
    const codes = known ?? writtenTerms(text.slice(start, end)).map(wordCode);
    if (meaning < 0) this.#severalCodes[-meaning - 1] = codes;
    else if (at >= 0) this.#table[at + 3] = CODED + (codes[0] as number);
    const length = Math.min(MAX_ORDERED_WORDS, ordered + codes.length);
    for (let i = ordered; i < length; i += 1) this.#order[i] = codes[i - ordered] as number;
    return length;
  }

  /** The order of the current document's words: undefined for fewer than two. Called before `finish`. */
  order(): Uint16Array | undefined {
    return this.#ordered < 2 ? undefined : this.#order.slice(0, this.#ordered);
  }

  /** Returns the terms of the current document and starts a new one. */
  finish(): CountedTerms {
    const terms = new Uint32Array(this.#touchedCount * 2);
    for (let i = 0; i < this.#touchedCount; i += 1) {
      const term = this.#touched[i] as number;
      terms[i * 2] = term;
      terms[i * 2 + 1] = this.#weights[term] as number;
      this.#weights[term] = 0;
    }
    const length = this.#length;
    this.#touchedCount = 0;
    this.#length = 0;
    this.#ordered = 0;
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
    this.#table.fill(0);
    this.#several = [];
    this.#severalCodes = [];
    this.#remembered = 0;
  }

  /**
   * Computes the terms of a run and caches them in this slot of the table. Only one kind of array occurs here: V8 makes
   * this a part of `add`, and compiles all of it again for each new kind.
   */
  #learn(at: number, run: string, first: number, second: number, foreign: boolean): number {
    const forms = foreign ? foreignForms(run) : asciiForms(run);
    let meaning: number;
    if (forms.length === 1) meaning = this.#number(stem(forms[0] as string));
    else {
      const terms: number[] = [];
      for (const form of forms) terms.push(this.#number(stem(form)));
      this.#several.push(terms);
      meaning = -this.#several.length;
    }
    this.#remember(at, first, second, meaning);
    return meaning;
  }

  #remember(at: number, first: number, second: number, meaning: number): void {
    if (this.#remembered >= this.#capacity) return;
    const table = this.#table;
    table[at] = first;
    table[at + 1] = second;
    table[at + 2] = meaning;
    table[at + 3] = USED;
    this.#remembered += 1;
    const limit = this.#capacity * 2 * ENTRY;
    if (this.#remembered * 2 * ENTRY >= table.length && table.length < limit) this.#table = doubledTable(table);
  }

  #countSeveral(meaning: number, weight: number): number {
    const terms = this.#several[-meaning - 1] as number[];
    for (const term of terms) this.#count(term, weight);
    return terms.length;
  }

  /** A name is found by itself; the length of the text is that of its words. */
  #countName(text: string, units: Uint16Array, from: number, to: number, weight: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let first = NAME_HASH;
    let second = NAME_HASH;
    for (let i = from; i < to; i += 1) {
      const code = units[i] as number;
      first = Math.imul(first ^ code, 0x01000193);
      second = (Math.imul(second, 31) + code) | 0;
    }
    let at = ((first ^ (first >>> 15) ^ second) * ENTRY) & mask;
    while (table[at + 3] !== 0 && (table[at] !== first || table[at + 1] !== second)) at = (at + ENTRY) & mask;
    let term = table[at + 2] as number;
    if (table[at + 3] === 0) {
      term = this.#number(text.slice(from, to).toLowerCase());
      this.#remember(at, first, second, term);
    }
    this.#count(term, weight);
  }

  #count(term: number, weight: number): void {
    if (this.#weights[term] === 0) {
      if (this.#touchedCount === this.#touched.length) this.#touched = doubled(this.#touched);
      this.#touched[this.#touchedCount] = term;
      this.#touchedCount += 1;
    }
    this.#weights[term] = (this.#weights[term] as number) + weight;
  }

  #number(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.terms.length;
      this.terms.push(term);
      this.#numbers.set(term, number);
      if (number >= this.#weights.length) this.#weights = doubled(this.#weights);
    }
    return number;
  }
}

function doubledTable(table: Int32Array): Int32Array {
  const larger = new Int32Array(table.length * 2);
  const mask = larger.length - 1;
  for (let from = 0; from < table.length; from += ENTRY) {
    if (table[from + 3] === 0) continue;
    const first = table[from] as number;
    const second = table[from + 1] as number;
    let at = ((first ^ (first >>> 15) ^ second) * ENTRY) & mask;
    while (larger[at + 3] !== 0) at = (at + ENTRY) & mask;
    larger.set(table.subarray(from, from + ENTRY), at);
  }
  return larger;
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
