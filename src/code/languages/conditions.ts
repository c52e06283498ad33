/** Conditions of a build, in Go and C#: `(linux || darwin) && !cgo`. */

/** Callers limit the length of the text: each bracket is a call. */
export function conditionHolds(text: string, isDefined: (name: string) => boolean): boolean {
  return new Condition(text, isDefined).holds();
}

class Condition {
  readonly #tokens: readonly string[];
  readonly #isDefined: (name: string) => boolean;
  #at = 0;

  constructor(text: string, isDefined: (name: string) => boolean) {
    this.#isDefined = isDefined;
    this.#tokens = text.match(/&&|\|\||[!()]|[\w.]+/g) ?? [];
  }

  holds(): boolean {
    let value = this.#all();
    while (this.#take("||")) value = this.#all() || value;
    return value;
  }

  #all(): boolean {
    let value = this.#one();
    while (this.#take("&&")) value = this.#one() && value;
    return value;
  }

  #one(): boolean {
    if (this.#take("!")) return !this.#one();
    if (!this.#take("(")) {
      this.#at += 1;
      return this.#isDefined(this.#tokens[this.#at - 1] ?? "");
    }
    const value = this.holds();
    this.#take(")");
    return value;
  }

  #take(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token;
    if (isNext) this.#at += 1;
    return isNext;
  }
}
