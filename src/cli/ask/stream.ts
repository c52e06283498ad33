/**
 * A streamed answer without its last line, the model's word on itself: what holds is computed and shown below it. The
 * beginning of a line is held back as long as it could become that word.
 */
const VERDICT = "confidence:";

export class VerdictFilter {
  #line = "";
  #isHeld = true;

  /** What may be shown of the text so far. */
  shown(text: string): string {
    let shown = "";
    for (const character of text) {
      if (character === "\n") {
        if (!this.#isVerdict()) shown += this.#isHeld ? `${this.#line}\n` : "\n";
        this.#line = "";
        this.#isHeld = true;
        continue;
      }
      this.#line += character;
      if (!this.#isHeld) {
        shown += character;
        continue;
      }
      if (this.#couldBeVerdict()) continue;
      shown += this.#line;
      this.#isHeld = false;
    }
    return shown;
  }

  #plain(): string {
    return this.#line.replace(/[\s*_]/g, "").toLowerCase();
  }

  #couldBeVerdict(): boolean {
    const plain = this.#plain();
    return VERDICT.startsWith(plain) || plain.startsWith(VERDICT);
  }

  #isVerdict(): boolean {
    return this.#isHeld && this.#plain().startsWith(VERDICT);
  }
}
