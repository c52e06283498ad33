/**
 * Finds any of several hundred literals in a text, and its long words, in AssemblyScript: every synced byte passes here.
 * `npm run loops` compiles this file; `src/redact/finders/pairs.ts` describes its tables.
 *
 * All names that end in `At` are addresses.
 */

/** Empty, before the text; no literal is longer. */
const MARGIN: u32 = 64;
/** The bit of a pair's marks for letters, digits, `_` and `-`. */
const IN_WORD: u32 = 1 << 7;
/** Words shorter than this are not reported. They fill at least four blocks of four pairs. */
const MIN_WORD: u32 = 40;
const FOUR_BLOCKS: u32 = 0b1111;
/** A token with a prefix has its first `_` or `-` within this many characters. */
const MAX_PREFIX_CHARS: u32 = 12;
const DASH: u32 = 45;
const UNDERSCORE: u32 = 95;
/** In place of a literal's number. */
const WORD: i32 = -1;

let textAt: u32 = 0;
let marksAt: u32 = 0;
/** By byte: 1 for letters, digits, `_` and `-`. */
let wordCharsAt: u32 = 0;
/** Of each literal, where it begins; then its bytes. */
let literalsAt: u32 = 0;
let bytesAt: u32 = 0;
/** Pairs of numbers: a literal and its start in the text, or `WORD` and a place in it. */
let foundAt: u32 = 0;
let maxFound: u32 = 0;

/** The windows by their first, and those by their second pair: the list of each pair, the end of each list, the windows. */
let firstListAt: u32 = 0;
let firstEndsAt: u32 = 0;
let firstWindowsAt: u32 = 0;
let secondListAt: u32 = 0;
let secondEndsAt: u32 = 0;
let secondWindowsAt: u32 = 0;

/** Of the chunk that is read. */
let length: u32 = 0;
let limit: u32 = 0;
let isFirst: bool = false;
let isLast: bool = false;
/** The next pair, and how many there are. */
let pair: u32 = 0;
let pairs: u32 = 0;
let wordEnd: u32 = 0;
let inWords: u32 = 0;
let found: u32 = 0;

export function place(text: u32, marks: u32, wordChars: u32, literals: u32, bytes: u32, results: u32, most: u32): void {
  textAt = text;
  marksAt = marks;
  wordCharsAt = wordChars;
  literalsAt = literals;
  bytesAt = bytes;
  foundAt = results;
  maxFound = most;
}

export function placeFirst(list: u32, ends: u32, windows: u32): void {
  firstListAt = list;
  firstEndsAt = ends;
  firstWindowsAt = windows;
}

export function placeSecond(list: u32, ends: u32, windows: u32): void {
  secondListAt = list;
  secondEndsAt = ends;
  secondWindowsAt = windows;
}

