/**
 * The loops of the static model (`src/embedding/static.ts`) over every word that is synced, in AssemblyScript: they find
 * the words of a text, cut them into pieces and add the rows of the pieces. `npm run loops` compiles this file.
 *
 * Words are runs of ASCII letters or of digits, split inside camelCase, lower-case, without accents and contractions. A
 * word is cut into the whole word if it is a piece, else repeatedly into the longest piece that fits.
 *
 * All names that end in `At` are addresses. JavaScript may move the text while it answers. A damaged model gives wrong
 * vectors, but nothing outside of it is read.
 */

const OTHER: u32 = 0;
const LOWER: u32 = 1;
const UPPER: u32 = 2;
const DIGIT: u32 = 3;
const APOSTROPHE: u32 = 0x27;
const CURLY: u32 = 0x2019;
const UNDERSCORE: u32 = 0x5f;
const HASH_SIGN: u32 = 0x23;

const FNV_PRIME: u32 = 0x01000193;
/** A piece inside a word differs from the same letters at its start, so it hashes from another seed. */
const START_SEED: u32 = 0x811c9dc5;
const INSIDE_SEED: u32 = 0x2f0b4a27;

/** The bits of a weight's low part: so many that a sum of products, one for each piece of a window, fits into 32 bits. */
const LOW_BITS: u32 = 13;
const LOW_PART: u32 = (1 << LOW_BITS) - 1;
/** Of the high part, which is a number with sign of 16 bits. */
const HIGH_BITS: u32 = 15;

const CACHE_LINE: u32 = 64;
/** Without a meaning: the loads whose sum this is must not be left out. */
let touched: u32 = 0;

/** Of a UTF-16 unit in the table of units: decomposing it does not change the words. */
const PLAIN: u32 = 1;

let unitsAt: u32 = 0;
let endUnit: u32 = 0;
/** What is known of each UTF-16 unit. */
let plainAt: u32 = 0;
/** The kind of each character of ASCII. */
let kindsAt: u32 = 0;
let wordAt: u32 = 0;
let maxWordBytes: u32 = 0;
let hashesAt: u32 = 0;
let maxPieceLetters: u32 = 0;
let maxPieces: u32 = 0;

let tableAt: u32 = 0;
let tableMask: u32 = 0;
let endsAt: u32 = 0;
let piecesAt: u32 = 0;
let piecesLength: u32 = 0;
let scalesAt: u32 = 0;
let rowsAt: u32 = 0;
let rowCount: u32 = 0;
let dims: u32 = 0;
/** Every scale is a whole number of these, which fits with any count; 0 if there is no such unit. */
let unit: f64 = 0;

let idsAt: u32 = 0;
let weightsAt: u32 = 0;
/** The low and the high part of each weight. */
let partsAt: u32 = 0;
let countsAt: u32 = 0;
let sumAt: u32 = 0;
/** The sum as 8-bit numbers. */
let rowAt: u32 = 0;

/** Of the text: the next unit, and whether the rest is decomposed. */
let at: u32 = 0;
let isDecomposed: bool = false;
/** Of the last word. */
let wordLength: u32 = 0;
let wordHash: u32 = 0;
/** Whether it ends at a change of case, not at its last letter. */
let isSplit: bool = false;
/** Of the last words that were cut. */
let wordsCut: u32 = 0;
let knownWords: u32 = 0;
/** The piece that `longestAt` found. */
let found: i32 = -1;

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
}

export function placeModel(table: u32, slots: u32, ends: u32, pieces: u32, length: u32, scales: u32, rows: u32, count: u32): void {
  tableAt = table;
  tableMask = slots - 1;
  endsAt = ends;
  piecesAt = pieces;
  piecesLength = length;
  scalesAt = scales;
  rowsAt = rows;
  rowCount = count;
}

export function placeSum(ids: u32, weights: u32, parts: u32, counts: u32, hashes: u32, letters: u32, pieces: u32, sum: u32, row: u32, size: u32): void {
  idsAt = ids;
  weightsAt = weights;
  partsAt = parts;
  countsAt = counts;
  hashesAt = hashes;
  maxPieceLetters = letters;
  maxPieces = pieces;
  sumAt = sum;
  rowAt = row;
  dims = size;
}

