/**
 * Finds a text as typed in a longer one: with its case, runs of white space being equal, and with no letter, digit or
 * underscore directly before or after it. So `getUser` is not in `getUserById`, but in `x.getUser()`.
 */

/** A text that is to be found whole. */
export interface Whole {
  text: string;
  /** The terms of the index that every text with it has. */
  terms: readonly string[];
  /** Whether capital and small letters are the same. */
  anyCase: boolean;
}

/** Between two words in an archived line: anything that is not a visible ASCII character, or an escaped white space. */
const RAW_GAP = String.raw`(?:[^!-~]|\\[nrtfvb]|\\u[0-9a-f]{4})+`;
/** Scripts without spaces have no whole words: a text may begin and end anywhere among them. */
const SPACELESS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc`;
const WORDLY_CLASS = String.raw`[[\p{L}\p{N}_]--[${SPACELESS}]]`;
const STARTS_WORD = new RegExp(`^${WORDLY_CLASS}`, "v");
const ENDS_WORD = new RegExp(`${WORDLY_CLASS}$`, "v");

export class WholeMatcher {
  readonly #pattern: RegExp;
  readonly #raw: RegExp | undefined;

  constructor({ text, anyCase }: Pick<Whole, "text" | "anyCase">) {
    const pieces = text.normalize("NFC").split(/\s+/).filter(Boolean);
    const first = STARTS_WORD.test(text.trim()) ? `(?<!${WORDLY_CLASS})` : "";
    const last = ENDS_WORD.test(text.trim()) ? `(?!${WORDLY_CLASS})` : "";
    this.#pattern = new RegExp(
      first + pieces.map((piece) => RegExp.escape(piece)).join(String.raw`\s+`) + last,
      anyCase ? "iv" : "v",
    );
    // Case is folded byte by byte there, which is right for ASCII alone.
    if (anyCase && /[^\0-\x7f]/.test(text)) return;
    this.#raw = new RegExp(pieces.map((piece) => RegExp.escape(rawPiece(piece))).join(RAW_GAP), anyCase ? "i" : "");
  }

  /** Whether the text contains it. */
  isIn(text: string): boolean {
    return this.#pattern.test(text);
  }

  /** False only if no text of the archived line, read as Latin-1, can contain it. */
  mayBeIn(line: string): boolean {
    return this.#raw?.test(line) ?? true;
  }
}

function rawPiece(piece: string): string {
  return Buffer.from(JSON.stringify(piece).slice(1, -1), "utf8").toString("latin1");
}
