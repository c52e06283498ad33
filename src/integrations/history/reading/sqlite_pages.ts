/**
 * How much of another program's SQLite database a query can have to read. SQLite follows the page numbers in a file
 * without remembering where it was: in a file made for it, pages that refer to the same pages make a table of a few
 * kilobytes endless, and a row's text as long as its length states. No query can be stopped from outside. So dex first
 * walks the pages, tables and indexes alike, and counts what SQLite would meet on the way.
 *
 * Damage that costs nothing is left to SQLite, so that the rest of a damaged database can still be read.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { sizeOf } from "./sqlite_files.ts";

/** Comes from an agent and not with a clone: hosts of repositories refuse files of this size. */
const MAX_CHECKED_BYTES = 256 << 20;
/** Of the size of the file. In a sound database, SQLite meets each page once, and each row with the page it is on. */
const MAX_TIMES = 3;
/** Bytes that SQLite may meet in a database of any size. */
const SPARE_BYTES = 4 << 20;
/** SQLite gives up on a deeper tree. */
const MAX_DEPTH = 20;
/** Enough for the names before the page number in a row of the schema. */
const MAX_SCHEMA_BYTES = 16 << 10;
const DATABASE_HEADER = 100;

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;

/** Whether SQLite could have to read far more than the file has. The database has no log and no journal. */
export function isEndless(path: string): boolean {
  const size = sizeOf(path);
  if (size < DATABASE_HEADER || size > MAX_CHECKED_BYTES) return false;
  const fd = openSync(path, "r");
  try {
    return new PageWalk(fd, size).isEndless();
  } finally {
    closeSync(fd);
  }
}

class PageWalk {
  readonly #fd: number;
  readonly #size: number;
  readonly #pageSize: number;
  /** Of a page, without the bytes reserved at its end. */
  readonly #usable: number;
  readonly #roots: number[] = [1];
  readonly #buffer: Buffer;
  #bytesLeft: number;

  constructor(fd: number, size: number) {
    this.#fd = fd;
    this.#size = size;
    const header = Buffer.alloc(DATABASE_HEADER);
    readSync(fd, header, 0, header.length, 0);
    const stated = header.readUInt16BE(16);
    this.#pageSize = stated === 1 ? 65_536 : stated;
    this.#usable = this.#pageSize - header.readUInt8(20);
    this.#buffer = Buffer.allocUnsafe(this.#pageSize);
    this.#bytesLeft = MAX_TIMES * size + SPARE_BYTES;
  }

  isEndless(): boolean {
    // SQLite refuses other sizes.
    if (this.#pageSize < 512 || this.#usable < 480) return false;
    for (let root = this.#roots.pop(); root !== undefined; root = this.#roots.pop()) {
      const isSchema = root === 1;
      const waiting: [page: number, depth: number][] = [[root, 0]];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [number, depth] = next;
        this.#bytesLeft -= this.#pageSize;
        const children = this.#visit(number, isSchema);
        if (this.#bytesLeft < 0) return true;
        if (depth < MAX_DEPTH) for (const child of children) waiting.push([child, depth + 1]);
      }
    }
    return false;
  }

  /** Counts the texts of a page and returns the pages below it. */
  #visit(number: number, isSchema: boolean): number[] {
    const page = this.#page(number, isSchema ? Buffer.allocUnsafe(this.#pageSize) : this.#buffer);
    if (!page) return [];
    const start = number === 1 ? DATABASE_HEADER : 0;
    const kind = page[start];
    const isInterior = kind === INTERIOR_INDEX || kind === INTERIOR_TABLE;
    if (!isInterior && kind !== LEAF_INDEX && kind !== LEAF_TABLE) return [];
    const first = start + (isInterior ? 12 : 8);
    const most = Math.floor((this.#usable - first) / 2);
    const cells = Math.min(page.readUInt16BE(start + 3), most);
    const children: number[] = [];
    for (let i = 0; i < cells; i += 1) {
      const at = page.readUInt16BE(first + 2 * i);
      if (at + 4 > this.#usable) continue;
      if (isInterior) children.push(page.readUInt32BE(at));
      if (kind === INTERIOR_TABLE) continue;
      const lengthAt = at + (isInterior ? 4 : 0);
      const short = page[lengthAt] ?? 0;
      const [length, afterLength] = short < 0x80 ? [short, lengthAt + 1] : varint(page, lengthAt);
      // SQLite refuses a row that is longer than the file.
      if (length > this.#size) continue;
      this.#bytesLeft -= length;
      if (isSchema && kind === LEAF_TABLE) this.#addRoot(page, varint(page, afterLength)[1], length);
    }
    if (isInterior) children.push(page.readUInt32BE(start + 8));
    return children;
  }

  /** Of a row of the schema, the page at which its table or index begins. */
  #addRoot(page: Buffer, at: number, length: number): void {
    const record = this.#payload(page, at, length);
    const [, afterHeader] = varint(record, 0);
    const [header] = varint(record, 0);
    let typeAt = afterHeader;
    let valueAt = header;
    for (let column = 0; column < 3; column += 1) {
      const [type, next] = varint(record, typeAt);
      typeAt = next;
      valueAt += valueBytes(type);
    }
    const bytes = valueBytes(varint(record, typeAt)[0]);
    if (bytes < 1 || bytes > 6 || valueAt + bytes > record.length) return;
    const root = record.readUIntBE(valueAt, bytes);
    if (root > 1) this.#roots.push(root);
  }

  /** The beginning of a row that starts at `at` of a leaf and may go on in other pages. */
  #payload(page: Buffer, at: number, length: number): Buffer {
    const most = this.#usable - 35;
    if (length <= most) return page.subarray(at, Math.min(at + length, page.length));
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const rest = least + ((length - least) % (this.#usable - 4));
    const local = rest <= most ? rest : least;
    const pieces = [Buffer.from(page.subarray(at, at + local))];
    let next = at + local + 4 <= page.length ? page.readUInt32BE(at + local) : 0;
    for (let bytes = local; next > 0 && bytes < Math.min(length, MAX_SCHEMA_BYTES); bytes += this.#usable - 4) {
      const more = this.#page(next, this.#buffer);
      if (!more) break;
      pieces.push(Buffer.from(more.subarray(4, this.#usable)));
      next = more.readUInt32BE(0);
    }
    return Buffer.concat(pieces);
  }

  /** Reads a page into a buffer; undefined if the file does not have it. */
  #page(number: number, page: Buffer): Buffer | undefined {
    if (number === 0) return undefined;
    const read = readSync(this.#fd, page, 0, page.length, (number - 1) * this.#pageSize);
    return read === page.length ? page : undefined;
  }
}

/** A number of one to nine bytes and the position after it. A number of nine bytes is too large to matter exactly. */
function varint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0;
  for (let i = 0; i < 8; i += 1) {
    const byte = bytes[at + i] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + i + 1];
  }
  return [value * 256 + (bytes[at + 8] ?? 0), at + 9];
}

/** Of a value of this serial type. */
function valueBytes(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? 0;
}
