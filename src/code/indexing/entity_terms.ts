/**
 * The search terms of a file's entities. Those of a body are marked, so that a word in a name and the same word in a body
 * are two terms, each with a rarity of its own, and a search decides which of them it wants (`answers/search.ts`).
 */
import { Analyser, type CountedTerms } from "../../text/terms/analyser.ts";
import { inBody } from "../body_terms.ts";

export class EntityTerms {
  readonly #analyser = new Analyser();
  /** The analyser's list that `names` was made from: it starts a new one when its cache is full. */
  #source: readonly string[] = this.#analyser.terms;
  /** Two names for each term of the analyser: as it is, and marked as a body's. */
  names: string[] = [];

  /** Adds a text to the current entity, with this weight for each of its terms. */
  add(text: string, weight: number): void {
    this.#analyser.add(text, weight);
  }

  /**
   * Returns the terms of the current entity and starts a new one. The length does not count the body, so a long function
   * matches its name as well as a short one.
   */
  finish(body: readonly string[], bodyWeight: number): CountedTerms {
    const own = this.#analyser.finish();
    for (const part of body) this.#analyser.add(part, bodyWeight);
    const inside = this.#analyser.finish();
    const terms = new Uint32Array(own.terms.length + inside.terms.length);
    for (let i = 0; i < own.terms.length; i += 2) {
      terms[i] = (own.terms[i] as number) * 2;
      terms[i + 1] = own.terms[i + 1] as number;
    }
    for (let i = 0, to = own.terms.length; i < inside.terms.length; i += 2, to += 2) {
      terms[to] = (inside.terms[i] as number) * 2 + 1;
      terms[to + 1] = inside.terms[i + 1] as number;
    }
    this.#nameAll();
    return { length: own.length, terms };
  }

  #nameAll(): void {
    const { terms } = this.#analyser;
    for (let number = this.names.length / 2; number < terms.length; number += 1) {
      const term = terms[number] as string;
      this.names.push(term, inBody(term));
    }
  }

  /** Between files: forgets the terms so far if there are too many. */
  trim(): void {
    this.#analyser.trim();
    if (this.#analyser.terms === this.#source) return;
    this.#source = this.#analyser.terms;
    this.names = [];
  }
}
