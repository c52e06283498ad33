/**
 * The inner loops of a search, in AssemblyScript. A process that answers one question ends before V8 has compiled its
 * JavaScript, and runs such loops twenty times slower than these. `npm run loops` compiles this file.
 *
 * All arguments that end in `At` are addresses. The caller checks that what they point to is inside the memory.
 */

export { group, scale } from "./owners";

// How a block can be damaged. `src/ranking/terms/damage.ts` has the words for these numbers.
const ENDLESS_NUMBER = -1;
const UNKNOWN_DOCUMENT = -2;
const MISSING_WEIGHT = -3;
const WRONG_CHECKSUM = -4;
const TOO_MANY_TERMS = -5;
const TERM_PAST_END = -6;
const TOO_MANY_DOCUMENTS = -7;
const POSTINGS_DO_NOT_FILL = -8;
const CHECKSUM_BYTES: u32 = 4;
const WEIGHT_UNIT: u8 = 4;
const MAX_VARINT_BYTES = 7;
/** Slices of the table for CRC-32: so many bytes are taken at a time. */
const SLICES: u32 = 8;

/** Fills the table that `crc32` needs: eight slices of 256 numbers. */
export function makeCrcTable(tableAt: u32): void {
  for (let i: u32 = 0; i < 256; i++) {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    store<u32>(tableAt + (i << 2), value);
  }
  for (let i: u32 = 256; i < SLICES * 256; i++) {
    const before = load<u32>(tableAt + ((i - 256) << 2));
    store<u32>(tableAt + (i << 2), (before >>> 8) ^ load<u32>(tableAt + ((before & 0xff) << 2)));
  }
}

