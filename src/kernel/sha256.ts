/**
 * SHA-256 of a short text. Loading `node:crypto` takes a hook longer than its ids do; long texts are still hashed there,
 * because native code is much faster.
 */

const ROUNDS = 64;
const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of 64. */
const START = fractions(8, Math.sqrt);
const CONSTANTS = fractions(ROUNDS, Math.cbrt);

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

function fractions(count: number, root: (prime: number) => number): Int32Array {
  const found = new Int32Array(count);
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) {
    if (primes.some((prime) => n % prime === 0)) continue;
    found[primes.length] = Math.floor((root(n) % 1) * 2 ** 32);
    primes.push(n);
  }
  return found;
}
