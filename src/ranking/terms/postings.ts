/**
 * A term's postings as bytes: for each document the distance from the one before, and the term's weight in it. A
 * weight of one, the most frequent, takes no byte of its own.
 */
import { DAMAGE, DamagedBlock } from "./damage.ts";

/** Weights are counted in quarters and kept in a byte. */
export const WEIGHT_UNIT = 4;
const MAX_WEIGHT = 255;

const encoder = new TextEncoder();

export class ByteWriter {
  #bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1 << 12) {
    this.#bytes = new Uint8Array(capacity);
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length] = value;
    this.length += 1;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  bytes(source: Uint8Array): void {
    if (this.length + source.length > this.#bytes.length) this.#grow(source.length);
    this.#bytes.set(source, this.length);
    this.length += source.length;
  }

  /** Writes the number of bytes and the text in UTF-8. Nearly every term is short and ASCII. */
  text(text: string): void {
    const { length } = text;
    const start = this.length + 1;
    if (length >= 0x80 || start + length > this.#bytes.length) {
      this.#encoded(text);
      return;
    }
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) {
        this.#encoded(text);
        return;
      }
      this.#bytes[start + i] = code;
    }
    this.#bytes[start - 1] = length;
    this.length = start + length;
  }

  #encoded(text: string): void {
    const encoded = encoder.encode(text);
    this.varint(encoded.length);
    this.bytes(encoded);
  }

  /** A copy of the bytes written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  /** The bytes written, without a copy: valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + by));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

export function writePosting(into: ByteWriter, distance: number, weight: number): void {
  const capped = Math.min(MAX_WEIGHT, Math.max(1, Math.round(weight)));
  if (capped === WEIGHT_UNIT) {
    into.varint(distance * 2 + 1);
  } else {
    into.varint(distance * 2);
    into.byte(capped);
  }
}

/** A posting takes at most five bytes for a distance below 2^32, and one for the weight. */
const MAX_POSTING_BYTES = 6;
let packed = new Uint8Array(1 << 12);

/**
 * Packs the postings from `from` to `to`, whose documents ascend. One loop without calls, because a sync packs every
 * word of every message. The result is valid until the next call.
 */
export function packPostings(documents: Uint32Array, weights: Uint8Array, from: number, to: number): Uint8Array {
  const most = (to - from) * MAX_POSTING_BYTES;
  if (most > packed.length) packed = new Uint8Array(most * 2);
  const bytes = packed;
  let length = 0;
  let last = -1;
  for (let i = from; i < to; i += 1) {
    const document = documents[i] as number;
    const weight = Math.max(1, weights[i] as number);
    const isUnit = weight === WEIGHT_UNIT;
    let rest = (document - last) * 2 + (isUnit ? 1 : 0);
    last = document;
    while (rest >= 0x80) {
      bytes[length++] = (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[length++] = rest;
    if (!isUnit) bytes[length++] = weight;
  }
  return bytes.subarray(0, length);
}

/** Numbers in a block are below 2^49: more bytes mean damage. */
export const MAX_VARINT_BYTES = 7;

/** The end of the number that was read last. */
let after = 0;

function varintAt(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let value = bytes[at] as number;
  at += 1;
  if (value >= 0x80) {
    value &= 0x7f;
    let scale = 0x80;
    for (let more = 1; ; more += 1) {
      if (at >= end || more >= MAX_VARINT_BYTES) throw new DamagedBlock(DAMAGE.endlessNumber);
      const next = bytes[at] as number;
      at += 1;
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
      scale *= 0x80;
    }
  }
  after = at;
  return value;
}

/**
 * Calls back with each document and weight. `end`: the end of the postings; `documents`: the number of documents in the
 * segment. Terminates for any bytes: throws if they point outside the block or the segment.
 */
export function readPostings(
  bytes: Uint8Array,
  start: number,
  end: number,
  documents: number,
  found: (document: number, weight: number) => void,
): void {
  if (end > bytes.length) throw new DamagedBlock("postings run past its end");
  let at = start;
  let document = -1;
  while (at < end) {
    const value = varintAt(bytes, at, end);
    at = after;
    document += Math.floor(value / 2);
    if (document < 0 || document >= documents) throw new DamagedBlock(DAMAGE.unknownDocument);
    if (value % 2 === 1) {
      found(document, WEIGHT_UNIT);
    } else {
      if (at >= end) throw new DamagedBlock(DAMAGE.missingWeight);
      found(document, bytes[at] as number);
      at += 1;
    }
  }
}

/**
 * Appends the postings from `first` to `end`, with `by` added to the number of each document; `last` is the last document
 * before them. Returns their last document. Only the distance of the first one changes, so the others are copied. The
 * bytes are checked as `readPostings` does.
 */
export function appendPostings(
  into: ByteWriter,
  bytes: Uint8Array,
  first: number,
  end: number,
  documents: number,
  by: number,
  last: number,
): number {
  if (end > bytes.length) throw new DamagedBlock("postings run past its end");
  let copied = first;
  let at = first;
  let document = -1;
  while (at < end) {
    const value = varintAt(bytes, at, end);
    at = after;
    if (document < 0) {
      into.varint(value + 2 * (by - last - 1));
      copied = at;
    }
    document += Math.floor(value / 2);
    if (document < 0 || document >= documents) throw new DamagedBlock(DAMAGE.unknownDocument);
    if (value % 2 === 1) continue;
    if (at >= end) throw new DamagedBlock(DAMAGE.missingWeight);
    at += 1;
  }
  into.bytes(bytes.subarray(copied, end));
  return document < 0 ? last : document + by;
}
