/**
 * The file of a static model, in a layout that needs no parsing: a header (sizes and offsets), a hash table from piece to
 * index, the pieces themselves, one scale per row, and the rows of 8-bit numbers. All little-endian; on a big-endian
 * machine the magic number does not match and the file is refused.
 *
 * The rows are most of the file, and a query needs about twenty of them: they are read one by one until many were needed,
 * then all at once.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { EmbedderLoop } from "../loops/embedder_loop.ts";
import { CHARACTER_RULES } from "./words.ts";

export const MAGIC = 0x4d584544;
export const FORMAT = 1;
export const HEAD_BYTES = 64;
export const MAX_DIMS = 4096;
export const MAX_PIECES = 1 << 20;
export const MAX_PIECE_BYTES = 64;
export const MAX_NAME_BYTES = 200;

/** Indexes of the header fields, as 32-bit words. */
export const HEAD = {
  magic: 0,
  format: 1,
  dims: 2,
  count: 3,
  slots: 4,
  nameAt: 5,
  nameBytes: 6,
  tableAt: 7,
  endsAt: 8,
  piecesAt: 9,
  scalesAt: 10,
  rowsAt: 11,
  size: 12,
} as const;

/** After this many single reads, reading all rows at once is cheaper. */
const MAX_SINGLE_READS = 256;

/** A piece inside a word differs from the same letters at its start, so it hashes from another seed. */
export const START_SEED = 0x811c9dc5 | 0;
export const INSIDE_SEED = 0x2f0b4a27 | 0;

export function hashStep(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function slotOf(hash: number, mask: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) & mask;
}

export class ModelFile {
  readonly name: string;
  readonly dims: number;
  readonly count: number;
  /** Its memory holds the file, of which the rows are valid only if `need` was called with them. */
  readonly loop: EmbedderLoop;
  readonly #scalesAt: number;
  readonly #rowsAt: number;
  readonly #read: Uint8Array;
  #fd: number;
  #single = 0;

