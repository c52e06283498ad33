/**
 * Compares the order of a text's words with the query's: whether they are in the query's order, close to each other,
 * and in the form that was typed.
 */
import type { WrittenTerm } from "../../text/terms/forms.ts";
import { termCode, wordCode } from "../../text/terms/word_order.ts";

/** Two words are together if at most two others are between them. */
const MAX_DISTANCE = 3;
/** Words in one place: a line or two. */
const MAX_PLACE_WORDS = 16;

/** A word of the query. A rare one counts for more. */
export interface AskedWord extends WrittenTerm {
  rarity: number;
}

/** Each from 0 to 1. */
export interface Standing {
  /** The share of the query's neighbouring words that are together, in the query's order. */
  together: number;
  /** The share of its words that occur in one place. */
  near: number;
  /** The share of its words that occur in the form that was typed. */
  written: number;
}

/** The words of a query, prepared for comparison with many texts. */
export class WordComparison {
  /** By code of a term: its positions in the query. */
  readonly #places = new Map<number, number[]>();
  readonly #codes: readonly number[];
  readonly #rarities: readonly number[];
  /** All of them together; never 0. */
  readonly #rarity: number;
  /** By position in the query: where the text had the word last. */
  readonly #last: Int32Array;
  /** By position in the query: whether the word was found next to its neighbour, and whether in its form. */
  readonly #paired: Uint8Array;
  readonly #written: Uint8Array;

  constructor(words: readonly AskedWord[]) {
    this.#codes = words.map(wordCode);
    for (const [place, code] of this.#codes.entries()) {
      const term = termCode(code);
      this.#places.set(term, [...(this.#places.get(term) ?? []), place]);
    }
    this.#rarities = words.map(({ rarity }) => rarity);
    this.#rarity = this.#rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
    this.#last = new Int32Array(words.length);
    this.#paired = new Uint8Array(words.length);
    this.#written = new Uint8Array(words.length);
  }

  standingIn(order: Uint16Array): Standing {
    const last = this.#last.fill(-MAX_PLACE_WORDS - 1);
    const paired = this.#paired.fill(0);
    const written = this.#written.fill(0);
    let [pairs, nearest, inForm] = [0, 0, 0];
    for (let at = 0; at < order.length; at += 1) {
      const code = order[at] as number;
      const places = this.#places.get(termCode(code));
      if (!places) continue;
      for (const place of places) {
        last[place] = at;
        if (written[place] === 0 && code === this.#codes[place]) {
          written[place] = 1;
          inForm += this.#rarities[place] as number;
        }
        if (place === 0 || paired[place] === 1) continue;
        if (at - (last[place - 1] as number) > MAX_DISTANCE) continue;
        paired[place] = 1;
        pairs += 1;
      }
      nearest = Math.max(nearest, this.#rarityNear(at));
    }
    const neighbours = this.#codes.length - 1;
    return {
      together: neighbours < 1 ? 0 : pairs / neighbours,
      near: neighbours < 1 ? 0 : nearest / this.#rarity,
      written: inForm / this.#rarity,
    };
  }

  /** The total rarity of the words that occurred up to this position, within one place. */
  #rarityNear(at: number): number {
    let sum = 0;
    for (let place = 0; place < this.#last.length; place += 1) {
      if (at - (this.#last[place] as number) < MAX_PLACE_WORDS) sum += this.#rarities[place] as number;
    }
    return sum;
  }
}
