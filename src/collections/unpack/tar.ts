/**
 * Reads a tar, packed with gzip or not, as a stream: memory holds one file at a time. The npm package `tar-stream` is not
 * used: it copies every field of a global header into each entry, so that a stranger's tar of 1.3 MB takes over a minute.
 */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import {
  checkLink,
  checkName,
  damaged,
  largerThan,
  Meter,
  refusal,
  type UnpackLimits,
  type UnpackSink,
} from "./entry.ts";

const BLOCK = 512;
/** Limit for an entry that describes the next one, such as its long name. */
const MAX_META_BYTES = 1 << 20;

/** The letter in a header that says what an entry is. Old tars have a zero byte for a file. */
const FILE = "0";
const OLD_FILE = "\0";
const CONTIGUOUS_FILE = "7";
const HARD_LINK = "1";
const SYMBOLIC_LINK = "2";
const FOLDER = "5";
const DEVICES: readonly string[] = ["3", "4", "6"];
/** Headers about the entry after them, or about all: GNU's long names, and the extended headers of POSIX. */
const LONG_NAME = "L";
const LONG_LINK = "K";
const EXTENDED = "x";
const GLOBAL = "g";
const META: readonly string[] = [LONG_NAME, LONG_LINK, EXTENDED, GLOBAL];
/** Whatever size the headers of these state, no content follows. */
const WITHOUT_CONTENT: readonly string[] = [HARD_LINK, SYMBOLIC_LINK, FOLDER, ...DEVICES];

interface Header {
  name: string;
  size: number;
  type: string;
  link: string;
}

/** `stream` reads the file's bytes unchanged; `what` names the file in errors. */
export async function readTar(stream: Readable, what: string, limits: UnpackLimits, sink: UnpackSink): Promise<void> {
  const meter = new Meter(limits, what);
  let packed = 0;
  const input = withGunzip(stream, (bytes) => {
    packed += bytes;
  });
  const parser = new TarParser(what, limits, sink, meter);
  try {
    for await (const chunk of input) {
      meter.bytes((chunk as Buffer).length, packed);
      parser.push(chunk as Buffer);
    }
    parser.end();
  } catch (error) {
    throw error instanceof DexError ? error : damaged(what, errorMessage(error));
  } finally {
    stream.destroy();
  }
}

