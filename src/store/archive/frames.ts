/**
 * The archive's file format. A file is a plain .zst (`zstd -dc` prints it as JSON Lines) made of small frames. A zstd
 * skippable frame before each one states its length, its kind and its number of lines. A reader can therefore walk a
 * file without decompressing it, fetch one frame by its offset, and tell a torn tail from a complete one.
 *
 * A segment is `header`, any number of `messages`, `end`. A later segment states with `from` which messages it
 * replaces.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { systemCode } from "../../kernel/errors.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";

export type FrameKind = "header" | "messages" | "end";

const KINDS: readonly FrameKind[] = ["header", "messages", "end"];
const SKIPPABLE_MAGIC = 0x184d2a5d;
const PREFIX_BYTES = 8 + 16;
/** No frame of ours is larger: a greater length is damage, not data. */
const MAX_FRAME_BYTES = 256 << 20;

export interface FrameInfo {
  kind: FrameKind;
  /** Where the frame's compressed data begins, and its length. */
  offset: number;
  length: number;
  lines: number;
}

/** With a checksum, which detects flipped bits. A function, because accessing the constants loads a part of Node. */
const compression = () => ({ [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 });

/** `text`: this number of lines, each ending in a newline. Bytes are UTF-8. */
export function encodeFrame(kind: FrameKind, text: string | Uint8Array, lines: number): Buffer {
  const raw = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  const data = uninterrupted(() => zstdCompressSync(raw, { params: compression() }));
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + data.length);
  frame.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  frame.writeUInt32LE(16, 4);
  frame.writeUInt32LE(data.length, 8);
  frame.writeUInt32LE(raw.length, 12);
  frame.writeUInt32LE(lines, 16);
  frame.writeUInt32LE(KINDS.indexOf(kind), 20);
  data.copy(frame, PREFIX_BYTES);
  return frame;
}

/** The position of the compressed data inside an encoded frame. */
export const FRAME_DATA_OFFSET = PREFIX_BYTES;

/** Every complete frame from the start of the file; stops at the first that is torn or damaged. */
export function scanFrames(fd: number): FrameInfo[] {
  const buffer = Buffer.allocUnsafe(PREFIX_BYTES);
  return scan(fstatSync(fd).size, (position) => {
    readSync(fd, buffer, 0, PREFIX_BYTES, position);
    return buffer;
  });
}

/** The same for bytes in memory. */
export function framesIn(bytes: Buffer): FrameInfo[] {
  return scan(bytes.length, (position) => bytes.subarray(position, position + PREFIX_BYTES));
}

function scan(size: number, prefixAt: (position: number) => Buffer): FrameInfo[] {
  const frames: FrameInfo[] = [];
  let position = 0;
  while (position + PREFIX_BYTES <= size) {
    const prefix = prefixAt(position);
    const kind = KINDS[prefix.readUInt32LE(20)];
    const length = prefix.readUInt32LE(8);
    const valid = prefix.readUInt32LE(0) === SKIPPABLE_MAGIC && prefix.readUInt32LE(4) === 16 && kind;
    if (!valid || length > MAX_FRAME_BYTES || position + PREFIX_BYTES + length > size) break;
    frames.push({
      kind,
      offset: position + PREFIX_BYTES,
      length,
      lines: prefix.readUInt32LE(16),
    });
    position += PREFIX_BYTES + length;
  }
  return frames;
}

export function readFrame(fd: number, offset: number, length: number): string {
  return decodeFrame(readBytes(fd, offset, length));
}

export function readFrameBytes(fd: number, offset: number, length: number): Buffer {
  return unpackFrame(readBytes(fd, offset, length));
}

/** The file ends before the frame does. */
class TornFrame extends Error {
  constructor(offset: number) {
    super(`archive ends inside a frame at byte ${offset}`);
  }
}

/** Whether an error means that an archive file cannot be read: the system refuses, or its bytes are damaged. */
export function isArchiveFailure(error: unknown): boolean {
  return error instanceof TornFrame || error instanceof SyntaxError || systemCode(error) !== undefined;
}

function readBytes(fd: number, offset: number, length: number): Buffer {
  const data = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const more = readSync(fd, data, got, length - got, offset + got);
    if (more === 0) throw new TornFrame(offset);
    got += more;
  }
  return data;
}

export function decodeFrame(data: Uint8Array, maxBytes?: number): string {
  return unpackFrame(data, maxBytes).toString("utf8");
}

/** Lines `from` to `to` (exclusive) of a frame; the others are not made into strings. */
export function readFrameLines(fd: number, offset: number, length: number, from: number, to: number): string[] {
  const bytes = unpackFrame(readBytes(fd, offset, length));
  const lines: string[] = [];
  let start = 0;
  for (let line = 0; line < to; line += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) break;
    if (line >= from) lines.push(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return lines;
}

/** Decompresses a frame, which compares its checksum, and counts its lines. */
export function frameLines(fd: number, { offset, length }: FrameInfo): number {
  const bytes = unpackFrame(readBytes(fd, offset, length));
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

const NEWLINE = 0x0a;
/** The piece size for frames that do not state their size; most fit into one piece. */
const CHUNK = 64 << 10;
const MIN_CHUNK = 1 << 10;
const MAX_STATED = 1 << 20;
/** In a zstd frame's descriptor: the frame has neither a window nor a dictionary, and states its size. */
const SINGLE_SEGMENT = 0x20;

export function unpackFrame(data: Uint8Array, maxBytes: number = MAX_FRAME_BYTES): Buffer {
  const chunkSize = Math.max(MIN_CHUNK, statedSize(data) + 1);
  return uninterrupted(() => zstdDecompressSync(data, { maxOutputLength: maxBytes, chunkSize }));
}

/**
 * The size of the text as the frame's header states it, so that it is unpacked into memory of this size. A guess if the
 * header states it in another way, or a size too large to believe.
 */
function statedSize(data: Uint8Array): number {
  const described = data[4] ?? 0;
  if ((described & 0x23) !== SINGLE_SEGMENT || data.length < 9) return CHUNK;
  const view = new DataView(data.buffer, data.byteOffset + 5);
  switch (described >> 6) {
    case 0:
      return view.getUint8(0);
    case 1:
      return view.getUint16(0, true) + 256;
    case 2:
      return view.getUint32(0, true) <= MAX_STATED ? view.getUint32(0, true) : CHUNK;
    default:
      return CHUNK;
  }
}

/** Opens for reading, passes the descriptor, closes. */
export function withFile<T>(path: string, use: (fd: number) => T): T {
  const fd = openSync(path, "r");
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
