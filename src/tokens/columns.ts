/**
 * The classes of characters that the token estimate tells apart: a column of the automaton for each UTF-16 unit.
 *
 * Letters also carry their place in the alphabet, because how well two letters go together says whether a word is
 * likely to be known to the tokenizer.
 */
import { HAN_TOKENS } from "./weights.ts";

/**
 * Marks that often merge with the letters after them (`/src`, `_id`, `\n`) each have a column; the others share one.
 */
const LEADING_MARKS = "/.-\\_(:[\"@<=,'";
export const MARKS = LEADING_MARKS.length + 1;

/** Western, other European and Vietnamese letters: part of the words around them. */
const ACCENTED = [
  [0xaa, 0xaa, 0xb5, 0xb5, 0xba, 0xba, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0xff],
  [0x100, 0x19f, 0x1b1, 0x2ff],
  [0x1a0, 0x1b0, 0x1e00, 0x1eff],
];
export const ACCENTS = ACCENTED.length;

/** The other scripts and the symbols beyond ASCII, as first and last units. What is in none of them is `other`. */
const SCRIPT_RANGES = {
  greek: [0x370, 0x3ff, 0x1f00, 0x1fff],
  cyrillic: [0x401, 0x401, 0x410, 0x451],
  otherCyrillic: [0x400, 0x400, 0x402, 0x40f, 0x452, 0x52f],
  hebrew: [0x590, 0x5ff],
  arabic: [0x600, 0x8ff, 0xfb50, 0xfdff],
  devanagari: [0x900, 0x97f],
  indic: [0x980, 0xdff],
  thai: [0xe00, 0xeff],
  hangul: [0xac00, 0xd7ff],
  hiragana: [0x3040, 0x309f],
  katakana: [0x30a0, 0x30ff],
  han: [0x4e00, 0x9fff],
  /** No token of their own but two or three; those of `han` that have no bit in HAN_TOKENS are added. */
  rareHan: [0x3400, 0x4dff, 0xf900, 0xfaff],
  minor: [0x530, 0x58f, 0xf00, 0x1dff, 0x2c00, 0x2dff, 0xa000, 0xabff],
  control: [0x00, 0x1f, 0x7f, 0x9f],
  punctuation: [0xa0, 0xbf, 0xd7, 0xd7, 0xf7, 0xf7, 0x2000, 0x206f],
  arrows: [0x2070, 0x22ff, 0x2400, 0x24ff, 0x2900, 0x2bff],
  technical: [0x2300, 0x23ff],
  boxes: [0x2500, 0x259f],
  shapes: [0x25a0, 0x27bf],
  emoji: [0xd83c, 0xd83e],
  cjkMarks: [0x2e00, 0x303f, 0x3100, 0x33ff],
  fullWidth: [0xff00, 0xffef],
  other: [],
};
export const SCRIPTS = Object.keys(SCRIPT_RANGES).length;
const scriptIndex = (name: keyof typeof SCRIPT_RANGES): number => Object.keys(SCRIPT_RANGES).indexOf(name);
/** Scripts that share their words: letters of Ukrainian or Serbian among those of Russian, rare characters of Chinese. */
export const RELATED_SCRIPTS: readonly (readonly [number, number])[] = [
  [scriptIndex("cyrillic"), scriptIndex("otherCyrillic")],
  [scriptIndex("han"), scriptIndex("rareHan")],
];
const JOINERS = [0x300, 0x36f, 0x200d, 0x200d, 0xfe00, 0xfe0f];

export const LOWER = 0;
export const UPPER = 1;
export const SPACE = 2;
export const BREAK = 3;
export const TAB = 4;
export const DIGIT = 5;
export const MARK = 6;
export const ACCENT = MARK + MARKS;
export const LOW_SURROGATE = ACCENT + ACCENTS;
export const JOINER = LOW_SURROGATE + 1;
export const SCRIPT = JOINER + 1;
/** The column of a mark or symbol that repeats the one before it: rules and padding cost far less than their length. */
export const REPEATED = SCRIPT + SCRIPTS;
export const COLUMNS = REPEATED + 1;

export const SLASH = MARK + LEADING_MARKS.indexOf("/");
export const APOSTROPHE = MARK + LEADING_MARKS.indexOf("'");

/** Columns of units that repeat the one before them begin here. */
export const IF_REPEATED = 0x10000;

const FIRST_HAN = 0x4e00;

/** The column of each UTF-16 unit, then of each when it repeats the one before it. */
export function unitColumns(): Uint8Array {
  const columns = new Uint8Array(2 * IF_REPEATED);
  const set = (ranges: readonly number[], column: number, ifRepeated = column): void => {
    for (let i = 0; i < ranges.length; i += 2) {
      const from = ranges[i] ?? 0;
      const end = (ranges[i + 1] ?? from) + 1;
      columns.fill(column, from, end);
      columns.fill(ifRepeated, IF_REPEATED + from, IF_REPEATED + end);
    }
  };
  set([0, 0xffff], SCRIPT + SCRIPTS - 1, REPEATED);
  Object.values(SCRIPT_RANGES).forEach((ranges, s) => {
    set(ranges, SCRIPT + s, REPEATED);
  });
  const rareHan = SCRIPT + scriptIndex("rareHan");
  Buffer.from(HAN_TOKENS, "base64").forEach((bits, i) => {
    const from = FIRST_HAN + 8 * i;
    if (bits === 0) columns.fill(rareHan, from, from + 8);
    else for (let bit = 0; bit < 8; bit++) if (((bits >> bit) & 1) === 0) columns[from + bit] = rareHan;
  });
  set([0x21, 0x7e], MARK + MARKS - 1, REPEATED);
  for (let m = 0; m < LEADING_MARKS.length; m++) set([LEADING_MARKS.charCodeAt(m)], MARK + m, REPEATED);
  set([0x61, 0x7a], LOWER);
  set([0x41, 0x5a], UPPER);
  set([0x30, 0x39], DIGIT);
  set([0x20], SPACE);
  set([0x0a, 0x0a, 0x0d, 0x0d], BREAK);
  set([0x09, 0x09, 0x0b, 0x0c], TAB);
  ACCENTED.forEach((ranges, a) => {
    set(ranges, ACCENT + a);
  });
  set(JOINERS, JOINER);
  set([0xdc00, 0xdfff], LOW_SURROGATE);
  return columns;
}

export const ALPHABET = 26;

/** 1 to 26 for a to z, 27 to 52 for A to Z, 0 for any other unit. */
export function unitLetters(): Uint8Array {
  const letters = new Uint8Array(0x10000);
  for (let letter = 1; letter <= ALPHABET; letter++) {
    letters[0x60 + letter] = letter;
    letters[0x40 + letter] = ALPHABET + letter;
  }
  return letters;
}
