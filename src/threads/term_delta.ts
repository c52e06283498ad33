/**
 * The terms of an analyser across threads. An analyser numbers its terms in a list that grows with each text: a thread
 * sends only the terms that the other side does not have yet.
 */
export interface TermDelta {
  /** The terms after those that were sent before. */
  names: readonly string[];
  /** The analyser has begun a new list, and this is all of it. */
  anew: boolean;
}

export class TermSender {
  #list: readonly string[] = [];
  #sent = 0;

  /** The next delta of the list, which the caller must send. */
  next(list: readonly string[]): TermDelta {
    if (list !== this.#list) this.#sent = 0;
    const delta = { names: list.slice(this.#sent), anew: this.#sent === 0 };
    this.#list = list;
    this.#sent = list.length;
    return delta;
  }
}

export class TermReceiver {
  #list: string[] = [];

  /** The whole list. It grows with later deltas, until the analyser begins a new one. */
  add({ names, anew }: TermDelta): readonly string[] {
    if (anew) this.#list = [...names];
    else for (const name of names) this.#list.push(name);
    return this.#list;
  }
}
