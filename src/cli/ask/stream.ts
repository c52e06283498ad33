/**
 * Shows a streamed answer at a terminal. `VerdictFilter` hides the model's own confidence line, the last line of the
 * answer: dex shows the computed confidence below it. A line is held back while it could still become that line.
 * `WordWrap` breaks lines between words.
 */
import { textWidth } from "../../rendering/terminal/width.ts";

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

/** Holds a word back until it is whole, and starts a new line for one that does not fit. Code and tables stay as they are. */
export class WordWrap {
  readonly #width: number;
  #column = 0;
  #line = "";
  #word = "";
  #space = "";
  #inCode = false;

  constructor(width: number) {
    this.#width = width;
  }

  shown(text: string): string {
    let shown = "";
    for (const character of text) {
      if (character !== "\n" && character !== " ") {
        this.#word += character;
        continue;
      }
      shown += this.rest();
      if (character === " ") {
        this.#space += character;
        continue;
      }
      if (/^\s*(?:```|~~~)/.test(this.#line)) this.#inCode = !this.#inCode;
      shown += `${this.#space}\n`;
      this.#column = 0;
      this.#line = "";
      this.#space = "";
    }
    return shown;
  }

  /** The word that is held back. */
  rest(): string {
    if (this.#word === "") return "";
    const width = textWidth(this.#space + this.#word);
    const isFixed = this.#inCode || /^\s*(?:\||```|~~~)/.test(this.#line + this.#space + this.#word);
    const breaks = !isFixed && this.#column > 0 && this.#column + width > this.#width;
    const shown = breaks ? `\n${this.#word}` : this.#space + this.#word;
    this.#column = breaks ? textWidth(this.#word) : this.#column + width;
    this.#line += this.#space + this.#word;
    this.#space = "";
    this.#word = "";
    return shown;
  }
}
