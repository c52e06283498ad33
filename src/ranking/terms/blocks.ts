/**
 * Terms in order with their postings, packed into blocks of a few kilobytes: a look-up reads one block. A block ends in
 * the CRC-32 of its bytes, checked on every read. The reader also checks its bounds, so it terminates for any bytes.
 */
import { crc32 } from "../../loops/crc32.ts";
import { DAMAGE, DamagedBlock } from "./damage.ts";
import { ByteWriter, MAX_VARINT_BYTES } from "./postings.ts";

export interface TermBlock {
  first: string;
  data: Uint8Array;
}

export interface TermEntry {
  term: string;
  documents: number;
  /** Where its postings are in the block's data. */
  start: number;
  end: number;
}

const TARGET_BLOCK_BYTES = 8 << 10;
const CHECKSUM_BYTES = 4;
const decoder = new TextDecoder();

/** Takes terms in ascending order and emits each full block. */
export class BlockPacker {
  readonly #give: (block: TermBlock) => void;
  readonly #heads = new ByteWriter();
  readonly #postings = new ByteWriter(1 << 15);
  #first: string | undefined;
  #terms = 0;

  constructor(give: (block: TermBlock) => void) {
    this.#give = give;
  }

  add(term: string, documents: number, postings: Uint8Array): void {
    if (this.#first !== undefined && this.#postings.length + this.#heads.length + postings.length > TARGET_BLOCK_BYTES)
      this.flush();
    this.#first ??= term;
    this.#heads.text(term);
    this.#heads.varint(documents);
    this.#heads.varint(postings.length);
    this.#postings.bytes(postings);
    this.#terms += 1;
  }

  flush(): void {
    if (this.#first === undefined) return;
    const data = new ByteWriter(this.#heads.length + this.#postings.length + 10);
    data.varint(this.#terms);
    data.bytes(this.#heads.view());
    data.bytes(this.#postings.view());
    const checksum = crc32(data.view());
    for (let shift = 0; shift < 32; shift += 8) data.byte((checksum >>> shift) & 0xff);
    this.#give({ first: this.#first, data: data.take() });
    this.#heads.clear();
    this.#postings.clear();
    this.#first = undefined;
    this.#terms = 0;
  }
}

/** All terms of a block, in order. */
export function readBlock(data: Uint8Array): TermEntry[] {
  const reader = new HeadReader(data);
  const entries: TermEntry[] = [];
  let offset = 0;
  for (let i = 0; i < reader.count; i += 1) {
    const { start, end, documents, postings } = reader.next();
    entries.push({ term: decoder.decode(data.subarray(start, end)), documents, start: offset, end: offset + postings });
    offset += postings;
  }
  reader.checkPostings(offset);
  for (const entry of entries) {
    entry.start += reader.at;
    entry.end += reader.at;
  }
  return entries;
}

/** Walks the heads of a block: the position of a name, its number of documents, the length of its postings. */
class HeadReader {
  readonly #data: Uint8Array;
  /** Where the checksum begins. */
  readonly #end: number;
  readonly count: number;
  /** The position after the last head that was read; after the last of all the postings begin. */
  at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#end = data.length - CHECKSUM_BYTES;
    if (this.#end < 1 || crc32(data.subarray(0, this.#end)) !== checksumAt(data, this.#end)) {
      throw new DamagedBlock(DAMAGE.wrongChecksum);
    }
    this.count = this.#varint();
    if (this.count > this.#end) throw new DamagedBlock(DAMAGE.tooManyTerms);
  }

  next(): { start: number; end: number; documents: number; postings: number } {
    const length = this.#varint();
    const start = this.at;
    this.at += length;
    if (this.at > this.#end) throw new DamagedBlock(DAMAGE.termPastEnd);
    const documents = this.#varint();
    const postings = this.#varint();
    // Every posting takes a byte at least: a larger count must not reserve memory.
    if (documents > postings) throw new DamagedBlock(DAMAGE.tooManyDocuments);
    return { start, end: start + length, documents, postings };
  }

  /** Called after the last head: the postings must fill the rest of the block exactly. */
  checkPostings(bytes: number): void {
    if (this.at + bytes !== this.#end) throw new DamagedBlock(DAMAGE.postingsDoNotFill);
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let bytes = 0; bytes < MAX_VARINT_BYTES; bytes += 1) {
      if (this.at >= this.#end) break;
      const byte = this.#data[this.at] as number;
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new DamagedBlock(DAMAGE.endlessNumber);
  }
}

function checksumAt(data: Uint8Array, at: number): number {
  let checksum = 0;
  for (let i = 0; i < CHECKSUM_BYTES; i += 1) checksum += (data[at + i] as number) * 2 ** (8 * i);
  return checksum;
}

/**
 * One order for building, merging and lookup: by bytes of UTF-8, as SQLite compares. It differs from the order of
 * JavaScript's strings only where a character beyond the basic plane meets one at its upper end.
 */
export function compareTerms(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return inUtf8Order(x) - inUtf8Order(y);
  }
  return a.length - b.length;
}

const UPPER_PLANE = /[\ud800-\uffff]/;

/** Sorting by JavaScript's own order is several times faster, and right for nearly every vocabulary. */
export function sortedTerms(terms: readonly string[]): string[] {
  return terms.some((term) => UPPER_PLANE.test(term)) ? terms.toSorted(compareTerms) : terms.toSorted();
}

function inUtf8Order(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
