/** Comparing bit codes: how many bits differ, of one pair or of one code and very many, and which are nearest. */

/** How many bits differ between two codes. */
export function hamming(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number, words: number): number {
  let sum = 0;
  for (let i = 0; i < words; i += 1) {
    let bits = (a[aAt + i] ?? 0) ^ (b[bAt + i] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
    sum += Math.imul(bits, 0x01010101) >>> 24;
  }
  return sum;
}

/**
 * The distances of one code to many, lying one after the other. Two words are counted together, and the counts of four
 * such pairs before they are added up: a third of the work of counting each alone.
 */
export function hammingScan(
  query: Uint32Array,
  queryAt: number,
  bits: Uint32Array,
  count: number,
  words: number,
  out: Uint16Array,
): void {
  if (words === 8) {
    scan256(query, queryAt, bits, count, out);
    return;
  }
  for (let row = 0, at = 0; row < count; row += 1, at += words) {
    let sum = 0;
    for (let from = 0; from < words; from += 8) {
      const end = Math.min(from + 8, words);
      let bytes = 0;
      for (let i = from; i < end; i += 2) {
        let x = (query[queryAt + i] ?? 0) ^ (bits[at + i] ?? 0);
        let y = i + 1 < end ? (query[queryAt + i + 1] ?? 0) ^ (bits[at + i + 1] ?? 0) : 0;
        x -= (x >>> 1) & 0x55555555;
        y -= (y >>> 1) & 0x55555555;
        x = (x & 0x33333333) + ((x >>> 2) & 0x33333333) + (y & 0x33333333) + ((y >>> 2) & 0x33333333);
        bytes += (x & 0x0f0f0f0f) + ((x >>> 4) & 0x0f0f0f0f);
      }
      const pairs = (bytes & 0x00ff00ff) + ((bytes >>> 8) & 0x00ff00ff);
      sum += (pairs & 0xffff) + (pairs >>> 16);
    }
    out[row] = sum;
  }
}

/** The same for codes of 256 bits. Carry-save adders turn eight words into four to be counted: twice as fast. */
function scan256(query: Uint32Array, queryAt: number, codes: Uint32Array, count: number, out: Uint16Array): void {
  // Signed, because a number above 2^31 is allocated until V8 has compiled the loop; the bits are the same.
  const [q0 = 0, q1 = 0, q2 = 0, q3 = 0, q4 = 0, q5 = 0, q6 = 0, q7 = 0] = signed(query.subarray(queryAt, queryAt + 8));
  const bits = signed(codes);
  for (let row = 0, at = 0; row < count; row += 1, at += 8) {
    const x0 = q0 ^ (bits[at] ?? 0);
    const x1 = q1 ^ (bits[at + 1] ?? 0);
    const x2 = q2 ^ (bits[at + 2] ?? 0);
    const x3 = q3 ^ (bits[at + 3] ?? 0);
    const x4 = q4 ^ (bits[at + 4] ?? 0);
    const x5 = q5 ^ (bits[at + 5] ?? 0);
    const x6 = q6 ^ (bits[at + 6] ?? 0);
    const x7 = q7 ^ (bits[at + 7] ?? 0);
    const u = x0 ^ x1;
    const v = u ^ x2 ^ x3;
    const w = v ^ x4 ^ x5;
    const y = w ^ x6;
    const twosA = (x0 & x1) | (u & x2);
    const twosB = ((u ^ x2) & x3) | (v & x4);
    const twosC = ((v ^ x4) & x5) | (w & x6);
    const twosD = y & x7;
    const z = twosA ^ twosB;
    const twos = z ^ twosC;
    const foursA = (twosA & twosB) | (z & twosC);
    const foursB = twos & twosD;
    const bytes =
      byteCounts(y ^ x7) +
      2 * byteCounts(twos ^ twosD) +
      4 * byteCounts(foursA ^ foursB) +
      8 * byteCounts(foursA & foursB);
    const pairs = (bytes & 0x00ff00ff) + ((bytes >>> 8) & 0x00ff00ff);
    out[row] = (pairs & 0xffff) + (pairs >>> 16);
  }
}

function signed(words: Uint32Array): Int32Array {
  return new Int32Array(words.buffer, words.byteOffset, words.length);
}

/** The number of bits set in each byte of a word. */
function byteCounts(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (nibbles + (nibbles >>> 4)) & 0x0f0f0f0f;
}

/**
 * The rows with about the `most` smallest distances, in row order. Rows at the same distance are given together or not
 * at all, so that the order in which rows lie does not matter: twice as many are, at most, if nearer ones are left
 * without them.
 */
export function nearestRows(distances: Uint16Array, count: number, most: number, farthest = 65_535): Int32Array {
  const histogram = new Uint32Array(65_536);
  for (let row = 0; row < count; row += 1) {
    const distance = distances[row] ?? 0;
    histogram[distance] = (histogram[distance] ?? 0) + 1;
  }
  let edge = -1;
  let within = 0;
  for (let distance = 0; distance < farthest && within < most; distance += 1) {
    const here = histogram[distance] ?? 0;
    if (here === 0) continue;
    if (within > 0 && within + here > 2 * most) break;
    within += here;
    edge = distance;
  }
  const rows = new Int32Array(within);
  for (let row = 0, kept = 0; row < count && kept < within; row += 1) {
    if ((distances[row] ?? 0) <= edge) rows[kept++] = row;
  }
  return rows;
}
