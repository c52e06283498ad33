/** Terms in order with their postings, packed into blocks of a few kilobytes: a look-up reads one block. */
import { ByteWriter } from "./postings.ts";

export interface TermBlock {
  first: string;
  data: Uint8Array;
}

export interface TermEntry {
  term: string;
  documents: number;
  /** Where its postings lie in the block's data. */
  start: number;
  end: number;
}

const TARGET = 8 << 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Takes terms in ascending order and gives blocks. */
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
    if (this.#first !== undefined && this.#postings.length + this.#heads.length + postings.length > TARGET)
      this.flush();
    this.#first ??= term;
    const name = encoder.encode(term);
    this.#heads.varint(name.length);
    this.#heads.bytes(name);
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
  return entries.map((entry) => ({ ...entry, start: entry.start + reader.at, end: entry.end + reader.at }));
}

/** One term of a block, found without making strings of the others. */
export function findTerm(data: Uint8Array, term: string): TermEntry | undefined {
  const wanted = encoder.encode(term);
  const reader = new HeadReader(data);
  let before = 0;
  let entry: { documents: number; offset: number; length: number } | undefined;
  for (let i = 0; i < reader.count; i += 1) {
    const { start, end, documents, postings } = reader.next();
    if (!entry && end - start === wanted.length && sameBytes(data, start, wanted)) {
      entry = { documents, offset: before, length: postings };
    }
    before += postings;
  }
  if (!entry) return undefined;
  const start = reader.at + entry.offset;
  return { term, documents: entry.documents, start, end: start + entry.length };
}

function sameBytes(data: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i += 1) if (data[start + i] !== wanted[i]) return false;
  return true;
}

/** Walks the heads of a block: where a name lies, how many documents have it, how long its postings are. */
class HeadReader {
  readonly #data: Uint8Array;
  readonly count: number;
  /** Behind the last head that was read; behind them all, where the postings begin. */
  at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.count = this.#varint();
  }

  next(): { start: number; end: number; documents: number; postings: number } {
    const length = this.#varint();
    const start = this.at;
    this.at += length;
    return { start, end: start + length, documents: this.#varint(), postings: this.#varint() };
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#data[this.at] as number;
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }
}

/**
 * One order for building, merging and looking up: that of SQLite, bytes of UTF-8. It differs from the order of
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

/** Sorting by JavaScript's own order is several times faster, and right for nearly every vocabulary. */
export function sortedTerms(terms: readonly string[]): string[] {
  return terms.some((term) => /[\ud800-\uffff]/.test(term)) ? terms.toSorted(compareTerms) : terms.toSorted();
}

function inUtf8Order(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
