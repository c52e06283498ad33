/**
 * Refuses a PDF with a stream that unpacks to far more than a page or an image has. PDF.js unpacks the content of a page
 * as a whole, and cannot be interrupted meanwhile: a megabyte may become a gigabyte, and take minutes.
 */
import { inflateSync, constants as zlib } from "node:zlib";
import { DexError, systemCode } from "../../../kernel/errors.ts";

const MAX_UNPACKED_BYTES = 128 << 20;
/** zlib shortens nothing by more than this. */
const MAX_RATIO = 1032;
const MIN_SUSPECT_BYTES = Math.floor(MAX_UNPACKED_BYTES / MAX_RATIO);
/** The dictionary before a stream is looked for this far back. */
const MAX_DICTIONARY_BYTES = 4096;
const BEGIN = "stream";
const END = "endstream";

export function checkUnpackedSize(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf(BEGIN); at >= 0; ) {
    const start = skipLineEnd(file, at + BEGIN.length);
    const found = file.indexOf(END, start);
    const end = found < 0 ? file.length : found;
    const layers = packedLayers(file, at);
    // Several layers multiply.
    if (layers > 1 || (layers === 1 && end - start >= MIN_SUSPECT_BYTES)) unpack(file.subarray(start, end), layers);
    if (found < 0) return;
    at = file.indexOf(BEGIN, found + END.length);
  }
}

function skipLineEnd(file: Buffer, at: number): number {
  const next = file[at] === 0x0d ? at + 1 : at;
  return file[next] === 0x0a ? next + 1 : next;
}

/** How many times the stream that begins here is packed. */
function packedLayers(file: Buffer, at: number): number {
  const before = file.toString("latin1", Math.max(0, at - MAX_DICTIONARY_BYTES), at);
  return before.slice(before.lastIndexOf(" obj") + 1).match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
}

function unpack(data: Buffer, layers: number): void {
  let unpacked = data;
  for (let layer = 0; layer < layers && unpacked.length > 0; layer += 1) {
    try {
      unpacked = inflateSync(unpacked, { maxOutputLength: MAX_UNPACKED_BYTES, finishFlush: zlib.Z_SYNC_FLUSH });
    } catch (error) {
      if (systemCode(error) === "ERR_BUFFER_TOO_LARGE")
        throw new DexError("pdf_too_long", "it has a stream that unpacks to more than dex reads");
      // It is encrypted or damaged; PDF.js says so where it matters.
      return;
    }
  }
}