/** Fills the table of kinds. */
export function prepare(): void {
  for (let code: u32 = 0; code < 128; code++) {
    const isLetter = (code | 0x20) - 0x61 < 26;
    const letter = code < 0x60 ? UPPER : LOWER;
    store<u8>(kindsAt + code, isLetter ? letter : code - 0x30 < 10 ? DIGIT : OTHER);
  }
}

/** Finds the unit of the scales, for windows of at most so many pieces. */
export function findUnit(maxCount: u32): void {
  let least: f64 = Infinity;
  let most: f64 = 0;
  for (let i: u32 = 0; i < rowCount; i++) {
    const scale = load<f32>(scalesAt + (i << 2));
    if (scale == 0) continue;
    least = min(least, lastBit(scale));
    most = max(most, abs(scale as f64));
    // Negative, infinite and not a number.
    if (!(scale > 0 && scale < Infinity)) least = 0;
  }
  unit = most * (maxCount as f64) < least * ((1 << (LOW_BITS + HIGH_BITS)) as f64) ? least : 0;
}

/** What the last bit of a number that is not 0 stands for. */
function lastBit(number: f32): f64 {
  const bits = reinterpret<u32>(number);
  const fraction = (bits & 0x7fffff) | 0x800000;
  const exponent = (bits >>> 23) & 0xff;
  // The smallest numbers, and those without a value.
  if (exponent == 0 || exponent == 0xff) return 0;
  // A power of two, by its exponent of 11 bits.
  return reinterpret<f64>(((exponent + 1023 - 127 - 23 + ctz(fraction)) as u64) << 52);
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

export function wordsFound(): u32 {
  return wordsCut;
}

/** How many of the words the model knows: random letters split into meaningless pieces. */
export function wordsKnown(): u32 {
  return knownWords;
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

// @ts-ignore: a decorator of AssemblyScript
@inline
function idAt(index: u32): u32 {
  return load<u32>(idsAt + (index << 2));
}

/** Writes the ids of the last word's pieces from this index on and returns the index after them. */
function cutWord(index: u32): u32 {
  const whole = find(wordHash, 0, wordLength, false);
  if (whole >= 0) {
    store<i32>(idsAt + (index << 2), whole);
    return index + 1;
  }
  const last = index + maxPieces;
  let end = index;
  for (let from: u32 = 0; from < wordLength && end < last; ) {
    const size = longestAt(from);
    if (size > 0) store<i32>(idsAt + (end++ << 2), found);
    from += max<u32>(size, 1);
  }
  return end;
}

/** The length of the longest piece that begins here; 0 if none does. */
function longestAt(from: u32): u32 {
  const isInside = from > 0;
  const letters = min<u32>(maxPieceLetters, wordLength - from);
  let hash = isInside ? INSIDE_SEED : START_SEED;
  for (let i: u32 = 0; i < letters; i++) {
    hash = (hash ^ load<u8>(wordAt + from + i)) * FNV_PRIME;
    store<u32>(hashesAt + (i << 2), hash);
  }
  for (let size = letters; size > 0; size--) {
    found = find(load<u32>(hashesAt + ((size - 1) << 2)), from, size, isInside);
    if (found >= 0) return size;
  }
  return 0;
}

function find(hash: u32, from: u32, length: u32, isInside: bool): i32 {
  const mixed = (hash ^ (hash >>> 15)) * 0x2c1b3c6d;
  let slot = (mixed ^ (mixed >>> 13)) & tableMask;
  // The number of steps ends the loop even in a damaged, full table.
  for (let steps: u32 = 0; steps <= tableMask; steps++) {
    const entry = tableAt + (slot << 3);
    const index = load<u32>(entry, 4) - 1;
    if (index == 0xffffffff) return -1;
    if (load<u32>(entry) == hash && isPiece(index, from, length, isInside)) return index as i32;
    slot = (slot + 1) & tableMask;
  }
  return -1;
}

/** One unknown word in a hundred thousand has the hash of a piece, so the letters are compared too. */
function isPiece(index: u32, from: u32, length: u32, isInside: bool): bool {
  if (index >= rowCount) return false;
  const marks: u32 = isInside ? 2 : 0;
  const first = load<u32>(endsAt + (index << 2));
  const end = load<u32>(endsAt + (index << 2), 4);
  if (end - first != length + marks || end > piecesLength || first > end) return false;
  const letters = piecesAt + first;
  if (isInside && load<u8>(letters) != HASH_SIGN) return false;
  for (let i: u32 = 0; i < length; i++) {
    if (load<u8>(letters + marks + i) != load<u8>(wordAt + from + i)) return false;
  }
  return true;
}

/**
 * Cuts the next words, and writes the distinct ids of their pieces, in order of first appearance, with the weight of
 * each: its scale times its count, because a third of a text's pieces are repetitions. Returns how many there are.
 */
export function cut(maxWords: u32, minPieceBytes: u32): u32 {
  wordsCut = 0;
  knownWords = 0;
  let ids: u32 = 0;
  while (wordsCut < maxWords && next() > 0) {
    const first = ids;
    ids = cutWord(ids);
    const pieces = ids - first;
    if (pieces == 1 || (pieces > 0 && wordLength >= minPieceBytes * pieces)) knownWords++;
    wordsCut++;
  }
  return distinct(ids);
}

/** The ids of the first pieces of a text, in order and as often as they occur. At most `maxIds`, and those of one word more. */
export function cutAll(maxIds: u32): u32 {
  let ids: u32 = 0;
  while (ids < maxIds && next() > 0) ids = cutWord(ids);
  return ids;
}

function distinct(length: u32): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const id = idAt(i);
    const countAt = countsAt + (id << 1);
    const count = load<u16>(countAt);
    store<u16>(countAt, count + 1);
    if (count == 0) store<u32>(idsAt + (kept++ << 2), id);
  }
  for (let i: u32 = 0; i < kept; i++) {
    const id = idAt(i);
    const countAt = countsAt + (id << 1);
    store<f64>(weightsAt + (i << 3), (load<f32>(scalesAt + (id << 2)) as f64) * (load<u16>(countAt) as f64));
    store<u16>(countAt, 0);
  }
  return kept;
}

