/**
 * The loop of the analyser (`src/text/terms/analyser.ts`) over every character that is synced, in AssemblyScript: it
 * finds the runs of letters and digits, looks them up and counts their terms. What it does not know, it asks JavaScript,
 * which has the rules for words. `npm run loops` compiles this file.
 *
 * All names that end in `At` are addresses. JavaScript may move what they point to while it answers.
 */

/** What is known of a run: two hashes, its meaning, and `USED`, or `CODED` plus its code in an order. */
const ENTRY_SHIFT = 4;
const USED: u32 = 1;
const CODED: u32 = 2;
/** The hash of a name starts here: a name and a word with the same characters have different terms. */
const NAME_HASH: u32 = 0x811c9dc5;
const FNV_PRIME: u32 = 0x01000193;
const HYPHEN: u32 = 0x2d;
const DOT: u32 = 0x2e;
const UNDERSCORE: u32 = 0x5f;

let unitsAt: u32 = 0;
let alphanumericAt: u32 = 0;
let tableAt: u32 = 0;
/** The bytes of the table, less one. */
let tableMask: u32 = 0;
let weightsAt: u32 = 0;
let touchedAt: u32 = 0;
let orderAt: u32 = 0;
let maxOrdered: u32 = 0;

/** How many terms the current document has a weight for, how many words it has, and how many of them are in its order. */
let touched: u32 = 0;
let words: u32 = 0;
let ordered: u32 = 0;

/** The meaning of a run that is not in the table; it may be now. */
declare function learn(start: u32, end: u32, first: u32, second: u32, isForeign: bool): i32;
/** The term of a name that is not in the table; it may be now. */
declare function learnName(start: u32, end: u32, first: u32, second: u32): i32;
/** Counts the terms of a run that has several, with `count`, and returns how many it has. */
declare function countSeveral(meaning: i32, weight: u32): u32;
/** Adds the codes of a run to the order and returns its new length. `entry`: the index of the run's entry, or -1. */
declare function addCodes(entry: i32, meaning: i32, start: u32, end: u32, ordered: u32): u32;
/** Counts the names that begin with this run, with `countName`, and returns the position after them. */
declare function countNames(start: u32, end: u32, length: u32, weight: u32): u32;
/** Counts the flag that begins with this run, with `countName`. */
declare function countFlag(start: u32, length: u32, weight: u32): void;

export function place(units: u32, alphanumeric: u32, order: u32, orderLength: u32): void {
  unitsAt = units;
  alphanumericAt = alphanumeric;
  orderAt = order;
  maxOrdered = orderLength;
}

export function placeTable(at: u32, bytes: u32): void {
  tableAt = at;
  tableMask = bytes - 1;
}

export function placeWeights(weights: u32, terms: u32): void {
  weightsAt = weights;
  touchedAt = terms;
}

export function touchedCount(): u32 {
  return touched;
}

export function wordCount(): u32 {
  return words;
}

export function orderedCount(): u32 {
  return ordered;
}

/** Starts a new document. */
export function begin(): void {
  touched = 0;
  words = 0;
  ordered = 0;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function entryOf(first: u32, second: u32): u32 {
  let at = ((first ^ (first >>> 15) ^ second) << ENTRY_SHIFT) & tableMask;
  while (load<u32>(tableAt + at, 12) != 0 && (load<u32>(tableAt + at) != first || load<u32>(tableAt + at, 4) != second))
    at = (at + (1 << ENTRY_SHIFT)) & tableMask;
  return at;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function isSeparator(code: u32, kindsAt: u32): bool {
  return code < 128 && load<u8>(kindsAt + code) == 0;
}

export function count(term: u32, weight: u32): void {
  const at = weightsAt + (term << 2);
  const before = load<u32>(at);
  if (before == 0) store<u32>(touchedAt + (touched++ << 2), term);
  store<u32>(at, before + weight);
}

/** Counts a name by itself; the length of the text is that of its words. */
export function countName(start: u32, end: u32, weight: u32): void {
  let first = NAME_HASH;
  let second = NAME_HASH;
  for (let i = start; i < end; i++) {
    const code: u32 = load<u16>(unitsAt + (i << 1));
    first = (first ^ code) * FNV_PRIME;
    second = second * 31 + code;
  }
  const at = tableAt + entryOf(first, second);
  count(load<u32>(at, 12) == 0 ? learnName(start, end, first, second) : load<i32>(at, 8), weight);
}

/** Adds the units of a text, or of a part that no word and no name crosses the ends of. */
export function add(length: u32, weight: u32, isOrdered: bool, withNames: bool): void {
  // These do not move meanwhile.
  const startAt = unitsAt;
  const endAt = startAt + (length << 1);
  const kindsAt = alphanumericAt;
  // The names up to here are counted.
  let namedUntil: u32 = 0;
  let at = startAt;
  while (at < endAt) {
    let code: u32 = load<u16>(at);
    if (isSeparator(code, kindsAt)) {
      at += 2;
      continue;
    }
    const start = (at - startAt) >> 1;
    let first: u32 = 0;
    let second: u32 = 0;
    let foreign: u32 = 0;
    do {
      foreign |= code;
      first = (first ^ code) * FNV_PRIME;
      second = second * 31 + code;
      at += 2;
      code = at < endAt ? load<u16>(at) : 0;
    } while (!isSeparator(code, kindsAt));
    const i = (at - startAt) >> 1;
    const entry = entryOf(first, second);
    const state = load<u32>(tableAt + entry, 12);
    const meaning = state == 0 ? learn(start, i, first, second, foreign >= 128) : load<i32>(tableAt + entry, 8);
    if (isOrdered && ordered < maxOrdered) {
      if (state >= CODED) store<u16>(orderAt + (ordered++ << 1), (state - CODED) as u16);
      // An entry that was just learned may have moved with its table.
      else ordered = addCodes(state == USED ? ((entry >> ENTRY_SHIFT) as i32) : -1, meaning, start, i, ordered);
    }
    if (meaning >= 0) {
      count(meaning, weight);
      words++;
    } else words += countSeveral(meaning, weight);
    if (withNames) {
      if ((code == UNDERSCORE || code == DOT) && i >= namedUntil) namedUntil = countNames(start, i, length, weight);
      if (start > 1) {
        const before = startAt + (start << 1);
        if (load<u16>(before - 2) == HYPHEN && load<u16>(before - 4) == HYPHEN) countFlag(start, length, weight);
      }
    }
  }
}
