/** Tars and zips made by hand, including ones that no honest program writes. */
import { crc32, deflateRawSync } from "node:zlib";

export interface TarEntry {
  name: string;
  content?: string | Buffer;
  /** `0` a file, `2` a link, `3` a device, … */
  type?: string;
  link?: string;
}

export function makeTar(entries: readonly TarEntry[]): Buffer {
  const blocks: Buffer[] = [];
  for (const { name, content = "", type = "0", link = "" } of entries) {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write("0000644\0", 100);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0        ", 136);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    blocks.push(header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export interface ZipEntry {
  name: string;
  content: string | Buffer;
  /** Of Unix, in the upper half of the external attributes. */
  mode?: number;
  /** In place of the true size. */
  statedSize?: number;
}

/** `wide`: as zip64, with every number in the field for large ones. */
export function makeZip(entries: readonly ZipEntry[], wide = false): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, mode = 0o100644, statedSize } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const file = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(statedSize ?? bytes.length, 18);
    common.writeUInt16LE(file.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, file, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE((mode << 16) >>> 0, 6);
    more.writeUInt32LE(wide ? 0xffffffff : at, 10);
    const listed = Buffer.from(common);
    const extra = wide ? wideField(statedSize ?? bytes.length, packed.length, at) : Buffer.alloc(0);
    if (wide) {
      listed.writeUInt32LE(0xffffffff, 14);
      listed.writeUInt32LE(0xffffffff, 18);
      listed.writeUInt16LE(extra.length, 24);
    }
    directory.push(Buffer.from("PK\u0001\u0002\u0014\0"), listed, more, file, extra);
    parts.push(local);
    at += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(wide ? 0xffffffff : at, 16);
  return Buffer.concat([...parts, listing, ...(wide ? [wideEnd(entries.length, listing.length, at)] : []), end]);
}

/** Another field precedes it, as archivers write times. */
function wideField(...numbers: number[]): Buffer {
  const field = Buffer.alloc(9 + 4 + numbers.length * 8);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt16LE(1, 9);
  field.writeUInt16LE(numbers.length * 8, 11);
  for (const [i, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 13 + i * 8);
  return field;
}

function wideEnd(count: number, length: number, start: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.write("PK\u0006\u0006");
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.write("PK\u0006\u0007", 56);
  end.writeBigUInt64LE(BigInt(start + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
