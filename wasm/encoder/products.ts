/** Products of matrices of 8-bit weights, with a scale for each row, and rows of rounded numbers. */

/** Rows that are multiplied with each other at a time. */
export const BLOCK: u32 = 4;

/**
 * Multiplies rows of rounded numbers by four rows of weights, which are loaded once for four rows of numbers. If those
 * are no multiple of four, up to three further rows get a product, too. `middlesAt`: for each row of weights, what the
 * middle of the rounded numbers adds to its sum.
 */
export function multiplyRows(
  weightsAt: u32,
  scalesAt: u32,
  biasesAt: u32,
  middlesAt: u32,
  cols: u32,
  toAt: u32,
  toStride: u32,
  at: u32,
  stepsAt: u32,
  count: u32,
): void {
  const scales = v128.load(scalesAt);
  const biases = v128.load(biasesAt);
  const middles = v128.load(middlesAt);
  for (let row: u32 = 0; row < count; row += BLOCK) {
    let a0 = i32x4.splat(0), a1 = a0, a2 = a0, a3 = a0;
    let b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    let c0 = a0, c1 = a0, c2 = a0, c3 = a0;
    let d0 = a0, d1 = a0, d2 = a0, d3 = a0;
    let weightAt = weightsAt;
    for (const end = weightsAt + cols; weightAt < end; weightAt += 16) {
      const a = v128.load(at);
      const b = v128.load(at + cols);
      const c = v128.load(at + 2 * cols);
      const d = v128.load(at + 3 * cols);
      at += 16;
      let weights = v128.load(weightAt);
      a0 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, a, a0);
      b0 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, b, b0);
      c0 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, c, c0);
      d0 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, d, d0);
      weights = v128.load(weightAt + cols);
      a1 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, a, a1);
      b1 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, b, b1);
      c1 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, c, c1);
      d1 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, d, d1);
      weights = v128.load(weightAt + 2 * cols);
      a2 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, a, a2);
      b2 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, b, b2);
      c2 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, c, c2);
      d2 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, d, d2);
      weights = v128.load(weightAt + 3 * cols);
      a3 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, a, a3);
      b3 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, b, b3);
      c3 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, c, c3);
      d3 = i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, d, d3);
    }
    at += 3 * cols;
    const stepAt = stepsAt + (row << 2);
    v128.store(toAt, finish(fourSums(a0, a1, a2, a3), middles, scales, v128.load32_splat(stepAt), biases));
    v128.store(toAt + toStride, finish(fourSums(b0, b1, b2, b3), middles, scales, v128.load32_splat(stepAt, 4), biases));
    v128.store(toAt + 2 * toStride, finish(fourSums(c0, c1, c2, c3), middles, scales, v128.load32_splat(stepAt, 8), biases));
    v128.store(toAt + 3 * toStride, finish(fourSums(d0, d1, d2, d3), middles, scales, v128.load32_splat(stepAt, 12), biases));
    toAt += toStride << 2;
  }
}

/** The sums of the lanes of four vectors. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function fourSums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function finish(sums: v128, middles: v128, scales: v128, step: v128, biases: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.mul(step, scales), f32x4.convert_i32x4_s(i32x4.sub(sums, middles))), biases);
}