/** Adds the rows of the first pieces that `cut` found, each times its weight. */
export function addRows(count: u32): void {
  if (unit > 0) addWhole(count);
  else addNumbers(count, 0);
}

/**
 * The same where every weight is a whole number of units: it has a low and a high part that fit into 16 bits, so products
 * and their sums fit into 32, and all of it is exact. Sixteen columns at once.
 */
function addWhole(count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const whole = (load<f64>(weightsAt + (i << 3)) / unit) as u32;
    store<u32>(partsAt + (i << 2), (whole & LOW_PART) | ((whole >>> LOW_BITS) << 16));
    // The loads do not wait for each other, so most rows are in the cache when the loop below needs them.
    const row = rowsAt + idAt(i) * dims;
    for (let k: u32 = 0; k < dims; k += CACHE_LINE) touched += load<u8>(row + k);
  }
  const idsEnd = idsAt + (count << 2);
  let k: u32 = 0;
  for (; k + 16 <= dims; k += 16) {
    const rows = rowsAt + k;
    let lowA = i32x4.splat(0);
    let lowB = lowA;
    let lowC = lowA;
    let lowD = lowA;
    let highA = lowA;
    let highB = lowA;
    let highC = lowA;
    let highD = lowA;
    let partAt = partsAt;
    for (let id = idsAt; id < idsEnd; id += 4) {
      const low = v128.load16_splat(partAt);
      const high = v128.load16_splat(partAt, 2);
      partAt += 4;
      const row = v128.load(rows + load<u32>(id) * dims);
      const front = i16x8.extend_low_i8x16_s(row);
      const back = i16x8.extend_high_i8x16_s(row);
      lowA = i32x4.add(lowA, i32x4.extmul_low_i16x8_s(front, low));
      lowB = i32x4.add(lowB, i32x4.extmul_high_i16x8_s(front, low));
      lowC = i32x4.add(lowC, i32x4.extmul_low_i16x8_s(back, low));
      lowD = i32x4.add(lowD, i32x4.extmul_high_i16x8_s(back, low));
      highA = i32x4.add(highA, i32x4.extmul_low_i16x8_s(front, high));
      highB = i32x4.add(highB, i32x4.extmul_high_i16x8_s(front, high));
      highC = i32x4.add(highC, i32x4.extmul_low_i16x8_s(back, high));
      highD = i32x4.add(highD, i32x4.extmul_high_i16x8_s(back, high));
    }
    const sums = sumAt + (k << 3);
    addParts(sums, lowA, highA);
    addParts(sums + 32, lowB, highB);
    addParts(sums + 64, lowC, highC);
    addParts(sums + 96, lowD, highD);
  }
  addNumbers(count, k);
}

