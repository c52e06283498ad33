/** The four 32-bit floats of a vector, always taken in the same order. */

// @ts-expect-error: a decorator of AssemblyScript
@inline
export function sumOf(lanes: v128): f32 {
  return (
    f32x4.extract_lane(lanes, 0) +
    f32x4.extract_lane(lanes, 1) +
    f32x4.extract_lane(lanes, 2) +
    f32x4.extract_lane(lanes, 3)
  );
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
export function largestOf(lanes: v128): f32 {
  return max<f32>(
    max<f32>(f32x4.extract_lane(lanes, 0), f32x4.extract_lane(lanes, 1)),
    max<f32>(f32x4.extract_lane(lanes, 2), f32x4.extract_lane(lanes, 3)),
  );
}
