/**
 * The order of a text's words. The index of terms knows which words a text has, not which of them stand together, nor in
 * which form; this keeps two bytes per word: a code of its term and of its form. Two words may share a code, so an order
 * proves nothing by itself. It is evidence for ranking, of texts that have the terms.
 */
import { type WrittenTerm, writtenTerms } from "./forms.ts";

/** Words beyond this are left out: two bytes each are stored. */
export const MAX_ORDERED_WORDS = 1000;
/** Runs of characters whose codes are cached before the cache is cleared. */
const MAX_CACHED_RUNS = 1 << 16;
/** The characters between which the analyser separates. */
const RUN = /[A-Za-z0-9\u0080-\uffff]+/g;
/** A history contains few words with the same stem: two bits distinguish most of their forms. */
const FORM_BITS = 2;

/** Codes texts. An identifier gives the code of the whole, then those of the words inside it. */
export class WordOrder {
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
    const codes = writtenTerms(run).map(wordCode);
    this.#codes.set(run, codes);
    return codes;
  }
}

/** Fourteen bits of the term, then two of its form. */
export function wordCode({ term, form }: WrittenTerm): number {
  const ofForm = hashOf(form) & ((1 << FORM_BITS) - 1);
  return ((hashOf(term) << FORM_BITS) & 0xffff) | ofForm;
}

/** The part of a word's code that all forms of its term share. */
export function termCode(code: number): number {
  return code >>> FORM_BITS;
}

/** Two bytes of an FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ hash) & 0xffff;
}
