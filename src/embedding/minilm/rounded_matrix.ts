/** A matrix in whole numbers, with one scale for each of its columns. */

/** Seven bits instead of eight: without special instructions, processors add two products in sixteen bits. */
const LARGEST = 63;

/** `bytes`: half-precision numbers, one row for each result. The values come column by column, as the product needs them. */
export function roundedMatrix(
  bytes: Uint8Array,
  from: number,
  to: number,
): { values: Int8Array; scales: Float32Array } {
  // A copy, because the bytes of a file need not be aligned.
  const numbers = new Float32Array(new Float16Array(new Uint8Array(bytes).buffer));
  const values = new Int8Array(from * to);
  const scales = new Float32Array(to);
  for (let row = 0; row < to; row += 1) {
    let largest = 0;
    for (let i = 0; i < from; i += 1) largest = Math.max(largest, Math.abs(numbers[row * from + i] as number));
    const scale = largest / LARGEST;
    scales[row] = scale;
    if (scale === 0) continue;
    for (let i = 0; i < from; i += 1) values[i * to + row] = Math.round((numbers[row * from + i] as number) / scale);
  }
  return { values, scales };
}
