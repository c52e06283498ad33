/** Rounds rows of numbers to whole numbers, each row with a step of its own, as factors of a product. */
import { largestOf } from "./lanes";

/** Signed numbers become -63…63, and this is added. */
export const MIDDLE: i8 = 64;
const SIGNED_STEPS: f32 = 63;
const POSITIVE_STEPS: f32 = 127;
/** Below this, a float has fewer digits, and a row could have more steps than it should. */
const SMALLEST_STEP: f32 = 1.17549435e-38;

export function roundSigned(fromAt: u32, length: u32, count: u32, toAt: u32, stepsAt: u32): void {
  for (let row: u32 = 0; row < count; row++) {
    let most = f32x4.splat(0);
    for (let i: u32 = 0; i < length << 2; i += 16) most = f32x4.max(most, f32x4.abs(v128.load(fromAt + i)));
    store<f32>(stepsAt + (row << 2), roundRow(fromAt, length, largestOf(most) / SIGNED_STEPS, MIDDLE, toAt));
    fromAt += length << 2;
    toAt += length;
  }
}

/** Negative numbers become zeros. */
export function roundPositive(fromAt: u32, length: u32, count: u32, toAt: u32, stepsAt: u32): void {
  const zeros = f32x4.splat(0);
  for (let row: u32 = 0; row < count; row++) {
    let most = zeros;
    for (let i: u32 = 0; i < length << 2; i += 16) {
      const values = f32x4.max(zeros, v128.load(fromAt + i));
      v128.store(fromAt + i, values);
      most = f32x4.max(most, values);
    }
    store<f32>(stepsAt + (row << 2), roundRow(fromAt, length, largestOf(most) / POSITIVE_STEPS, 0, toAt));
    fromAt += length << 2;
    toAt += length;
  }
}

/** Returns the step: 0 for a row of zeros, which makes its products zeros, too. */
function roundRow(fromAt: u32, length: u32, step: f32, middle: i8, toAt: u32): f32 {
  const middles = i8x16.splat(middle);
  const isZero = step < SMALLEST_STEP;
  const steps = f32x4.splat(isZero ? 1 : step);
  for (const end = toAt + length; toAt < end; toAt += 16) {
    const low = i16x8.narrow_i32x4_s(fourSteps(v128.load(fromAt), steps), fourSteps(v128.load(fromAt, 16), steps));
    const high = i16x8.narrow_i32x4_s(fourSteps(v128.load(fromAt, 32), steps), fourSteps(v128.load(fromAt, 48), steps));
    v128.store(toAt, i8x16.add(i8x16.narrow_i16x8_s(low, high), middles));
    fromAt += 64;
  }
  return isZero ? 0 : step;
}

/** Half a step is rounded to the even number. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function fourSteps(values: v128, steps: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.div(values, steps)));
}
