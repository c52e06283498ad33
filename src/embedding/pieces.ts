/** Splits a word into the model's pieces: the whole word if it is a piece, else repeatedly the longest piece that fits. */
import { hashStep, INSIDE_SEED, type ModelFile, START_SEED, slotOf } from "./model_file.ts";

export const MAX_PIECES_PER_WORD = 12;
const MAX_PIECE_LETTERS = 24;
const HASH_SIGN = 0x23;

const hashes = new Int32Array(MAX_PIECE_LETTERS);

/** Writes the indexes of a word's pieces to `out` from `at` and returns the position after the last. */
export function cutWord(model: ModelFile, word: Uint8Array, length: number, out: Int32Array, at: number): number {
  let hash = START_SEED;
  for (let i = 0; i < length; i += 1) hash = hashStep(hash, word[i] ?? 0);
  const whole = find(model, hash, word, 0, length, false);
  if (whole >= 0) {
    out[at] = whole;
    return at + 1;
  }
  const last = at + MAX_PIECES_PER_WORD;
  let next = at;
  for (let from = 0; from < length && next < last; ) {
    const size = longestAt(model, word, from, Math.min(MAX_PIECE_LETTERS, length - from));
    if (size > 0) out[next++] = found;
    from += Math.max(size, 1);
  }
  return next;
}

/** The piece found by the last `longestAt`; a module variable to avoid allocating a result. */
let found = -1;

function longestAt(model: ModelFile, word: Uint8Array, from: number, maxSize: number): number {
  const inside = from > 0;
  let hash = inside ? INSIDE_SEED : START_SEED;
  for (let i = 0; i < maxSize; i += 1) {
    hash = hashStep(hash, word[from + i] ?? 0);
    hashes[i] = hash;
  }
  for (let size = maxSize; size > 0; size -= 1) {
    found = find(model, hashes[size - 1] ?? 0, word, from, size, inside);
    if (found >= 0) return size;
  }
  return 0;
}

function find(model: ModelFile, hash: number, word: Uint8Array, from: number, length: number, inside: boolean): number {
  const { table } = model;
  const mask = table.length / 2 - 1;
  // The step limit ends the loop even in a damaged, full table.
  for (let slot = slotOf(hash, mask), steps = 0; steps <= mask; slot = (slot + 1) & mask, steps += 1) {
    const index = (table[2 * slot + 1] ?? 0) - 1;
    if (index < 0) return -1;
    if (table[2 * slot] === hash && isPiece(model, index, word, from, length, inside)) return index;
  }
  return -1;
}

/** One unknown word in a hundred thousand has the hash of a piece, so the letters are compared too. */
function isPiece(
  { ends, pieces }: ModelFile,
  index: number,
  word: Uint8Array,
  from: number,
  length: number,
  inside: boolean,
): boolean {
  const marks = inside ? 2 : 0;
  const start = ends[index] ?? 0;
  if ((ends[index + 1] ?? 0) - start !== length + marks) return false;
  if (inside && pieces[start] !== HASH_SIGN) return false;
  for (let i = 0; i < length; i += 1) if (pieces[start + marks + i] !== word[from + i]) return false;
  return true;
}