/** Starts a chunk of so many bytes. Literals that start at `most` or later are found in the next one. */
export function start(bytes: u32, most: u32, first: bool, last: bool): void {
  length = bytes;
  limit = most;
  isFirst = first;
  isLast = last;
  pair = MARGIN >> 1;
  pairs = (MARGIN + bytes + 1) >> 1;
  wordEnd = 0;
  inWords = 0;
  // Bytes of an earlier text after the end must not complete a literal.
  store<u16>(textAt + MARGIN + bytes, 0);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function marksOf(table: u32, number: u32): u32 {
  return load<u16>(table + (number << 1));
}

/**
 * Reads on to the end, or until there is room only for what one block may have. Returns how much was found. What does not
 * change is kept in locals, which the compiler keeps in registers.
 */
export function scan(): u32 {
  found = 0;
  const marks = marksAt;
  const end = textAt + (pairs << 1);
  let words = inWords;
  let at = textAt + (pair << 1);
  let next = marksOf(marks, load<u16>(at));
  for (; at < end; at += 8) {
    const four = load<u64>(at);
    const one = next;
    const two = marksOf(marks, ((four >>> 16) as u32) & 0xffff);
    const three = marksOf(marks, ((four >>> 32) as u32) & 0xffff);
    const last = marksOf(marks, (four >>> 48) as u32);
    next = marksOf(marks, load<u16>(at, 8));
    words = ((words << 1) | ((one & two & three & last & IN_WORD) >>> 7)) & FOUR_BLOCKS;
    const hits = (one & (two >>> 8)) | (two & (three >>> 8)) | (three & (last >>> 8)) | (last & (next >>> 8));
    if (words == FOUR_BLOCKS && at - textAt >= wordEnd) visitWord(at - textAt);
    else if (hits == 0) continue;
    if (one & (two >>> 8)) visitPair(at);
    if (two & (three >>> 8)) visitPair(at + 2);
    if (three & (last >>> 8)) visitPair(at + 4);
    if (last & (next >>> 8)) visitPair(at + 6);
    if (found < maxFound) continue;
    at += 8;
    break;
  }
  inWords = words;
  pair = (at - textAt) >>> 1;
  return found;
}

export function isDone(): bool {
  return pair >= pairs;
}

/** Two pairs that share a group begin at this address. */
function visitPair(at: u32): void {
  const first: u32 = load<u16>(at);
  const second: u32 = load<u16>(at, 2);
  visitList(load<u16>(firstListAt + (first << 1)), firstEndsAt, firstWindowsAt, at, second);
  visitList(load<u16>(secondListAt + (second << 1)), secondEndsAt, secondWindowsAt, at, first);
}

/** Reports the literals of one list of windows that stand where the pairs are. A window has eight bytes. */
function visitList(number: u32, endsAt: u32, windowsAt: u32, at: u32, other: u32): void {
  if (number == 0) return;
  const end = windowsAt + (load<u16>(endsAt + (number << 1)) << 3);
  for (let window = windowsAt + (load<u16>(endsAt + ((number - 1) << 1)) << 3); window < end; window += 8) {
    if ((other & load<u16>(window, 2)) != load<u16>(window)) continue;
    const literal: u32 = load<u16>(window, 4);
    const start = at - textAt - MARGIN - (load<i16>(window, 6) as u32);
    // One before the text has a huge start here.
    if (start < limit && stands(literal, start)) report(literal, start);
  }
}

function stands(literal: u32, start: u32): bool {
  const from: u32 = load<u16>(literalsAt + (literal << 1));
  const size: u32 = load<u16>(literalsAt + (literal << 1), 2) - from;
  const place = textAt + MARGIN + start;
  for (let i: u32 = 0; i < size; i++) if (load<u8>(place + i) != load<u8>(bytesAt + from + i)) return false;
  return true;
}

function report(what: i32, at: u32): void {
  store<i32>(foundAt + (found << 3), what);
  store<u32>(foundAt + (found << 3), at, 4);
  found++;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function inWord(at: u32): bool {
  return load<u8>(wordCharsAt + load<u8>(textAt + at)) != 0;
}

/** Reports the word around this place if it is long and may be a token. */
function visitWord(inside: u32): void {
  let end = inside;
  while (end < MARGIN + length && inWord(end)) end++;
  wordEnd = end;
  let first = inside;
  while (first > MARGIN && inWord(first - 1)) first--;
  // A word at the edge of two chunks is cut here; the visitor sees it whole.
  const isCut = (first == MARGIN && !isFirst) || (end == MARGIN + length && !isLast);
  if (isCut || (end - first >= MIN_WORD && mayBeToken(first, end))) report(WORD, inside - MARGIN);
}

/** Whether a word has the marks of a token with a prefix: a `_` or `-` early on, capitals and digits. */
function mayBeToken(first: u32, end: u32): bool {
  let separated = false;
  for (let at = first + 1; at <= first + MAX_PREFIX_CHARS && !separated; at++) {
    const code: u32 = load<u8>(textAt + at);
    separated = code == DASH || code == UNDERSCORE;
  }
  if (!separated) return false;
  let capitals: u32 = 0;
  let digits: u32 = 0;
  for (let at = first; at < end; at++) {
    const code: u32 = load<u8>(textAt + at);
    if (code - 48 < 10) digits++;
    else if (code - 65 < 26) capitals++;
  }
  return capitals > 1 && digits > 1;
}
