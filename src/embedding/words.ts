/**
 * Splits a text into words for the model: runs of ASCII letters or of digits, split inside camelCase, lower-case, without
 * accents and contractions ("don't" gives "don"). One pass over character codes without creating strings, because a sync
 * reads every word of every message this way.
 */
import { patternFor } from "../text/patterns.ts";

/** At most twelve pieces of 24 letters are used of a word. */
export const MAX_WORD_BYTES = 288;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const APOSTROPHE = 0x27;
const CURLY = 0x2019;
const UNDERSCORE = 0x5f;

const KIND = new Uint8Array(128);
KIND.fill(DIGIT, 0x30, 0x3a);
KIND.fill(UPPER, 0x41, 0x5b);
KIND.fill(LOWER, 0x61, 0x7b);

export class WordScanner {
  /** The current word in lower case; only the first `length` bytes are valid. */
  readonly word = new Uint8Array(MAX_WORD_BYTES);
  length = 0;
  #text = "";
  #at = 0;
  #end = 0;
  #decomposed = false;

  start(text: string): void {
    this.#text = text;
    this.#at = 0;
    this.#end = text.length;
    this.#decomposed = false;
  }

  /** Advances to the next word; false at the end of the text. */
  next(): boolean {
    while (this.#at < this.#end) {
      const code = this.#code(this.#at);
      const kind = code < 128 ? KIND[code] : OTHER;
      if (kind === OTHER) {
        this.#at += 1;
        continue;
      }
      const start = this.#at;
      this.word[0] = code | 0x20;
      this.length = 1;
      if (kind === DIGIT) {
        this.#digits();
        return true;
      }
      const split = this.#letters(kind === UPPER);
      if (!this.#isContraction(start, split)) return true;
    }
    this.#text = "";
    return false;
  }

  #digits(): void {
    let at = this.#at + 1;
    for (; at < this.#end; at += 1) {
      const code = this.#code(at);
      if (code >= 128 || KIND[code] !== DIGIT) break;
      if (this.length < MAX_WORD_BYTES) this.word[this.length++] = code;
    }
    this.#at = at;
  }

  /** True if the word ends at a change of case, not at its last letter. */
  #letters(upper: boolean): boolean {
    let wasUpper = upper;
    let at = this.#at + 1;
    for (; at < this.#end; at += 1) {
      const code = this.#code(at);
      if (code >= 128) break;
      const kind = KIND[code];
      if (kind === UPPER) {
        // `userName` ends after `user`; `HTTPServer` ends after `HTTP`.
        if (!wasUpper || this.#isLower(at + 1)) {
          this.#at = at;
          return true;
        }
      } else if (kind !== LOWER) break;
      wasUpper = kind === UPPER;
      if (this.length < MAX_WORD_BYTES) this.word[this.length++] = code | 0x20;
    }
    this.#at = at;
    return false;
  }

  #isLower(at: number): boolean {
    if (at >= this.#end) return false;
    const code = this.#code(at);
    return code < 128 && KIND[code] === LOWER;
  }

  #isContraction(start: number, split: boolean): boolean {
    if (start === 0 || this.length > 2) return false;
    const before = this.#text.charCodeAt(start - 1);
    if (before !== APOSTROPHE && before !== CURLY) return false;
    if (!isEnding(this.word[0] ?? 0, this.length === 2 ? (this.word[1] ?? 0) : 0)) return false;
    if (split || this.#at >= this.#end) return true;
    const code = this.#code(this.#at);
    if (code < 128) return KIND[code] === OTHER && code !== UNDERSCORE;
    return !isWordCharacter(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
  }

  /** The character code at an offset. At the first composed character, the rest of the text is decomposed. */
  #code(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code < 128 || this.#decomposed || !isComposed(code)) return code;
    this.#text = this.#text.slice(0, at) + this.#text.slice(at).normalize("NFKD");
    this.#end = this.#text.length;
    this.#decomposed = true;
    return this.#text.charCodeAt(at);
  }
}

/** The words of a text as strings. */
export function wordsOf(text: string): string[] {
  const scanner = new WordScanner();
  const words: string[] = [];
  scanner.start(text);
  while (scanner.next()) words.push(String.fromCharCode(...scanner.word.subarray(0, scanner.length)));
  return words;
}

/** s, t, d, m, re, ve, ll: the endings of contractions. */
function isEnding(first: number, second: number): boolean {
  if (second === 0) return first === 0x73 || first === 0x74 || first === 0x64 || first === 0x6d;
  if (second === 0x65) return first === 0x72 || first === 0x76;
  return first === 0x6c && second === 0x6c;
}

const UNKNOWN = 0;
const PLAIN = 1;
const COMPOSED = 2;
let known: Uint8Array | undefined;

/**
 * Whether decomposing this UTF-16 unit could change the words. Dashes, curly quotes, arrows and ideographs do not, so
 * texts with only these are read as they are.
 */
function isComposed(code: number): boolean {
  if (code >= 0xd800 && code <= 0xdfff) return true;
  known ??= new Uint8Array(65_536);
  if (known[code] === UNKNOWN) known[code] = decomposes(String.fromCharCode(code)) ? COMPOSED : PLAIN;
  return known[code] === COMPOSED;
}

function decomposes(character: string): boolean {
  const parts = character.normalize("NFKD");
  if (parts === character) return false;
  return /[a-z0-9_'\u2019]/i.test(parts) || isWordCharacter(parts) !== isWordCharacter(character);
}

const WORD_START = patternFor(String.raw`^[\p{L}\p{N}]`);

function isWordCharacter(text: string): boolean {
  return WORD_START(text).test(text);
}
