/** Which of a question's words stand together in a text, in the question's order. */
import { wordCode } from "../../text/word_order.ts";

/** Two words stand together when at most two others are between them. */
const MAX_DISTANCE = 3;

/** The terms of a question, prepared for comparison with many texts. */
export class WordPairs {
  /** By code, the places in the question where it occurs. */
  readonly #places = new Map<number, number[]>();
  readonly #count: number;
  /** By place in the question, where in the text it was seen last. */
  readonly #last: Int32Array;
  readonly #found: Uint8Array;

  constructor(terms: readonly string[]) {
    for (const [place, term] of terms.entries()) {
      const code = wordCode(term);
      this.#places.set(code, [...(this.#places.get(code) ?? []), place]);
    }
    this.#count = terms.length;
    this.#last = new Int32Array(terms.length);
    this.#found = new Uint8Array(terms.length);
  }

  /** The share of neighbouring words of the question that stand together in the text: 0 to 1. */
  shareIn(order: Uint16Array): number {
    if (this.#count < 2) return 0;
    this.#last.fill(-MAX_DISTANCE - 1);
    this.#found.fill(0);
    let pairs = 0;
    for (let at = 0; at < order.length; at += 1) {
      const places = this.#places.get(order[at] as number);
      if (!places) continue;
      for (const place of places) {
        this.#last[place] = at;
        if (place === 0 || this.#found[place] === 1) continue;
        if (at - (this.#last[place - 1] as number) > MAX_DISTANCE) continue;
        this.#found[place] = 1;
        pairs += 1;
      }
    }
    return pairs / (this.#count - 1);
  }
}
