/**
 * The order of a text's words. The index of terms knows which words a text has, not which of them stand together; this
 * keeps two bytes per word: a code of its term. Two terms may share a code, so an order proves nothing by itself. It is
 * evidence for ranking, of texts that have the terms.
 */
import { Analyser, SMALL_CAPACITY } from "./analyser.ts";

/** Words beyond this are left out: two bytes each are stored. */
export const MAX_ORDERED_WORDS = 1000;
/** Runs of characters whose codes are cached before the cache is cleared. */
const MAX_CACHED_RUNS = 1 << 16;
/** The characters between which the analyser separates. */
const RUN = /[A-Za-z0-9\u0080-\uffff]+/g;

/** Codes texts. An identifier gives the code of the whole, then those of the words inside it. */
export class WordOrder {
  readonly #analyser = new Analyser(SMALL_CAPACITY);
  readonly #codes = new Map<string, readonly number[]>();

  /** Undefined for a text of fewer than two words. */
  of(text: string): Uint16Array | undefined {
    const codes = new Uint16Array(MAX_ORDERED_WORDS);
    let count = 0;
    for (const [run] of text.matchAll(RUN)) {
      for (const code of this.#codesOf(run)) {
        if (count < MAX_ORDERED_WORDS) codes[count] = code;
        count += 1;
      }
      if (count >= MAX_ORDERED_WORDS) break;
    }
    return count < 2 ? undefined : codes.slice(0, Math.min(count, MAX_ORDERED_WORDS));
  }

  #codesOf(run: string): readonly number[] {
    const known = this.#codes.get(run);
    if (known) return known;
    if (this.#codes.size >= MAX_CACHED_RUNS) this.#codes.clear();
    this.#analyser.trim();
    const codes = this.#analyser.words(run).map(wordCode);
    this.#codes.set(run, codes);
    return codes;
  }
}

/** Two bytes of a term's FNV-1a hash. */
export function wordCode(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i += 1) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ hash) & 0xffff;
}
