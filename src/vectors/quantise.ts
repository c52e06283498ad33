/**
 * The stored form of vectors: a row of 8-bit numbers, and one bit per dimension (its sign) for a first pass over many.
 * A row is scaled by its largest number, so only its direction is stored, together with `1 / length` of the row: the
 * cosine of two rows is their dot product times both.
 */

/** Rows one after the other in three arrays that grow together. Bits are left out where only rows are kept. */
export class CodeBuffer {
  readonly dims: number;
  /** 32-bit words of one bit code. */
  readonly words: number;
  count = 0;
  rows: Int8Array;
  bits: Uint32Array;
  inverses: Float32Array;

  constructor(dims: number, capacity = 64, bits = true) {
    this.dims = dims;
    this.words = bits ? codeWords(dims) : 0;
    this.rows = new Int8Array(capacity * dims);
    this.bits = new Uint32Array(capacity * this.words);
    this.inverses = new Float32Array(capacity);
  }

  /** Takes over a row that `quantise` made, with `1 / length` of it. False, and nothing is added, when that is 0. */
  add(row: Int8Array, inverse: number): boolean {
    if (inverse === 0) return false;
    this.#reserve();
    this.rows.set(row, this.count * this.dims);
    if (this.words > 0) signCode(row, this.bits, this.count * this.words);
    this.inverses[this.count] = inverse;
    this.count += 1;
    return true;
  }

  clear(): void {
    this.count = 0;
  }

  #reserve(): void {
    if (this.count < this.inverses.length) return;
    const capacity = Math.max(64, this.count * 2);
    this.rows = grown(this.rows, new Int8Array(capacity * this.dims));
    this.bits = grown(this.bits, new Uint32Array(capacity * this.words));
    this.inverses = grown(this.inverses, new Float32Array(capacity));
  }
}

function grown<T extends Int8Array | Uint32Array | Float32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

export function codeWords(dims: number): number {
  return Math.ceil(dims / 32);
}

/** Writes a row and returns `1 / length` of it; 0 for a vector without direction. */
export function quantise(vector: ArrayLike<number>, dims: number, rows: Int8Array, at: number): number {
  let largest = 0;
  for (let i = 0; i < dims; i += 1) {
    const size = Math.abs(vector[i] ?? 0);
    if (size > largest) largest = size;
  }
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return 0;
  const scale = 127 / largest;
  let squares = 0;
  for (let i = 0; i < dims; i += 1) {
    const value = Math.round((vector[i] ?? 0) * scale);
    rows[at + i] = value;
    squares += value * value;
  }
  // NaN and infinities show here.
  return squares > 0 ? 1 / Math.sqrt(squares) : 0;
}

/** Writes the signs of a row, a bit for each number. Without a branch for each, because nothing predicts them. */
export function signCode(row: Int8Array, bits: Uint32Array, at: number): void {
  for (let from = 0, word = at; from < row.length; from += 32, word += 1) {
    const end = Math.min(32, row.length - from);
    let code = 0;
    for (let i = 0; i < end; i += 1) code |= (-(row[from + i] as number) >>> 31) << i;
    bits[word] = code;
  }
}

/** Scales a vector to length one, in place; undefined when it has no direction. */
export function normalised(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!(squares > 0 && squares < Number.POSITIVE_INFINITY)) return undefined;
  const length = Math.sqrt(squares);
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}
