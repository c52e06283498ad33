/**
 * Packs trained weights into the file that dex reads (the layout is in src/embedding/model_file.ts).
 *
 *   node training/pack.ts <folder> <name> <dims> <out>
 *
 * The folder holds q.i8 (8-bit rows, one after the other), s.f16 (one half-precision scale a row) and tokenizer.json
 * ({"vocab": [...]}, pieces inside a word marked by ##).
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  FORMAT,
  HEAD,
  HEAD_BYTES,
  hashStep,
  INSIDE_SEED,
  MAGIC,
  MAX_DIMS,
  MAX_NAME_BYTES,
  MAX_PIECE_BYTES,
  MAX_PIECES,
  START_SEED,
  slotOf,
} from "../src/embedding/model_file.ts";

export interface Weights {
  name: string;
  dims: number;
  vocab: readonly string[];
  /** 8-bit numbers, `dims` of them a piece. */
  rows: Int8Array;
  scales: Float32Array;
}

export function packModel({ name, dims, vocab, rows, scales }: Weights): Uint8Array {
  const count = vocab.length;
  const nameBytes = new TextEncoder().encode(name);
  check(nameBytes.length > 0 && nameBytes.length <= MAX_NAME_BYTES, "the name is empty or too long");
  check(dims > 0 && dims <= MAX_DIMS && Number.isInteger(dims), `${dims} dimensions`);
  check(count > 0 && count <= MAX_PIECES, `${count} pieces`);
  check(new Set(vocab).size === count, "a piece is there twice");
  check(rows.length === count * dims, `${rows.length} numbers for ${count} rows of ${dims}`);
  check(scales.length === count, `${scales.length} scales for ${count} rows`);
  check(scales.every(Number.isFinite), "a scale is not a number");
  const pieces = vocab.map((piece) => asciiBytes(piece));
  const slots = 2 ** Math.ceil(Math.log2(2 * count));

  const nameAt = HEAD_BYTES;
  const tableAt = aligned(nameAt + nameBytes.length);
  const endsAt = tableAt + 8 * slots;
  const piecesAt = endsAt + 4 * (count + 1);
  const scalesAt = aligned(piecesAt + pieces.reduce((sum, { length }) => sum + length, 0));
  const rowsAt = aligned(scalesAt + 4 * count);
  const size = rowsAt + rows.length;

  const file = new Uint8Array(size);
  const head = new Uint32Array(file.buffer, 0, HEAD_BYTES / 4);
  const fields = { magic: MAGIC, format: FORMAT, dims, count, slots, nameAt, nameBytes: nameBytes.length };
  const places = { tableAt, endsAt, piecesAt, scalesAt, rowsAt, size };
  for (const [key, value] of Object.entries({ ...fields, ...places })) head[HEAD[key as keyof typeof HEAD]] = value;
  file.set(nameBytes, nameAt);

  const table = new Int32Array(file.buffer, tableAt, 2 * slots);
  const ends = new Uint32Array(file.buffer, endsAt, count + 1);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    ends[index] = at;
    file.set(piece, piecesAt + at);
    at += piece.length;
    insert(table, hashOf(piece), index);
  }
  ends[count] = at;
  new Float32Array(file.buffer, scalesAt, count).set(scales);
  new Int8Array(file.buffer, rowsAt).set(rows);
  return file;
}

function insert(table: Int32Array, hash: number, index: number): void {
  const mask = table.length / 2 - 1;
  let slot = slotOf(hash, mask);
  while (table[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
  table[2 * slot] = hash;
  table[2 * slot + 1] = index + 1;
}

function hashOf(piece: Uint8Array): number {
  const inside = piece[0] === 0x23 && piece[1] === 0x23;
  let hash = inside ? INSIDE_SEED : START_SEED;
  for (const byte of inside ? piece.subarray(2) : piece) hash = hashStep(hash, byte);
  return hash;
}

function asciiBytes(piece: string): Uint8Array {
  const bytes = new TextEncoder().encode(piece);
  check(bytes.length > 0 && bytes.length <= MAX_PIECE_BYTES, `the piece ${JSON.stringify(piece)} is empty or too long`);
  check(bytes.length === piece.length, `the piece ${JSON.stringify(piece)} is not ASCII, and words are`);
  return bytes;
}

function aligned(place: number): number {
  return Math.ceil(place / 64) * 64;
}

function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(`These weights cannot be packed: ${otherwise}.`);
}

/** Half-precision numbers, which Node has no array for everywhere yet. */
function fromHalf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) => {
    const half = view.getUint16(2 * i, true);
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >>> 10) & 31;
    const fraction = half & 1023;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return exponent === 0 ? (sign * fraction) / 2 ** 24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

if (import.meta.main) {
  const [folder, name, dims, out] = process.argv.slice(2);
  if (folder === undefined || name === undefined || dims === undefined || out === undefined) {
    process.stderr.write("usage: node training/pack.ts <folder> <name> <dims> <out>\n");
    process.exit(2);
  }
  const { vocab } = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")) as { vocab: string[] };
  const rows = new Int8Array(readFileSync(join(folder, "q.i8")));
  const scales = fromHalf(readFileSync(join(folder, "s.f16")));
  const file = packModel({ name, dims: Number(dims), vocab, rows, scales });
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, file);
  process.stdout.write(`${out}: ${(file.length / 1e6).toFixed(2)} MB, ${vocab.length} pieces of ${dims} dimensions\n`);
}
