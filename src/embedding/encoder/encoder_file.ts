/**
 * The file of a sentence encoder: a magic number, the length of a JSON header, the header, and the tensors, which
 * `wasm/encoder.ts` reads as they are. A matrix is a scale for each row, then rows of 8-bit numbers; a vector is floats.
 * The header is padded with spaces, so that the tensors begin at a multiple of 8. All little-endian.
 */
import { closeSync, fstatSync } from "node:fs";
import { asNumber, asObject, asString, type JsonObject, parseJson } from "../../kernel/json.ts";
import { damagedModel, MAX_NAME_BYTES, openModel, readFully } from "../model_file.ts";

const MAGIC = "DEXENC1\n";
const START_BYTES = MAGIC.length + 4;
const MAX_HEADER_BYTES = 4096;
const MAX_FILE_BYTES = 1 << 26;
/** All sizes are multiples of this: the floats and bytes of a vector instruction. */
const UNIT = 16;

const MAX_DIMS = 1024;
const MAX_HIDDEN = 4096;
const MAX_LAYERS = 24;
const MAX_POSITIONS = 512;

export interface EncoderSizes {
  /** Those of the static model. */
  readonly tableDims: number;
  /** Those of the network and of its vectors. */
  readonly dims: number;
  readonly heads: number;
  /** The numbers between the two products at the end of a layer. */
  readonly hidden: number;
  readonly layers: number;
  /** The pieces of a text that are read. */
  readonly positions: number;
}

export interface EncoderHeader extends EncoderSizes {
  readonly name: string;
  /** The static model whose rows are the input. */
  readonly table: string;
  /** The rows are multiplied by this. */
  readonly scale: number;
}

export class EncoderFile {
  readonly header: EncoderHeader;
  /** The bytes of all tensors. */
  readonly size: number;
  readonly #path: string;
  readonly #at: number;
  readonly #fd: number;

  constructor(path: string) {
    this.#path = path;
    this.#fd = openModel(path);
    try {
      const { text, end } = readHeader(this.#fd, path);
      const header = checkedHeader(asObject(parseJson(text)));
      if (!header) throw damagedModel(path);
      this.header = header;
      this.#at = end;
      this.size = tensorBytes(header);
      if (this.#at + this.size !== fstatSync(this.#fd).size) throw damagedModel(path);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  readTensors(into: Uint8Array): void {
    readFully(this.#fd, into, this.#at, this.#path);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** The rows of all matrices that are multiplied. */
export function productRows({ dims, hidden, layers }: EncoderSizes): number {
  return dims + layers * (5 * dims + hidden) + dims;
}

function tensorBytes(sizes: EncoderSizes): number {
  const { tableDims, dims, hidden, layers, positions } = sizes;
  const weights = dims * tableDims + layers * (4 * dims * dims + 2 * dims * hidden) + dims * dims;
  const norms = 2 * (1 + 2 * layers) * dims;
  return positions * (4 + dims) + weights + 8 * productRows(sizes) + 4 * norms;
}

function readHeader(fd: number, path: string): { text: string; end: number } {
  const { size } = fstatSync(fd);
  if (size < START_BYTES || size > MAX_FILE_BYTES) throw damagedModel(path);
  const start = Buffer.alloc(START_BYTES);
  readFully(fd, start, 0, path);
  const length = start.readUInt32LE(MAGIC.length);
  const end = START_BYTES + length;
  const fits = length <= MAX_HEADER_BYTES && end <= size && end % 8 === 0;
  if (start.toString("latin1", 0, MAGIC.length) !== MAGIC || !fits) throw damagedModel(path);
  const text = Buffer.alloc(length);
  readFully(fd, text, START_BYTES, path);
  return { text: text.toString("utf8"), end };
}

function checkedHeader(header: JsonObject): EncoderHeader | undefined {
  const name = nameIn(header, "name");
  const table = nameIn(header, "table");
  const tableDims = sizeIn(header, "table_dims", MAX_DIMS);
  const dims = sizeIn(header, "dims", MAX_DIMS);
  const heads = sizeIn(header, "heads", MAX_DIMS);
  const hidden = sizeIn(header, "hidden", MAX_HIDDEN);
  const layers = sizeIn(header, "layers", MAX_LAYERS);
  const positions = sizeIn(header, "positions", MAX_POSITIONS);
  const scale = asNumber(header.scale);
  if (!name || !table || !tableDims || !dims || !heads || !hidden || !layers || !positions) return undefined;
  if (scale === undefined) return undefined;
  const areWhole = [tableDims, dims, hidden, positions, dims / heads].every((size) => size % UNIT === 0);
  return areWhole ? { name, table, tableDims, dims, heads, hidden, layers, positions, scale } : undefined;
}

function nameIn(header: JsonObject, field: string): string | undefined {
  const name = asString(header[field]);
  return name && name.length <= MAX_NAME_BYTES ? name : undefined;
}

/** A whole number from 1 to a limit. */
function sizeIn(header: JsonObject, field: string, limit: number): number | undefined {
  const size = asNumber(header[field]);
  return size !== undefined && Number.isInteger(size) && size >= 1 && size <= limit ? size : undefined;
}
