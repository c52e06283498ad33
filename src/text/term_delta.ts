/**
 * Passes an analyser's growing list of terms between threads without sending it whole each time: the sender posts only
 * the terms that are new, the receiver keeps a copy of the list.
 */
export interface TermDelta {
  /** Terms that the receiver does not have yet. */
  names: readonly string[];
  /** The analyser started a new list: the terms replace all earlier ones. */
  reset: boolean;
}

export class TermSender {
  #terms: readonly string[] = [];
  #sent = 0;

  delta(terms: readonly string[]): TermDelta {
    if (terms !== this.#terms) this.#sent = 0;
    const delta = { names: terms.slice(this.#sent), reset: this.#sent === 0 };
    this.#terms = terms;
    this.#sent = terms.length;
    return delta;
  }
}

export class TermReceiver {
  #terms: string[] = [];

  /** Returns the whole list. */
  receive({ names, reset }: TermDelta): readonly string[] {
    if (reset) this.#terms = [...names];
    else for (const name of names) this.#terms.push(name);
    return this.#terms;
  }
}