/** Adds four numbers to the sums. */
function addParts(sums: u32, low: v128, high: v128): void {
  const lowUnit = f64x2.splat(unit);
  const highUnit = f64x2.splat(unit * ((1 << LOW_BITS) as f64));
  const first = f64x2.mul(f64x2.convert_low_i32x4_s(low), lowUnit);
  const second = f64x2.mul(f64x2.convert_low_i32x4_s(secondHalf(low)), lowUnit);
  const firstHigh = f64x2.mul(f64x2.convert_low_i32x4_s(high), highUnit);
  const secondHigh = f64x2.mul(f64x2.convert_low_i32x4_s(secondHalf(high)), highUnit);
  v128.store(sums, f64x2.add(v128.load(sums), f64x2.add(first, firstHigh)));
  v128.store(sums, f64x2.add(v128.load(sums, 16), f64x2.add(second, secondHigh)), 16);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function secondHalf(numbers: v128): v128 {
  return v128.shuffle<i32>(numbers, numbers, 2, 3, 2, 3);
}

/** The columns from this one on. */
function addNumbers(count: u32, from: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const row = rowsAt + idAt(i) * dims;
    const weight = load<f64>(weightsAt + (i << 3));
    for (let k = from; k < dims; k++) {
      const to = sumAt + (k << 3);
      store<f64>(to, load<f64>(to) + (load<i8>(row + k) as f64) * weight);
    }
  }
}

/**
 * Writes the sum as a row of 8-bit numbers, the largest as 127, and returns the sum of their squares; 0 for a sum without
 * direction. The same as `quantise` in `src/vectors/quantise.ts`.
 */
export function quantise(): f64 {
  let most = f64x2.splat(0);
  let largest: f64 = 0;
  let k: u32 = 0;
  for (; k + 2 <= dims; k += 2) most = f64x2.pmax(most, f64x2.abs(v128.load(sumAt + (k << 3))));
  largest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
  for (; k < dims; k++) {
    const size = abs(load<f64>(sumAt + (k << 3)));
    if (size > largest) largest = size;
  }
  if (!(largest > 0 && largest < Infinity)) return 0;
  const scale = 127 / largest;
  const scales = f64x2.splat(scale);
  const half = f64x2.splat(0.5);
  const one = f64x2.splat(1);
  let squares = f64x2.splat(0);
  for (k = 0; k + 2 <= dims; k += 2) {
    // Rounds like `Math.round`: halves go up.
    const exact = f64x2.mul(v128.load(sumAt + (k << 3)), scales);
    const above = f64x2.ceil(exact);
    const rounded = f64x2.sub(above, v128.and(f64x2.gt(f64x2.sub(above, half), exact), one));
    squares = f64x2.add(squares, f64x2.mul(rounded, rounded));
    const whole = i32x4.trunc_sat_f64x2_s_zero(rounded);
    store<i8>(rowAt + k, i32x4.extract_lane(whole, 0));
    store<i8>(rowAt + k, i32x4.extract_lane(whole, 1), 1);
  }
  let sum = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
  for (; k < dims; k++) {
    const exact = load<f64>(sumAt + (k << 3)) * scale;
    const above = ceil(exact);
    const rounded = above - 0.5 > exact ? above - 1 : above;
    sum += rounded * rounded;
    store<i8>(rowAt + k, rounded as i32);
  }
  return sum;
}
