/**
 * Finds a typed text in a longer one: with its case, any run of white space matching any other, and no letter, digit or
 * underscore directly before or after it. So `getUser` matches in `x.getUser()`, but not in `getUserById`.
 */
import { spellings } from "../../kernel/text.ts";

/** A text that must occur whole. */
export interface Whole {
  text: string;
  /** Terms of the index that every text containing it has. */
  terms: readonly string[];
  /** Whether case is ignored. */
  anyCase: boolean;
}

/** The gap between two words in an archived line: characters other than visible ASCII ones, or escaped white space. */
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
    // In Latin-1, case is folded byte by byte, which is correct for ASCII alone.
    if (anyCase && /[^\0-\x7f]/.test(text)) return;
    this.#raw = new RegExp(pieces.map(rawPattern).join(RAW_GAP), anyCase ? "i" : "");
  }

  /** Whether the text contains it. */
  isIn(text: string): boolean {
    return this.find(text) !== undefined;
  }

  /** The first place where the text contains it. */
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

  /** False only if no text of the archived line, decoded as Latin-1, can contain it. */
  mayBeIn(line: string): boolean {
    return this.#raw?.test(line) ?? true;
  }
}

/** The archived line may have decomposed characters. */
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
