/** Reads a zip by its directory at the end. Only what is wanted is unpacked, each file with a bound of its own. */
import { crc32, inflateRawSync } from "node:zlib";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
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

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const LOCATOR = 0x07064b50;
const LOCATOR_SIZE = 20;
const END_64 = 0x06064b50;
/** Says that the number stands elsewhere. */
const WIDE = 0xffffffff;
const LONGEST_LINK = 4096;

interface Entry {
  path: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

export function readZip(bytes: Buffer, what: string, limits: UnpackLimits, sink: UnpackSink): void {
  const meter = new Meter(limits, what);
  try {
    const entries = directory(bytes, what, meter, sink);
    refuseOverlap(entries, what);
    for (const entry of entries) {
      if (!sink.wants(entry.path)) continue;
      if (entry.size > limits.maxFile) {
        sink.failed(entry.path, largerThan(limits.maxFile));
        continue;
      }
      meter.bytes(entry.size, bytes.length);
      sink.file(entry.path, content(bytes, entry, what));
    }
  } catch (error) {
    throw error instanceof DexError ? error : damaged(what, errorMessage(error));
  }
}

function directory(bytes: Buffer, what: string, meter: Meter, sink: UnpackSink): Entry[] {
  const end = findEnd(bytes);
  if (end < 0) throw damaged(what, "it is not a zip, or its end is missing");
  const { count, start } = listing(bytes, end, what);
  const entries: Entry[] = [];
  for (let i = 0, at = start; i < count; i += 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== ENTRY) throw damaged(what, "its directory is broken");
    meter.entry();
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const raw = bytes.toString("utf8", at + 46, at + 46 + name);
    const path = checkName(raw, what);
    const mode = bytes.readUInt32LE(at + 38) >>> 16;
    const kind = mode & 0o170000;
    const entry = {
      path,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    };
    widen(entry, bytes.subarray(at + 46 + name, at + 46 + name + extra), what);
    if ((bytes.readUInt16LE(at + 8) & 1) !== 0) throw damaged(what, `"${path}" in it is encrypted`);
    at += 46 + name + extra + comment;
    if (kind === 0o020000 || kind === 0o060000 || kind === 0o010000)
      throw refusal(what, `holds a device file, "${path}"`);
    if (kind === 0o120000) {
      if (entry.size > LONGEST_LINK) throw damaged(what, `the link "${path}" is too long`);
      checkLink(path, content(bytes, entry, what).toString("utf8"), what);
      if (sink.wants(path)) sink.skipped(path, "is a link");
    } else if (!raw.endsWith("/") && path !== "") entries.push(entry);
  }
  return entries;
}

/** Where the directory is. Numbers that do not fit stand in a second end before the first (zip64). */
function listing(bytes: Buffer, end: number, what: string): { count: number; start: number } {
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  if (count !== 0xffff && start !== WIDE) return { count, start };
  const locator = end - LOCATOR_SIZE;
  if (locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR) return { count, start };
  const at = wide(bytes, locator + 8, what);
  if (at + 56 > locator || bytes.readUInt32LE(at) !== END_64) throw damaged(what, "its end is broken");
  return { count: wide(bytes, at + 32, what), start: wide(bytes, at + 48, what) };
}

/** Sizes and places that do not fit into an entry stand behind its name, in this order, each only where it is missing. */
function widen(entry: Entry, extra: Buffer, what: string): void {
  if (entry.size !== WIDE && entry.packed !== WIDE && entry.at !== WIDE) return;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    let next = 0;
    for (const key of ["size", "packed", "at"] as const) {
      if (entry[key] !== WIDE) continue;
      if (next + 8 > field.length) throw damaged(what, `the size of "${entry.path}" is missing`);
      entry[key] = wide(field, next, what);
      next += 8;
    }
    return;
  }
}

function wide(bytes: Buffer, at: number, what: string): number {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw damaged(what, "a number in it is too large");
  return value;
}

/** Files that share their bytes are how a small zip becomes endless. */
function refuseOverlap(entries: readonly Entry[], what: string): void {
  const ordered = entries.toSorted((one, other) => one.at - other.at);
  for (const [i, entry] of ordered.entries()) {
    const next = ordered[i + 1];
    if (next && entry.at + 30 + entry.packed > next.at) throw refusal(what, "has files that lie in one another");
  }
}

function content(bytes: Buffer, entry: Entry, what: string): Buffer {
  const { at, path } = entry;
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL)
    throw damaged(what, `"${path}" is not where it should be`);
  const begin = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const packed = bytes.subarray(begin, begin + entry.packed);
  if (packed.length < entry.packed) throw damaged(what, `"${path}" ends too early`);
  const plain = unpack(packed, entry, what);
  if (plain.length !== entry.size || crc32(plain) !== entry.crc) throw damaged(what, `"${path}" is damaged`);
  return plain;
}

function unpack(packed: Buffer, { method, size, path }: Entry, what: string): Buffer {
  if (method === 0) return packed;
  if (method !== 8) throw damaged(what, `"${path}" is packed by method ${method}, which dex does not know`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") throw refusal(what, `holds "${path}", larger than it states`);
    throw error;
  }
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_SIZE - 0xffff);
  for (let at = bytes.length - END_SIZE; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  return -1;
}
