/** Attention of tokens to each other: for each token, a mean of all values, weighted by its query and their keys. */
import { largestOf, sumOf } from "./lanes";

/** Tokens whose queries are compared at a time. */
const BLOCK: u32 = 4;

/**
 * One head. Queries, keys and values have `size` numbers, and `stride` bytes to those of the next token; the mean of the
 * values is written every `toStride` bytes. `keysAt` and `sharesAt`: room for the keys of the tokens and for how much
 * four tokens attend to each. A row there has room for `positions` tokens, a multiple of eight. Up to three further
 * tokens get a mean, too.
 */
export function attend(
  queriesAt: u32,
  otherKeysAt: u32,
  valuesAt: u32,
  stride: u32,
  size: u32,
  count: u32,
  keysAt: u32,
  sharesAt: u32,
  positions: u32,
  toAt: u32,
  toStride: u32,
): void {
  const factor: f32 = <f32>1 / sqrt<f32>(size as f32);
  const room = positions << 2;
  turnKeys(otherKeysAt, size, stride, count, keysAt, room);
  for (let token: u32 = 0; token < count; token += BLOCK) {
    for (let other: u32 = 0; other < count << 2; other += 32) {
      mixRows(queriesAt, stride, keysAt + other, room, size, sharesAt + other, room);
    }
    for (let i: u32 = 0; i < BLOCK; i++) softmax(sharesAt + i * room, count, factor);
    for (let i: u32 = 0; i < size << 2; i += 32) {
      mixRows(sharesAt, room, valuesAt + i, stride, count, toAt + i, toStride);
    }
    queriesAt += BLOCK * stride;
    toAt += BLOCK * toStride;
  }
}

/** Turns the keys of a head, so that a row has the same number of all tokens. */
function turnKeys(fromAt: u32, size: u32, stride: u32, count: u32, toAt: u32, room: u32): void {
  for (let token: u32 = 0; token < count; token += BLOCK) {
    let at = toAt + (token << 2);
    for (let i: u32 = 0; i < size << 2; i += 16) {
      const a = v128.load(fromAt + i);
      const b = v128.load(fromAt + stride + i);
      const c = v128.load(fromAt + 2 * stride + i);
      const d = v128.load(fromAt + 3 * stride + i);
      const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
      const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
      v128.store(at, v128.shuffle<i32>(ab, cd, 0, 1, 4, 5));
      v128.store(at + room, v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
      const highAb = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
      const highCd = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
      v128.store(at + 2 * room, v128.shuffle<i32>(highAb, highCd, 0, 1, 4, 5));
      v128.store(at + 3 * room, v128.shuffle<i32>(highAb, highCd, 2, 3, 6, 7));
      at += room << 2;
    }
    fromAt += BLOCK * stride;
  }
}

/** Sums `length` rows of eight columns with four sets of weights. */
function mixRows(
  weightsAt: u32,
  weightStride: u32,
  rowsAt: u32,
  rowStride: u32,
  length: u32,
  toAt: u32,
  toStride: u32,
): void {
  let a0 = f32x4.splat(0), a1 = a0;
  let b0 = a0, b1 = a0;
  let c0 = a0, c1 = a0;
  let d0 = a0, d1 = a0;
  for (const end = weightsAt + (length << 2); weightsAt < end; weightsAt += 4) {
    const left = v128.load(rowsAt);
    const right = v128.load(rowsAt, 16);
    let weight = v128.load32_splat(weightsAt);
    a0 = f32x4.add(a0, f32x4.mul(weight, left));
    a1 = f32x4.add(a1, f32x4.mul(weight, right));
    weight = v128.load32_splat(weightsAt + weightStride);
    b0 = f32x4.add(b0, f32x4.mul(weight, left));
    b1 = f32x4.add(b1, f32x4.mul(weight, right));
    weight = v128.load32_splat(weightsAt + 2 * weightStride);
    c0 = f32x4.add(c0, f32x4.mul(weight, left));
    c1 = f32x4.add(c1, f32x4.mul(weight, right));
    weight = v128.load32_splat(weightsAt + 3 * weightStride);
    d0 = f32x4.add(d0, f32x4.mul(weight, left));
    d1 = f32x4.add(d1, f32x4.mul(weight, right));
    rowsAt += rowStride;
  }
  v128.store(toAt, a0);
  v128.store(toAt, a1, 16);
  v128.store(toAt + toStride, b0);
  v128.store(toAt + toStride, b1, 16);
  v128.store(toAt + 2 * toStride, c0);
  v128.store(toAt + 2 * toStride, c1, 16);
  v128.store(toAt + 3 * toStride, d0);
  v128.store(toAt + 3 * toStride, d1, 16);
}

/** What lies between the last number and a multiple of four counts as nothing. */
function softmax(at: u32, count: u32, factor: f32): void {
  const end = at + (count << 2);
  for (let i = end; i & 15; i += 4) store<f32>(i, -Infinity);
  let most = f32x4.splat(-Infinity);
  for (let i = at; i < end; i += 16) most = f32x4.max(most, v128.load(i));
  most = f32x4.splat(largestOf(most));
  const factors = f32x4.splat(factor);
  let sums = f32x4.splat(0);
  for (let i = at; i < end; i += 16) {
    const power = powerOfE(f32x4.mul(f32x4.sub(v128.load(i), most), factors));
    v128.store(i, power);
    sums = f32x4.add(sums, power);
  }
  const inverse = f32x4.splat(<f32>1 / sumOf(sums));
  for (let i = at; i < end; i += 16) v128.store(i, f32x4.mul(v128.load(i), inverse));
}

/**
 * e to the power of numbers that are not above 0; at least that of -87, the smallest with full precision. The power of 2
 * is split off, and the rest, up to half of ln 2, goes through the polynomial of the Cephes library.
 */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function powerOfE(values: v128): v128 {
  const x = f32x4.max(values, f32x4.splat(-87));
  const twos = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504088896341)));
  let rest = f32x4.sub(x, f32x4.mul(twos, f32x4.splat(0.693359375)));
  rest = f32x4.sub(rest, f32x4.mul(twos, f32x4.splat(-2.12194440e-4)));
  let sum = f32x4.splat(1.9875691500e-4);
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1.3981999507e-3));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(8.3334519073e-3));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(4.1665795894e-2));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(1.6666665459e-1));
  sum = f32x4.add(f32x4.mul(sum, rest), f32x4.splat(5.0000001201e-1));
  sum = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(sum, rest), rest), rest), f32x4.splat(1));
  const exponents = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(twos), i32x4.splat(127)), 23);
  return f32x4.mul(sum, exponents);
}
