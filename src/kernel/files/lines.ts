/**
 * Lines of a file, streamed with their byte offsets, in bounded memory.
 *
 * Agents write single lines of 100 MB (a compaction that repeats the whole history, inlined images).
 * A line above SHRINK_ABOVE_BYTES is not held whole: long strings are cut and named keys dropped while it is read.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { JsonShrinker } from "./json_shrink.ts";

export interface Line {
  text: string;
  /** Byte offset of the line's first byte. */
  offset: number;
  /** Byte offset after the line, including its newline. */
  end: number;
  /** Ends in a newline: the writer has finished it. */
  terminated: boolean;
  /** Too long even after shrinking: `text` is empty. */
  oversized: boolean;
}

export interface LineOptions {
  offset?: number;
  /** Values of these keys are replaced by null in lines that are too long to hold. */
  dropKeys?: readonly string[];
}

const CHUNK = 1 << 20;
const SHRINK_ABOVE_BYTES = 8 << 20;
/** The end of an oversized line is searched for up to this length; the rest of the file is not read. */
const MAX_LINE_BYTES = 4 * 1024 ** 3;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export function* readLines(path: string, options: LineOptions = {}): Generator<Line> {
  const fd = openSync(path, "r");
  try {
    yield* linesOf((buffer, position) => readSync(fd, buffer, 0, buffer.length, position), options);
  } finally {
    closeSync(fd);
  }
}

/** Lines of bytes that are in memory already (a decompressed file). */
export function* bufferLines(bytes: Buffer, options: LineOptions = {}): Generator<Line> {
  yield* linesOf((buffer, position) => bytes.copy(buffer, 0, position, position + buffer.length), options);
}

function* linesOf(read: (buffer: Buffer, position: number) => number, options: LineOptions): Generator<Line> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  const dropKeys = new Set(options.dropKeys ?? []);
  let position = options.offset ?? 0;
  let start = position;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let shrinker: JsonShrinker | undefined;

  const hold = (bytes: Buffer): void => {
    if (shrinker) {
      shrinker.write(bytes);
      return;
    }
    pending.push(Buffer.from(bytes));
    pendingBytes += bytes.length;
    if (pendingBytes <= SHRINK_ABOVE_BYTES) return;
    shrinker = new JsonShrinker(dropKeys);
    for (const piece of pending) shrinker.write(piece);
    pending = [];
    pendingBytes = 0;
  };
  const take = (end: number, terminated: boolean): Line => {
    const oversized = shrinker?.overflowed ?? false;
    const text = shrinker ? shrinker.finish() : decode(Buffer.concat(pending, pendingBytes), 0, pendingBytes);
    const line = { text, offset: start, end, terminated, oversized };
    shrinker = undefined;
    pending = [];
    pendingBytes = 0;
    start = end;
    return line;
  };

  for (;;) {
    const got = read(chunk, position);
    if (got === 0) break;
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline < 0 || newline >= got) break;
      const end = position + newline + 1;
      if (pendingBytes === 0 && !shrinker) {
        const text = decode(chunk, from, newline);
        yield { text, offset: start, end, terminated: true, oversized: false };
        start = end;
      } else {
        hold(chunk.subarray(from, newline));
        yield take(end, true);
      }
      from = newline + 1;
    }
    if (from < got) hold(chunk.subarray(from, got));
    position += got;
    // Nobody writes such a line; a sparse file of terabytes has one without an end.
    if (shrinker?.overflowed && position - start > MAX_LINE_BYTES) break;
  }
  if (pendingBytes > 0 || shrinker) yield take(position, false);
}

/** The text of a line. A view of its bytes would cost as much as the text of a short one. */
function decode(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("utf8", start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
}
