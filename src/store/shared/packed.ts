/** Values of a shared segment as compressed JSON. They come from a server, so the reader of one checks every field. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DamagedBlock } from "../../ranking/terms/damage.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";

const compression = () => ({ [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 });
const MAX_PACKED_BYTES = 256 << 20;

export function pack(value: unknown): Uint8Array {
  return uninterrupted(() => zstdCompressSync(JSON.stringify(value), { params: compression() }));
}

export function unpack<T>(data: Uint8Array, read: (value: unknown) => T): T {
  try {
    const text = uninterrupted(() => zstdDecompressSync(data, { maxOutputLength: MAX_PACKED_BYTES })).toString("utf8");
    return read(JSON.parse(text));
  } catch (error) {
    throw new DamagedBlock(`a block of a shared segment cannot be read: ${String(error).slice(0, 200)}`);
  }
}
