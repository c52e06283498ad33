/**
 * Reads a zip from memory. yauzl reads the format (end record, zip64, directory, local headers); this file decides which
 * entries may come out, and unpacks each of them with a bound of its own.
 */
import { crc32, inflateRawSync } from "node:zlib";
import { Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
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

const MAX_LINK_BYTES = 4096;
/** Of the header before each file, without its name. */
const LOCAL_HEADER_BYTES = 30;
/** The flag of an entry whose name is UTF-8. Archivers of macOS write UTF-8 without setting it. */
const IS_UTF8 = 0x800;

/** The upper half of an entry's external attributes, where Unix keeps the kind of a file. */
const KIND_MASK = 0o170000;
const LINK = 0o120000;
const DEVICES: readonly number[] = [0o020000, 0o060000, 0o010000];

/** An entry without the fields of yauzl that a stranger may make large: those would all be in memory at once. */
interface Listed {
  path: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

export async function readZip(bytes: Buffer, what: string, limits: UnpackLimits, sink: UnpackSink): Promise<void> {
  const meter = new Meter(limits, what);
  try {
    const zip = await open(bytes, what);
    const listed = await readDirectory(zip, bytes, what, meter, sink);
    refuseOverlap(listed, what);
    for (const file of listed) {
      if (!sink.wants(file.path)) continue;
      if (file.size > limits.maxFile) {
        sink.failed(file.path, largerThan(limits.maxFile));
        continue;
      }
      meter.bytes(file.size, bytes.length);
      sink.file(file.path, await content(zip, bytes, file, what));
    }
  } catch (error) {
    throw error instanceof DexError ? error : damaged(what, errorMessage(error));
  }
}

async function open(bytes: Buffer, what: string): Promise<ZipFile> {
  try {
    // Names are decoded and checked here, because yauzl would stop at the first invalid one with a message of its own.
    return await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false });
  } catch (error) {
    throw damaged(what, `it is not a zip, or its end is broken (${errorMessage(error)})`);
  }
}

async function readDirectory(
  zip: ZipFile,
  bytes: Buffer,
  what: string,
  meter: Meter,
  sink: UnpackSink,
): Promise<Listed[]> {
  const listed: Listed[] = [];
  // Before the first entry is read, the cursor is where the directory begins.
  checkNumber(Number(zip.readEntryCursor), what);
  for await (const entry of entriesOf(zip, what)) {
    meter.entry();
    const name = nameOf(entry);
    const path = checkName(name, what);
    const file = {
      path,
      method: entry.compressionMethod,
      crc: entry.crc32,
      packed: entry.compressedSize,
      size: entry.uncompressedSize,
      at: entry.relativeOffsetOfLocalHeader,
    };
    for (const number of [file.packed, file.size, file.at]) checkNumber(number, what);
    if (entry.isEncrypted()) throw damaged(what, `"${path}" in it is encrypted`);
    const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
    if (DEVICES.includes(kind)) throw refusal(what, `holds a device file, "${path}"`);
    if (kind === LINK) {
      if (file.size > MAX_LINK_BYTES) throw damaged(what, `the link "${path}" is too long`);
      checkLink(path, (await content(zip, bytes, file, what)).toString("utf8"), what);
      if (sink.wants(path)) sink.skipped(path, "is a link");
    } else if (!name.endsWith("/") && path !== "") listed.push(file);
  }
  return listed;
}

async function* entriesOf(zip: ZipFile, what: string): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  for (;;) {
    let next: IteratorResult<Entry>;
    try {
      next = await entries.next();
    } catch (error) {
      throw damaged(what, `its directory is broken (${errorMessage(error)})`);
    }
    if (next.done) return;
    yield next.value;
  }
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag | IS_UTF8, fileNameRaw, extraFields, false);
}

/** yauzl reads numbers of 64 bits as floating point: beyond this they are no longer exact. */
function checkNumber(value: number, what: string): void {
  if (!Number.isSafeInteger(value)) throw damaged(what, "a number in it is too large");
}

/** Refuses entries that share bytes, which make a small zip unpack endlessly. */
function refuseOverlap(listed: readonly Listed[], what: string): void {
  const ordered = listed.toSorted((one, other) => one.at - other.at);
  for (const [i, { at, packed }] of ordered.entries()) {
    const next = ordered[i + 1];
    if (next && at + LOCAL_HEADER_BYTES + packed > next.at) throw refusal(what, "has overlapping files");
  }
}

async function content(zip: ZipFile, bytes: Buffer, file: Listed, what: string): Promise<Buffer> {
  const plain = inflate(await packedBytes(zip, bytes, file, what), file, what);
  if (plain.length !== file.size || crc32(plain) !== file.crc) throw damaged(what, `"${file.path}" is damaged`);
  return plain;
}

async function packedBytes(zip: ZipFile, bytes: Buffer, { path, at, packed }: Listed, what: string): Promise<Buffer> {
  const entry = Object.assign(new Entry(), { relativeOffsetOfLocalHeader: at, compressedSize: packed });
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    return bytes.subarray(fileDataStart, fileDataStart + packed);
  } catch (error) {
    throw damaged(what, `"${path}" is not where it should be (${errorMessage(error)})`);
  }
}

/** Unpacks in one step, unlike yauzl's stream, so that nothing beyond the stated size is unpacked. */
function inflate(packed: Buffer, { path, method, size }: Listed, what: string): Buffer {
  if (method === 0) return packed;
  if (method !== 8) throw damaged(what, `"${path}" is packed by method ${method}, which dex does not know`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") throw refusal(what, `holds "${path}", larger than it states`);
    throw error;
  }
}
