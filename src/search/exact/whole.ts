/**
 * Finds a text as typed in a longer one: with its case, runs of white space being equal, and with no letter, digit or
 * underscore directly before or after it. So `getUser` is not in `getUserById`, but in `x.getUser()`.
 */
import { spellings } from "../../kernel/text.ts";

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
const ASCII_WORD = /[A-Za-z0-9_]/;

export class WholeMatcher {
  readonly #pattern: RegExp;
  readonly #startsWord: boolean;
  readonly #endsWord: boolean;
  readonly #raw: RegExp | undefined;

  constructor({ text, anyCase }: Pick<Whole, "text" | "anyCase">) {
    const trimmed = text.normalize("NFC").trim();
    const pieces = trimmed.split(/\s+/);
    this.#startsWord = isWordly(trimmed.codePointAt(0));
    this.#endsWord = isWordly(lastCodePoint(trimmed));
    this.#pattern = new RegExp(
      pieces.map((piece) => RegExp.escape(piece)).join(String.raw`\s+`),
      anyCase ? "giu" : "g",
    );
    // Case is folded byte by byte there, which is right for ASCII alone.
    if (anyCase && /[^\0-\x7f]/.test(text)) return;
    this.#raw = new RegExp(pieces.map(rawPattern).join(RAW_GAP), anyCase ? "i" : "");
  }

  /** Whether the text contains it. */
  isIn(text: string): boolean {
    return this.find(text) !== undefined;
  }

  /** Where the text contains it first. */
  find(given: string): { from: number; to: number } | undefined {
    const text = given.normalize("NFC");
    this.#pattern.lastIndex = 0;
    for (let match = this.#pattern.exec(text); match; match = this.#pattern.exec(text)) {
      const after = match.index + match[0].length;
      const isWhole =
        !(this.#startsWord && isWordly(lastCodePoint(text.slice(Math.max(0, match.index - 2), match.index)))) &&
        !(this.#endsWord && isWordly(text.codePointAt(after)));
      if (isWhole) return { from: match.index, to: after };
      this.#pattern.lastIndex = match.index + 1;
    }
    return undefined;
  }

  /** False only if no text of the archived line, read as Latin-1, can contain it. */
  mayBeIn(line: string): boolean {
    return this.#raw?.test(line) ?? true;
  }
}

/** The archived line may have decomposed letters. */
function rawPattern(piece: string): string {
  return `(?:${spellings(piece)
    .map((each) => RegExp.escape(rawPiece(each)))
    .join("|")})`;
}

function rawPiece(piece: string): string {
  return Buffer.from(JSON.stringify(piece).slice(1, -1), "utf8").toString("latin1");
}

function lastCodePoint(text: string): number | undefined {
  return [...text].at(-1)?.codePointAt(0);
}

/** Scripts without spaces have no whole words: a text may begin and end anywhere among their letters. */
function isWordly(code: number | undefined): boolean {
  if (code === undefined) return false;
  const character = String.fromCodePoint(code);
  if (code < 128) return ASCII_WORD.test(character);
  return (
    /[\p{L}\p{N}]/u.test(character) &&
    !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]/u.test(
      character,
    )
  );
}