/** Looks at the first bytes: file names may be wrong, and servers may decompress a file on the way. */
async function* withGunzip(stream: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let next = await source.next();
  for (; !next.done && head.length < 2; next = await source.next()) head = Buffer.concat([head, next.value as Buffer]);
  async function* all(): AsyncGenerator<Buffer> {
    count(head.length);
    yield head;
    for (; !next.done; next = await source.next()) {
      const chunk = next.value as Buffer;
      count(chunk.length);
      yield chunk;
    }
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  const feeding = pipeline(all(), gunzip);
  // An error also destroys the stream, so that the loop below throws it; the loop may end early.
  feeding.catch(() => undefined);
  for await (const chunk of gunzip) yield chunk as Buffer;
  await feeding;
}

class TarParser {
  readonly #what: string;
  readonly #limits: UnpackLimits;
  readonly #sink: UnpackSink;
  readonly #meter: Meter;
  #pending: Buffer = Buffer.alloc(0);
  /** The entry whose content comes next. */
  #open: { header: Header; left: number; padding: number; kept: Buffer[] | undefined } | undefined;
  #longName: string | undefined;
  #longLink: string | undefined;
  #paxSize: number | undefined;
  #ended = false;

  constructor(what: string, limits: UnpackLimits, sink: UnpackSink, meter: Meter) {
    this.#what = what;
    this.#limits = limits;
    this.#sink = sink;
    this.#meter = meter;
  }

  push(chunk: Buffer): void {
    let rest = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    while (!this.#ended) {
      if (this.#open) {
        const taken = this.#take(rest);
        rest = rest.subarray(taken);
        if (this.#open) break;
        continue;
      }
      if (rest.length < BLOCK) break;
      this.#begin(rest.subarray(0, BLOCK));
      rest = rest.subarray(BLOCK);
    }
    this.#pending = this.#ended ? Buffer.alloc(0) : Buffer.from(rest);
  }

  end(): void {
    if (this.#open || (!this.#ended && this.#pending.length > 0))
      throw damaged(this.#what, "it ends in the middle of a file");
  }

  /** Content of the open entry; returns how much was taken. */
  #take(bytes: Buffer): number {
    const open = this.#open;
    if (!open) return 0;
    const content = Math.min(open.left, bytes.length);
    if (content > 0) open.kept?.push(Buffer.from(bytes.subarray(0, content)));
    open.left -= content;
    const padding = open.left === 0 ? Math.min(open.padding, bytes.length - content) : 0;
    open.padding -= padding;
    if (open.left === 0 && open.padding === 0) {
      this.#open = undefined;
      this.#finish(open.header, open.kept);
    }
    return content + padding;
  }

  #begin(block: Buffer): void {
    if (block.every((byte) => byte === 0)) {
      this.#ended = true;
      return;
    }
    const header = parseHeader(block, this.#what);
    this.#meter.entry();
    const meta = META.includes(header.type);
    if (!meta) {
      header.name = this.#longName ?? header.name;
      header.link = this.#longLink ?? header.link;
      header.size = this.#paxSize ?? header.size;
      this.#longName = this.#longLink = this.#paxSize = undefined;
    }
    if (meta && header.size > MAX_META_BYTES) throw damaged(this.#what, "a name in it is too long");
    const kept = meta ? [] : this.#wanted(header);
    const size = WITHOUT_CONTENT.includes(header.type) ? 0 : header.size;
    this.#open = { header, left: size, padding: (BLOCK - (size % BLOCK)) % BLOCK, kept };
    if (size === 0) this.#take(Buffer.alloc(0));
  }

  #wanted(header: Header): Buffer[] | undefined {
    const path = checkName(header.name, this.#what);
    if (header.type === HARD_LINK || header.type === SYMBOLIC_LINK) {
      if (!this.#limits.anyLinks) checkLink(path, header.link, this.#what, header.type === HARD_LINK);
      if (this.#sink.wants(path)) this.#sink.skipped(path, "is a link");
      return undefined;
    }
    if (DEVICES.includes(header.type)) throw refusal(this.#what, `holds a device file, "${path}"`);
    header.name = path;
    if (header.type !== FILE || !this.#sink.wants(path)) return undefined;
    if (header.size <= this.#limits.maxFile) return [];
    this.#sink.failed(path, largerThan(this.#limits.maxFile));
    return undefined;
  }

  #finish(header: Header, kept: Buffer[] | undefined): void {
    if (!kept) return;
    const bytes = Buffer.concat(kept);
    if (header.type === LONG_NAME) this.#longName = text(bytes);
    else if (header.type === LONG_LINK) this.#longLink = text(bytes);
    else if (header.type === EXTENDED) this.#pax(bytes);
    else if (header.type === FILE) this.#sink.file(header.name, bytes);
  }

  #pax(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const space = bytes.indexOf(0x20, at);
      const length = Number(bytes.toString("latin1", at, space));
      if (space < 0 || !Number.isInteger(length) || length < 5 || at + length > bytes.length) {
        throw damaged(this.#what, "an extended header in it is broken");
      }
      const record = bytes.toString("utf8", space + 1, at + length - 1);
      const equals = record.indexOf("=");
      const key = record.slice(0, equals);
      const value = record.slice(equals + 1);
      if (key === "path") this.#longName = value;
      else if (key === "linkpath") this.#longLink = value;
      else if (key === "size" && /^\d{1,15}$/.test(value)) this.#paxSize = Number(value);
      at += length;
    }
  }
}

function parseHeader(block: Buffer, what: string): Header {
  const stated = octal(block, 148, 8);
  let sum = 0;
  for (let i = 0; i < BLOCK; i += 1) sum += i >= 148 && i < 156 ? 32 : (block[i] ?? 0);
  if (sum !== stated) throw damaged(what, "it is not a tar, or damaged");
  const ustar = block.toString("latin1", 257, 262) === "ustar";
  const prefix = ustar ? field(block, 345, 155) : "";
  const name = field(block, 0, 100);
  const type = String.fromCharCode(block[156] ?? 0);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size: octal(block, 124, 12),
    type: type === OLD_FILE || type === CONTIGUOUS_FILE ? FILE : type,
    link: field(block, 157, 100),
  };
}

function field(block: Buffer, at: number, length: number): string {
  return text(block.subarray(at, at + length));
}

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

/** Octal digits; large sizes are binary, marked by the first bit. */
function octal(block: Buffer, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) {
    let value = 0;
    for (let i = at + length - 8; i < at + length; i += 1) value = value * 256 + (block[i] ?? 0);
    return value;
  }
  return (
    Number.parseInt(
      block
        .toString("latin1", at, at + length)
        .replace(/[\0 ]+$/, "")
        .trim() || "0",
      8,
    ) || 0
  );
}
