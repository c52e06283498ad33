/**
 * Lines of a zstd-compressed file, in bounded memory and synchronously.
 *
 * Node can decompress synchronously only as a whole. That is enough for nearly every file; for one that unpacks to more
 * than MAX_WHOLE_BYTES, a worker thread unpacks it, frame by frame, and passes one piece at a time through shared memory.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { constants, type ZstdOptions, zstdDecompressSync } from "node:zlib";
import { systemCode } from "../../../kernel/errors.ts";
import { bufferLines, type Line, type LineOptions } from "../../../kernel/files/lines.ts";
import { statOrUndefined } from "./files.ts";

const MAX_WHOLE_BYTES = 64 << 20;
/** Lines are cut out of pieces of this size. */
const PIECE_BYTES = 8 << 20;
/** A longer line is skipped. */
const MAX_LINE_BYTES = 256 << 20;
const NEWLINE = 0x0a;

interface ZstdLineOptions extends LineOptions {
  /** A file that unpacks to more goes through the worker. For tests. */
  whole?: number;
}

/**
 * Throws if the file cannot be read or is damaged: the content before the damage has then been returned already, or not
 * at all.
 */
export function* zstdLines(path: string, options: ZstdLineOptions = {}): Generator<Line> {
  const whole = options.whole ?? MAX_WHOLE_BYTES;
  const bytes = (statOrUndefined(path)?.size ?? 0) <= whole ? unpack(readFileSync(path), whole) : undefined;
  if (bytes) yield* bufferLines(bytes, options);
  else yield* pieceLines(workerPieces(path), options);
}

/** The first bytes of the unpacked file, from the first `compressed` bytes of the packed one; empty if damaged. */
export function zstdHead(path: string, compressed: number): Buffer {
  const bytes = Buffer.alloc(compressed);
  const fd = openSync(path, "r");
  try {
    const got = readSync(fd, bytes, 0, compressed, 0);
    return unpack(bytes.subarray(0, got), MAX_WHOLE_BYTES) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  } finally {
    closeSync(fd);
  }
}

/** Undefined if it is larger than the limit. A truncated file gives the content it has. */
function unpack(bytes: Buffer, limit: number): Buffer | undefined {
  const frames: Buffer[] = [];
  let left = limit;
  try {
    // A program that appends writes one frame after another; Node unpacks one at a time.
    for (let at = 0; at < bytes.length; ) {
      if (left <= 0) return undefined;
      const { buffer, engine } = unpackFrame(bytes.subarray(at), left);
      frames.push(buffer);
      left -= buffer.length;
      if (engine.bytesWritten <= 0) break;
      at += engine.bytesWritten;
    }
    return frames.length === 1 ? frames[0] : Buffer.concat(frames);
  } catch (error) {
    if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") return undefined;
    if (frames.length > 0) return Buffer.concat(frames);
    throw error;
  }
}

interface UnpackedFrame {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/** With `info`, Node also returns the decompressor, which knows how many bytes the frame had. */
function unpackFrame(bytes: Buffer, limit: number): UnpackedFrame {
  const options: ZstdOptions = { maxOutputLength: limit, finishFlush: constants.ZSTD_e_flush, info: true };
  return zstdDecompressSync(bytes, options) as unknown as UnpackedFrame;
}

function* pieceLines(pieces: Iterable<Buffer>, options: LineOptions): Generator<Line> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let base = 0;
  let passingOver = false;
  const lines = function* (bytes: Buffer): Generator<Line> {
    for (const line of bufferLines(bytes, options)) {
      yield { ...line, offset: base + line.offset, end: base + line.end };
    }
    base += bytes.length;
  };

