/** The exact dot product of two rows of quantised vectors, which a search computes in WebAssembly. */
export function dot8(a: Int8Array, aAt: number, b: Int8Array, bAt: number, dims: number): number {
  let sum = 0;
  for (let i = 0; i < dims; i += 1) sum = (sum + Math.imul(a[aAt + i] ?? 0, b[bAt + i] ?? 0)) | 0;
  return sum;
}
