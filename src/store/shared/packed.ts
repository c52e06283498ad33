/** Values of a shared segment as compressed JSON. They come from a server, so the reader of one checks every field. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DamagedBlock } from "../../ranking/terms/damage.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";

const compression = () => ({ [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 });
/** Of one block, or of all entries of a segment, unpacked. */
const MAX_PACKED_BYTES = 96 << 20;

export function pack(value: unknown): Uint8Array {
  return uninterrupted(() => zstdCompressSync(JSON.stringify(value), { params: compression() }));
}

export function unpack<T>(data: Uint8Array, read: (value: unknown) => T): T {
  return unpackAll([data], read)[0] as T;
}

/** Several blocks, which have to share the limit of one. */
export function unpackAll<T>(blocks: readonly Uint8Array[], read: (value: unknown) => T): T[] {
  let left = MAX_PACKED_BYTES;
  return blocks.map((data) => {
    const bytes = unpackBytes(data, left);
    left -= bytes.length;
    return readPacked(bytes, read);
  });
}

function unpackBytes(data: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return uninterrupted(() => zstdDecompressSync(data, { maxOutputLength: Math.max(1, maxOutputLength) }));
  } catch (error) {
    throw unreadable(error);
  }
}

function readPacked<T>(bytes: Buffer, read: (value: unknown) => T): T {
  try {
    return read(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): DamagedBlock {
  return new DamagedBlock(`a block of a shared segment cannot be read: ${String(error).slice(0, 200)}`);
}