  // The lines before the damage are returned first.
  let damage: unknown;
  const whole = function* (): Generator<Buffer> {
    try {
      yield* pieces;
    } catch (error) {
      damage = error;
    }
  };
  for (let piece of whole()) {
    if (passingOver) {
      const newline = piece.indexOf(NEWLINE);
      base += newline < 0 ? piece.length : newline + 1;
      if (newline < 0) continue;
      passingOver = false;
      piece = piece.subarray(newline + 1);
    }
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes < PIECE_BYTES) continue;
    const cut = piece.lastIndexOf(NEWLINE) + 1;
    if (cut > 0) {
      const rest = piece.subarray(cut);
      held[held.length - 1] = piece.subarray(0, cut);
      yield* lines(Buffer.concat(held));
      held = [rest];
      heldBytes = rest.length;
    } else if (heldBytes > MAX_LINE_BYTES) {
      yield { text: "", offset: base, end: base + heldBytes, terminated: true, oversized: true };
      base += heldBytes;
      held = [];
      heldBytes = 0;
      passingOver = true;
    }
  }
  if (heldBytes > 0) yield* lines(Buffer.concat(held));
  if (damage !== undefined) throw damage;
}

const EMPTY = 0;
const FULL = 1;
const DONE = 2;
const SHARED = 4 << 20;
/** A worker without progress for this long is stuck. */
const MAX_STALL_MS = 60_000;

/** Runs as a script of its own: it cannot use anything of this module. */
const WORKER = `
const { workerData: { path, control, data } } = require("node:worker_threads");
const signal = new Int32Array(control), shared = new Uint8Array(data);
const hand = (state, bytes) => {
  while (Atomics.load(signal, 0) !== ${EMPTY}) Atomics.wait(signal, 0, ${FULL});
  shared.set(bytes);
  Atomics.store(signal, 1, bytes.length);
  Atomics.store(signal, 0, state);
  Atomics.notify(signal, 0);
};
const done = (text) => hand(${DONE}, Buffer.from(text).subarray(0, 1000));
const { openSync, readSync } = require("node:fs");
const { constants, createZstdDecompress } = require("node:zlib");
const file = openSync(path, "r"), chunk = Buffer.alloc(1 << 20);
const read = () => Buffer.from(chunk.subarray(0, readSync(file, chunk, 0, chunk.length, null)));
/** Unpacks one frame that begins with these bytes, and returns the bytes behind it. */
const frame = (bytes) => new Promise((resolve, reject) => {
  const unpacked = createZstdDecompress({ chunkSize: 1 << 17, finishFlush: constants.ZSTD_e_flush });
  let fed = 0, last = bytes;
  unpacked.on("error", reject);
  unpacked.on("end", () => unpacked.bytesWritten === 0 ? reject(new Error("not a frame")) : resolve(last.subarray(last.length - (fed - unpacked.bytesWritten))));
  unpacked.on("data", (piece) => {
    for (let from = 0; from < piece.length; from += shared.length) hand(${FULL}, piece.subarray(from, from + shared.length));
  });
  const feed = () => {
    if (last.length === 0) return unpacked.end();
    fed += last.length;
    unpacked.write(last, (error) => {
      if (error || unpacked.bytesWritten < fed) return;
      last = read();
      feed();
    });
  };
  feed();
});
(async () => {
  for (let bytes = read(); bytes.length > 0; ) {
    const rest = await frame(bytes);
    bytes = rest.length > 0 ? rest : read();
  }
})().then(() => done(""), (error) => done(error.message));
`;

function* workerPieces(path: string): Generator<Buffer> {
  const control = new SharedArrayBuffer(8);
  const data = new SharedArrayBuffer(SHARED);
  const signal = new Int32Array(control);
  const worker = new Worker(WORKER, { eval: true, workerData: { path, control, data } });
  worker.on("error", () => undefined);
  try {
    for (;;) {
      if (Atomics.wait(signal, 0, EMPTY, MAX_STALL_MS) === "timed-out")
        throw new Error(`${path} could not be unpacked`);
      const state = Atomics.load(signal, 0);
      const piece = Buffer.from(Buffer.from(data, 0, Atomics.load(signal, 1)));
      Atomics.store(signal, 0, EMPTY);
      Atomics.notify(signal, 0);
      if (state === FULL) yield piece;
      else if (piece.length > 0) throw new Error(piece.toString());
      else return;
    }
  } finally {
    void worker.terminate();
  }
}
