/** The pieces of a word: the whole word if it is a piece, else repeatedly the longest piece that fits. */
import { FNV_PRIME, START_SEED, wordAt, wordHash, wordLength } from "./words";

const HASH_SIGN: u32 = 0x23;
/** A piece inside a word differs from the same letters at its start, so it hashes from another seed. */
const INSIDE_SEED: u32 = 0x2f0b4a27;

let tableAt: u32 = 0;
let tableMask: u32 = 0;
let endsAt: u32 = 0;
let piecesAt: u32 = 0;
let piecesLength: u32 = 0;
let pieceCount: u32 = 0;
let hashesAt: u32 = 0;
let maxPieceLetters: u32 = 0;
let maxPieces: u32 = 0;
/** The pieces that were found. */
let idsAt: u32 = 0;
/** The piece that `longestAt` found. */
let found: i32 = -1;

export function placePieces(
  table: u32,
  slots: u32,
  ends: u32,
  pieces: u32,
  length: u32,
  count: u32,
): void {
  tableAt = table;
  tableMask = slots - 1;
  endsAt = ends;
  piecesAt = pieces;
  piecesLength = length;
  pieceCount = count;
}

/** `hashes`: room for that of each beginning of a piece. */
export function placeIds(ids: u32, hashes: u32, letters: u32, piecesPerWord: u32): void {
  idsAt = ids;
  hashesAt = hashes;
  maxPieceLetters = letters;
  maxPieces = piecesPerWord;
}

/** Writes the ids of the last word's pieces from this index on and returns the index after them. */
export function cutWord(index: u32): u32 {
  const whole = find(wordHash, 0, wordLength, false);
  if (whole >= 0) {
    store<i32>(idsAt + (index << 2), whole);
    return index + 1;
  }
  const last = index + maxPieces;
  let end = index;
  for (let from: u32 = 0; from < wordLength && end < last; ) {
    const size = longestAt(from);
    if (size > 0) store<i32>(idsAt + (end++ << 2), found);
    from += max<u32>(size, 1);
  }
  return end;
}

/** The length of the longest piece that begins here; 0 if none does. */
function longestAt(from: u32): u32 {
  const isInside = from > 0;
  const letters = min<u32>(maxPieceLetters, wordLength - from);
  let hash = isInside ? INSIDE_SEED : START_SEED;
  for (let i: u32 = 0; i < letters; i++) {
    hash = (hash ^ load<u8>(wordAt + from + i)) * FNV_PRIME;
    store<u32>(hashesAt + (i << 2), hash);
  }
  for (let size = letters; size > 0; size--) {
    found = find(load<u32>(hashesAt + ((size - 1) << 2)), from, size, isInside);
    if (found >= 0) return size;
  }
  return 0;
}

function find(hash: u32, from: u32, length: u32, isInside: bool): i32 {
  const mixed = (hash ^ (hash >>> 15)) * 0x2c1b3c6d;
  let slot = (mixed ^ (mixed >>> 13)) & tableMask;
  // The number of steps ends the loop even in a damaged, full table.
  for (let steps: u32 = 0; steps <= tableMask; steps++) {
    const entry = tableAt + (slot << 3);
    const index = load<u32>(entry, 4) - 1;
    if (index == 0xffffffff) return -1;
    if (load<u32>(entry) == hash && isPiece(index, from, length, isInside)) return index as i32;
    slot = (slot + 1) & tableMask;
  }
  return -1;
}

/** One unknown word in a hundred thousand has the hash of a piece, so the letters are compared too. */
function isPiece(index: u32, from: u32, length: u32, isInside: bool): bool {
  if (index >= pieceCount) return false;
  const marks: u32 = isInside ? 2 : 0;
  const first = load<u32>(endsAt + (index << 2));
  const end = load<u32>(endsAt + (index << 2), 4);
  if (end - first != length + marks || end > piecesLength || first > end) return false;
  const letters = piecesAt + first;
  if (isInside && load<u8>(letters) != HASH_SIGN) return false;
  for (let i: u32 = 0; i < length; i++) {
    if (load<u8>(letters + marks + i) != load<u8>(wordAt + from + i)) return false;
  }
  return true;
}