/** `before`: the CRC-32 of the bytes that came before these; 0 if none did. */
export function crc32(at: u32, end: u32, tableAt: u32, before: u32): u32 {
  let crc = ~before;
  for (; at + SLICES <= end; at += SLICES) {
    const low = load<u32>(at) ^ crc;
    const high = load<u32>(at, 4);
    crc =
      load<u32>(tableAt + ((low & 0xff) << 2), 7 << 10) ^
      load<u32>(tableAt + (((low >>> 8) & 0xff) << 2), 6 << 10) ^
      load<u32>(tableAt + (((low >>> 16) & 0xff) << 2), 5 << 10) ^
      load<u32>(tableAt + ((low >>> 24) << 2), 4 << 10) ^
      load<u32>(tableAt + ((high & 0xff) << 2), 3 << 10) ^
      load<u32>(tableAt + (((high >>> 8) & 0xff) << 2), 2 << 10) ^
      load<u32>(tableAt + (((high >>> 16) & 0xff) << 2), 1 << 10) ^
      load<u32>(tableAt + ((high >>> 24) << 2));
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ load<u32>(tableAt + (((crc ^ load<u8>(at)) & 0xff) << 2));
  return ~crc;
}

/** Where `number` reads next, and whether a number that it read did not end. */
let position: u32 = 0;
let isEndless = false;

function number(end: u32): u64 {
  let value: u64 = 0;
  for (let bytes = 0; bytes < MAX_VARINT_BYTES && position < end; bytes++) {
    const byte = load<u8>(position++);
    value |= ((byte & 0x7f) as u64) << (7 * bytes);
    if (byte < 0x80) return value;
  }
  isEndless = true;
  return 0;
}

/**
 * Finds a term in a block. Returns 1 and writes where its postings begin and end and how many documents it has, 0 if the
 * block does not have it, or a negative number if the block is damaged. All heads are checked in any case.
 */
export function findTerm(blockAt: u32, length: u32, nameAt: u32, nameLength: u32, tableAt: u32, toAt: u32): i32 {
  if (length <= CHECKSUM_BYTES) return WRONG_CHECKSUM;
  const end = blockAt + length - CHECKSUM_BYTES;
  if (crc32(blockAt, end, tableAt, 0) != load<u32>(end)) return WRONG_CHECKSUM;
  position = blockAt;
  isEndless = false;
  const count = number(end);
  if (isEndless) return ENDLESS_NUMBER;
  if (count > ((end - blockAt) as u64)) return TOO_MANY_TERMS;
  let before: u64 = 0;
  let found = false;
  for (let i: u64 = 0; i < count; i++) {
    const size = number(end);
    const start = position;
    if (isEndless) return ENDLESS_NUMBER;
    if (size > ((end - start) as u64)) return TERM_PAST_END;
    position = start + (size as u32);
    const documents = number(end);
    const postings = number(end);
    if (isEndless) return ENDLESS_NUMBER;
    if (documents > postings) return TOO_MANY_DOCUMENTS;
    if (!found && size == (nameLength as u64) && memory.compare(start, nameAt, nameLength) == 0) {
      found = true;
      store<u32>(toAt, before as u32);
      store<u32>(toAt, (before + postings) as u32, 4);
      store<u32>(toAt, documents as u32, 8);
    }
    before += postings;
  }
  if ((position as u64) + before != (end as u64)) return POSTINGS_DO_NOT_FILL;
  if (!found) return 0;
  store<u32>(toAt, load<u32>(toAt) + position);
  store<u32>(toAt, load<u32>(toAt, 4) + position, 4);
  return 1;
}

/** Reads postings, and returns how many there are, or a negative number if their bytes are damaged. */
export function decode(at: u32, end: u32, documents: u32, documentsAt: u32, weightsAt: u32): i32 {
  let count: u32 = 0;
  let document: i64 = -1;
  while (at < end) {
    let byte = load<u8>(at++);
    let value: u64 = byte & 0x7f;
    for (let bytes = 1; byte >= 0x80; bytes++) {
      if (at >= end || bytes >= MAX_VARINT_BYTES) return ENDLESS_NUMBER;
      byte = load<u8>(at++);
      value |= ((byte & 0x7f) as u64) << (7 * bytes);
    }
    document += (value >>> 1) as i64;
    if (document < 0 || document >= (documents as i64)) return UNKNOWN_DOCUMENT;
    store<u32>(documentsAt + (count << 2), document as u32);
    let weight = WEIGHT_UNIT;
    if ((value & 1) == 0) {
      if (at >= end) return MISSING_WEIGHT;
      weight = load<u8>(at++);
    }
    store<u8>(weightsAt + count, weight);
    count++;
  }
  return count;
}

/**
 * Adds the share of one term to the scores of the documents that have it, and each document that had no score to the
 * list of those that have. Returns the new length of that list. `scale` is K1 + 1 of BM25. `barredAt`: a byte for each
 * document, 1 if it is left out; 0 where none is.
 */
export function score(
  documentsAt: u32,
  weightsAt: u32,
  count: u32,
  rarity: f64,
  scale: f64,
  barredAt: u32,
  lengthsAt: u32,
  normsAt: u32,
  valuesAt: u32,
  scoredAt: u32,
  scored: u32,
): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const document = load<u32>(documentsAt + (i << 2));
    if (barredAt != 0 && load<u8>(barredAt + document) != 0) continue;
    const weight = (load<u8>(weightsAt + i) as f64) / (WEIGHT_UNIT as f64);
    const norm = load<f64>(normsAt + ((load<u8>(lengthsAt + document) as u32) << 3));
    const valueAt = valuesAt + (document << 3);
    const before = load<f64>(valueAt);
    store<f64>(valueAt, before + (rarity * weight * scale) / (weight + norm));
    if (before != 0) continue;
    store<u32>(scoredAt + (scored << 2), document);
    scored++;
  }
  return scored;
}

/**
 * Keeps the largest scores in a heap with the smallest at its root, until there are `limit` of them, and returns how many
 * there are now. `kept`: how many there were.
 */
