/** The rows of a model: their sum, each with its weight, and the sum as a row. */

/** The bits of a weight's low part: so many that a sum of products, one for each piece of a window, fits into 32 bits. */
const LOW_BITS: u32 = 13;
const LOW_PART: u32 = (1 << LOW_BITS) - 1;
/** Of the high part, which is a number with sign of 16 bits. */
const HIGH_BITS: u32 = 15;

const CACHE_LINE: u32 = 64;
/** Without a meaning: the loads whose sum this is must not be left out. */
let touched: u32 = 0;

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

export function placeRows(scales: u32, rows: u32, count: u32): void {
  scalesAt = scales;
  rowsAt = rows;
  rowCount = count;
}

export function placeSum(ids: u32, weights: u32, parts: u32, counts: u32, sum: u32, row: u32, size: u32): void {
  idsAt = ids;
  weightsAt = weights;
  partsAt = parts;
  countsAt = counts;
  sumAt = sum;
  rowAt = row;
  dims = size;
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
  unit = most > 0 && most * (maxCount as f64) < least * ((1 << (LOW_BITS + HIGH_BITS)) as f64) ? least : 0;
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

// @ts-ignore: a decorator of AssemblyScript
@inline
function idAt(index: u32): u32 {
  return load<u32>(idsAt + (index << 2));
}

/**
 * Moves the distinct ones of the first pieces to the front, in order of first appearance, with the weight of each: its
 * scale times its count, because a third of a text's pieces are repetitions. Returns how many there are.
 */
export function distinct(length: u32): u32 {
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
 * Writes the sum as a row of 8-bit numbers, the largest as 127, and returns `1 / length` of it; 0 for a sum without
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
  return sum > 0 ? 1 / sqrt(sum) : 0;
}
