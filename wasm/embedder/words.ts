/** The words of a text: runs of ASCII letters or of digits, split inside camelCase, lower-case, without accents and contractions. */

const OTHER: u32 = 0;
const LOWER: u32 = 1;
const UPPER: u32 = 2;
const DIGIT: u32 = 3;
const APOSTROPHE: u32 = 0x27;
const CURLY: u32 = 0x2019;
const UNDERSCORE: u32 = 0x5f;

export const FNV_PRIME: u32 = 0x01000193;
export const START_SEED: u32 = 0x811c9dc5;

/** Of a UTF-16 unit in the table of units: decomposing it does not change the words. */
const PLAIN: u32 = 1;

let unitsAt: u32 = 0;
let endUnit: u32 = 0;
/** What is known of each UTF-16 unit. */
let plainAt: u32 = 0;
/** The kind of each character of ASCII. */
let kindsAt: u32 = 0;
let maxWordBytes: u32 = 0;

/** Of the text: the next unit, and whether the rest is decomposed. */
let at: u32 = 0;
let isDecomposed: bool = false;
/** The last word, its length, and the hash of a piece with the same letters. */
export let wordAt: u32 = 0;
export let wordLength: u32 = 0;
export let wordHash: u32 = 0;
/** Whether it ends at a change of case, not at its last letter. */
let isSplit: bool = false;

/** The unit at this position, after the rest of the text is decomposed if decomposing the unit changes the words. */
declare function lookClosely(position: u32): u32;
/** Whether a letter or digit of any script is at this position. */
declare function isWordCharacter(position: u32): bool;

export function placeText(units: u32, plain: u32, kinds: u32, word: u32, wordBytes: u32): void {
  unitsAt = units;
  plainAt = plain;
  kindsAt = kinds;
  wordAt = word;
  maxWordBytes = wordBytes;
  for (let code: u32 = 0; code < 128; code++) {
    const isLetter = (code | 0x20) - 0x61 < 26;
    const letter = code < 0x60 ? UPPER : LOWER;
    store<u8>(kindsAt + code, isLetter ? letter : code - 0x30 < 10 ? DIGIT : OTHER);
  }
}

/** Starts a text of so many units. */
export function start(length: u32): void {
  at = 0;
  endUnit = length;
  isDecomposed = false;
}

/** The text is decomposed from here on and has another length. */
export function decomposed(length: u32): void {
  endUnit = length;
  isDecomposed = true;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function kindOf(code: u32): u32 {
  return code < 128 ? load<u8>(kindsAt + code) : OTHER;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function codeAt(position: u32): u32 {
  const code: u32 = load<u16>(unitsAt + (position << 1));
  if (code < 128 || isDecomposed || load<u8>(plainAt + code) == PLAIN) return code;
  return lookClosely(position);
}

/** Advances to the next word and returns its length; 0 at the end of the text. */
export function next(): u32 {
  // These are kept in registers; decomposing the text changes its end.
  let i = at;
  while (i < endUnit) {
    const code = codeAt(i);
    const kind = kindOf(code);
    if (kind == OTHER) {
      i++;
      continue;
    }
    const first = i;
    i = kind == DIGIT ? digits(first) : letters(first, kind == UPPER);
    at = i;
    if (kind == DIGIT || !isContraction(first)) return wordLength;
  }
  at = i;
  return 0;
}

/** The position after the word of digits that begins here. */
function digits(first: u32): u32 {
  let i = first;
  let length: u32 = 0;
  let hash = START_SEED;
  for (; i < endUnit; i++) {
    const code = codeAt(i);
    if (kindOf(code) != DIGIT) break;
    if (length == maxWordBytes) continue;
    store<u8>(wordAt + length++, code);
    hash = (hash ^ code) * FNV_PRIME;
  }
  wordLength = length;
  wordHash = hash;
  return i;
}

/** The same for a word of letters. */
function letters(first: u32, isUpper: bool): u32 {
  let i = first;
  let wasUpper = isUpper;
  let length: u32 = 0;
  let hash = START_SEED;
  isSplit = false;
  for (; i < endUnit; i++) {
    const code = codeAt(i);
    const kind = kindOf(code);
    if (kind == UPPER) {
      // `userName` ends after `user`; `HTTPServer` ends after `HTTP`.
      if (i > first && (!wasUpper || (i + 1 < endUnit && kindOf(codeAt(i + 1)) == LOWER))) {
        isSplit = true;
        break;
      }
    } else if (kind != LOWER) break;
    wasUpper = kind == UPPER;
    if (length == maxWordBytes) continue;
    store<u8>(wordAt + length++, code | 0x20);
    hash = (hash ^ (code | 0x20)) * FNV_PRIME;
  }
  wordLength = length;
  wordHash = hash;
  return i;
}

function isContraction(first: u32): bool {
  if (first == 0 || wordLength > 2) return false;
  const before: u32 = load<u16>(unitsAt + ((first - 1) << 1));
  if (before != APOSTROPHE && before != CURLY) return false;
  if (!isEnding(load<u8>(wordAt), wordLength == 2 ? load<u8>(wordAt, 1) : 0)) return false;
  if (isSplit || at >= endUnit) return true;
  const code = codeAt(at);
  if (code < 128) return kindOf(code) == OTHER && code != UNDERSCORE;
  return !isWordCharacter(at);
}

/** s, t, d, m, re, ve, ll: the endings of contractions. */
function isEnding(first: u32, second: u32): bool {
  if (second == 0) return first == 0x73 || first == 0x74 || first == 0x64 || first == 0x6d;
  if (second == 0x65) return first == 0x72 || first == 0x76;
  return first == 0x6c && second == 0x6c;
}