export function keepBest(
  valuesAt: u32,
  scoredAt: u32,
  count: u32,
  heapAt: u32,
  limit: u32,
  kept: u32,
): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const score = load<f64>(valuesAt + (load<u32>(scoredAt + (i << 2)) << 3));
    let at = kept;
    if (kept < limit) {
      kept++;
      while (at > 0) {
        const above = (at - 1) >>> 1;
        const value = load<f64>(heapAt + (above << 3));
        if (value <= score) break;
        store<f64>(heapAt + (at << 3), value);
        at = above;
      }
    } else {
      if (score <= load<f64>(heapAt)) continue;
      at = 0;
      for (let below: u32 = 1; below < limit; below = at * 2 + 1) {
        let value = load<f64>(heapAt + (below << 3));
        if (below + 1 < limit && load<f64>(heapAt + ((below + 1) << 3)) < value) {
          below++;
          value = load<f64>(heapAt + (below << 3));
        }
        if (value >= score) break;
        store<f64>(heapAt + (at << 3), value);
        at = below;
      }
    }
    store<f64>(heapAt + (at << 3), score);
  }
  return kept;
}

/** Writes the documents whose score is at least this, and returns how many there are. */
export function atLeast(valuesAt: u32, scoredAt: u32, count: u32, least: f64, toAt: u32): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const document = load<u32>(scoredAt + (i << 2));
    if (load<f64>(valuesAt + (document << 3)) < least) continue;
    store<u32>(toAt + (found << 2), document);
    found++;
  }
  return found;
}

/** Writes how many bits differ between one code and each of many, which lie one after the other. */
export function distances(queryAt: u32, codesAt: u32, count: u32, words: u32, toAt: u32): void {
  const wide = words & ~3;
  for (let row: u32 = 0; row < count; row++) {
    let sums = i32x4.splat(0);
    let i: u32 = 0;
    for (; i < wide; i += 4) {
      const bits = v128.xor(v128.load(queryAt + (i << 2)), v128.load(codesAt + (i << 2)));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(bits))));
    }
    let sum = lanes(sums);
    for (; i < words; i++) sum += popcnt<i32>(load<i32>(queryAt + (i << 2)) ^ load<i32>(codesAt + (i << 2)));
    store<u16>(toAt + (row << 1), sum as u16);
    codesAt += words << 2;
  }
}

/** Adds up how many rows there are at each distance up to the largest. The counts begin as zeros. */
export function countDistances(distancesAt: u32, count: u32, largest: u32, countsAt: u32): void {
  for (let row: u32 = 0; row < count; row++) {
    const distance = load<u16>(distancesAt + (row << 1)) as u32;
    if (distance > largest) continue;
    const at = countsAt + (distance << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Writes the rows that are at most so far away, and returns how many there are. */
export function rowsWithin(distancesAt: u32, count: u32, farthest: u32, toAt: u32): u32 {
  let found: u32 = 0;
  for (let row: u32 = 0; row < count; row++) {
    if ((load<u16>(distancesAt + (row << 1)) as u32) > farthest) continue;
    store<u32>(toAt + (found << 2), row);
    found++;
  }
  return found;
}

/** The cosine of two rows of signed bytes, times the length of the first. Whole numbers: the order of the sum is free. */
export function cosine(aAt: u32, bAt: u32, dims: u32): f64 {
  let products = i32x4.splat(0);
  let squares = i32x4.splat(0);
  const wide = dims & ~15;
  let i: u32 = 0;
  for (; i < wide; i += 16) {
    const a = v128.load(aAt + i);
    const b = v128.load(bAt + i);
    const low = i16x8.extend_low_i8x16_s(b);
    const high = i16x8.extend_high_i8x16_s(b);
    products = i32x4.add(products, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(a), low));
    products = i32x4.add(products, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(a), high));
    squares = i32x4.add(squares, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
  }
  let product = lanes(products);
  let square = lanes(squares);
  for (; i < dims; i++) {
    const y = load<i8>(bAt + i) as i32;
    product += (load<i8>(aAt + i) as i32) * y;
    square += y * y;
  }
  return square == 0 ? 0 : (product as f64) / sqrt<f64>(square as f64);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function lanes(sums: v128): i32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
