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
  let at = 0;
  const varint = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = data[at] as number;
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  const count = varint();
  const entries: TermEntry[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const length = varint();
    const term = decoder.decode(data.subarray(at, at + length));
    at += length;
    const documents = varint();
    lengths.push(varint());
    entries.push({ term, documents, start: 0, end: 0 });
  }
  for (const [i, entry] of entries.entries()) {
    entry.start = at;
    at += lengths[i] ?? 0;
    entry.end = at;
  }
  return entries;
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