  /** `maxIds`: the most pieces that are needed at once. */
  constructor(path: string, maxIds: number) {
    this.#fd = openModel(path);
    try {
      const { head, size } = readHead(this.#fd, path);
      this.#rowsAt = field(head, HEAD.rowsAt);
      this.#scalesAt = field(head, HEAD.scalesAt);
      this.dims = field(head, HEAD.dims);
      this.count = field(head, HEAD.count);
      // Untouched pages use no memory.
      this.loop = new EmbedderLoop({ modelBytes: size, count: this.count, dims: this.dims, maxIds }, CHARACTER_RULES);
      const front = this.loop.model.subarray(0, this.#rowsAt);
      readFully(this.#fd, front, 0, path);
      const nameAt = field(head, HEAD.nameAt);
      this.name = new TextDecoder().decode(front.slice(nameAt, nameAt + field(head, HEAD.nameBytes)));
      this.#place(head);
      this.loop.run.findUnit(maxIds);
      this.#read = new Uint8Array(this.count);
    } catch (error) {
      this.close();
      throw error instanceof RangeError ? damagedModel(path) : error;
    }
  }

  /** Of a row. */
  scale(index: number): number {
    const { buffer, byteOffset } = this.loop.model;
    return new DataView(buffer, byteOffset + this.#scalesAt).getFloat32(index * 4, true);
  }

  /** Valid only if `need` was called with it. */
  row(index: number): Int8Array {
    const { buffer, byteOffset } = this.loop.model;
    return new Int8Array(buffer, byteOffset + this.#rowsAt + index * this.dims, this.dims);
  }

  /** Reads the rows of the first pieces in the loop's `ids`, if not yet read. */
  need(count: number): void {
    if (this.#fd < 0) return;
    const { ids } = this.loop;
    for (let i = 0; i < count; i += 1) {
      const index = ids[i] ?? 0;
      if (this.#read[index] === 1) continue;
      if (this.#single === MAX_SINGLE_READS) {
        this.readAll();
        return;
      }
      readFully(this.#fd, this.row(index), this.#rowsAt + index * this.dims, this.name);
      this.#read[index] = 1;
      this.#single += 1;
    }
  }

  readAll(): void {
    if (this.#fd < 0) return;
    readFully(this.#fd, this.loop.model.subarray(this.#rowsAt), this.#rowsAt, this.name);
    this.close();
  }

  /** Unread rows stay empty: only for a model that is no longer used or fully read. */
  close(): void {
    if (this.#fd < 0) return;
    closeSync(this.#fd);
    this.#fd = -1;
  }

  /** A table, pieces or scales beyond the end of the file are a `RangeError`. */
  #place(head: Uint32Array): void {
    const { model, modelAt, run } = this.loop;
    const slots = field(head, HEAD.slots);
    const tableAt = field(head, HEAD.tableAt);
    const endsAt = field(head, HEAD.endsAt);
    const piecesAt = field(head, HEAD.piecesAt);
    const parts: [at: number, bytes: number][] = [
      [tableAt, 8 * slots],
      [endsAt, 4 * (this.count + 1)],
      [this.#scalesAt, 4 * this.count],
    ];
    for (const [at, bytes] of parts) {
      if (at % 4 !== 0 || at + bytes > model.length) throw new RangeError("The parts of the model do not fit.");
    }
    const piecesLength = this.#scalesAt - piecesAt;
    run.placePieces(modelAt + tableAt, slots, modelAt + endsAt, modelAt + piecesAt, piecesLength, this.count);
    run.placeRows(modelAt + this.#scalesAt, modelAt + this.#rowsAt, this.count);
  }
}

export function openModel(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw new DexError("no_embedding_model", `dex cannot read the embedding model ${path}: ${errorMessage(error)}`, {
      hint: "Reinstall dex, or set embedding.provider: none to search by words alone.",
      cause: error,
    });
  }
}

function readHead(fd: number, path: string): { head: Uint32Array; size: number } {
  const { size } = fstatSync(fd);
  if (size < HEAD_BYTES) throw damagedModel(path);
  const head = new Uint32Array(HEAD_BYTES / 4);
  readFully(fd, new Uint8Array(head.buffer), 0, path);
  if (field(head, HEAD.magic) !== MAGIC) throw damagedModel(path);
  if (field(head, HEAD.format) !== FORMAT) {
    throw new DexError(
      "bad_model",
      `${path} has format ${field(head, HEAD.format)}; this version of dex reads format ${FORMAT}.`,
      {
        hint: "Reinstall dex.",
      },
    );
  }
  const dims = field(head, HEAD.dims);
  const count = field(head, HEAD.count);
  const slots = field(head, HEAD.slots);
  const places = [
    HEAD_BYTES,
    field(head, HEAD.nameAt) + field(head, HEAD.nameBytes),
    field(head, HEAD.tableAt),
    field(head, HEAD.endsAt),
    field(head, HEAD.piecesAt),
    field(head, HEAD.scalesAt),
    field(head, HEAD.rowsAt),
  ];
  const ordered = places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0));
  const sized = dims > 0 && dims <= MAX_DIMS && count > 0 && count <= MAX_PIECES && slots > count;
  const whole = field(head, HEAD.size) === size && field(head, HEAD.rowsAt) + dims * count === size;
  if (!ordered || !sized || !whole || (slots & (slots - 1)) !== 0) throw damagedModel(path);
  return { head, size };
}

function field(head: Uint32Array, place: number): number {
  return head[place] ?? 0;
}

export function readFully(fd: number, into: Uint8Array | Int8Array, at: number, path: string): void {
  for (let done = 0; done < into.byteLength; ) {
    const read = readSync(fd, into, done, into.byteLength - done, at + done);
    if (read === 0) throw damagedModel(path);
    done += read;
  }
}

export function damagedModel(path: string): DexError {
  return new DexError("bad_model", `${path} is not a model file of dex, or it is truncated.`, {
    hint: "Reinstall dex, or set embedding.provider: none to search by words alone.",
  });
}
