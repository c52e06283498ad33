/**
 * Hides the model's own confidence line, the last line of a streamed answer: dex shows the computed confidence below the
 * answer. A line is held back while it could still become that line.
 */
const VERDICT = "confidence:";

export class VerdictFilter {
  #line = "";
  #isHeld = true;

  /** The part of the text that can be shown now. */
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
