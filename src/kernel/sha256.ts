/**
 * SHA-256 of a short text. Loading `node:crypto` takes a hook longer than its ids do; long texts are still hashed there,
 * because native code is much faster.
 */

const ROUNDS = 64;
const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/**
 * The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of 64.
 * Written out, because calculating them takes a hook two milliseconds.
 */
// biome-ignore format: eight in a row
const START = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);
// biome-ignore format: eight in a row
const CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

export function sha256(text: string): string {
  const data = padded(Buffer.from(text));
  const hash = START.slice();
  const words = new Int32Array(ROUNDS);
  for (let at = 0; at < data.length; at += BLOCK_BYTES) addBlock(hash, words, data, at);
  let hex = "";
  for (const word of hash) hex += (word >>> 0).toString(16).padStart(8, "0");
  return hex;
}

/** A one bit, zeros up to the end of a block, and the length in bits. */
function padded(bytes: Buffer): Buffer {
  const blocks = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES);
  const data = Buffer.alloc(blocks * BLOCK_BYTES);
  bytes.copy(data);
  data[bytes.length] = 0x80;
  data.writeBigUInt64BE(BigInt(bytes.length) * 8n, data.length - LENGTH_BYTES);
  return data;
}

function addBlock(hash: Int32Array, words: Int32Array, data: Buffer, at: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = data.readInt32BE(at + i * 4);
  for (let i = 16; i < ROUNDS; i += 1) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < ROUNDS; i += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (CONSTANTS[i] as number) + (words[i] as number)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const other = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] as number) + word;
}

/** The bits of a word, rotated to the right. */
function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
