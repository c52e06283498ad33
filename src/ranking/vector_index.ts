/**
 * Which messages are near a vector. All bit codes are compared, which is quick and rough; for the nearest the exact
 * cosine is taken.
 */
import type { StatementSync } from "node:sqlite";
import type { QueryVector, VectorModel } from "../store/ports.ts";
import type { Segment } from "../store/sqlite/texts/segments.ts";
import { checkedOwners, copyOf, groupSize, wordsOf } from "../store/sqlite/texts/vector_blocks.ts";
import { hammingScan, nearestRows } from "../vectors/hamming.ts";
import { codeWords } from "../vectors/quantise.ts";

type Prepare = (sql: string) => StatementSync;

/** Windows that are looked at exactly. */
const FIRST_PASS = 400;
const FAR = 65_535;
/** Bytes of vectors that are kept in memory. */
const KEPT_BYTES = 8 << 20;

/** Whether a document may be among the answers; undefined for a segment of which all may. */
export type Passes = readonly (((document: number) => boolean) | undefined)[];

/** For each segment the cosine of each document that was looked at. */
export type Cosines = Map<number, number>[];

interface VectorBlock {
  segment: number;
  /** Its first window among all windows, and the group that this one's vector is in. */
  start: number;
  base: number;
}

export class VectorIndex {
  readonly #prepare: Prepare;
  readonly #segments: readonly Segment[];
  readonly #words: number;
  readonly #groupSize: number;
  readonly #blocks: VectorBlock[] = [];
  /** Of all windows, in the order of segments and documents. */
  readonly #owners: Uint32Array;
  readonly #codes: Uint32Array;
  /** Where each segment's windows begin; one more at the end. */
  readonly #starts: number[] = [];
  readonly #groups = new Map<number, Int8Array>();
  #distances: Uint16Array | undefined;
  #keptBytes = 0;

  constructor(prepare: Prepare, segments: readonly Segment[], model: VectorModel) {
    this.#prepare = prepare;
    this.#segments = segments;
    this.#words = codeWords(model.dims);
    this.#groupSize = groupSize(model.dims);
    const own = [model.name, model.dims] as const;
    const count = prepare(
      "SELECT coalesce(sum(length(owners)), 0) / 4 n FROM vector_blocks WHERE model = ? AND dims = ?",
    );
    this.#owners = new Uint32Array(Number(count.get(...own)?.n ?? 0));
    this.#codes = new Uint32Array(this.#owners.length * this.#words);
    const blocks = prepare(
      "SELECT owners, codes, base FROM vector_blocks WHERE segment = ? AND model = ? AND dims = ? ORDER BY first",
    );
    let start = 0;
    for (const [number, segment] of segments.entries()) {
      this.#starts.push(start);
      for (const row of blocks.iterate(segment.id, ...own)) {
        const owners = wordsOf(row.owners);
        const codes = wordsOf(row.codes);
        checkedOwners(owners, codes, segment.documents, model.dims);
        this.#owners.set(owners, start);
        this.#codes.set(codes, start * this.#words);
        this.#blocks.push({ segment: number, start, base: Number(row.base) });
        start += owners.length;
      }
    }
    this.#starts.push(start);
  }

  get windows(): number {
    return this.#owners.length;
  }

  /** The best cosine of each document whose code is among the nearest. */
  nearest(query: QueryVector, passes: Passes): Cosines {
    const cosines: Cosines = this.#segments.map(() => new Map());
    const count = this.#owners.length;
    if (count === 0) return cosines;
    this.#distances ??= new Uint16Array(count);
    const distances = this.#distances;
    hammingScan(query.bits, 0, this.#codes, count, this.#words, distances);
    for (const [segment, start] of this.#starts.slice(0, -1).entries()) {
      const end = this.#starts[segment + 1] as number;
      const pass = passes[segment];
      if (!pass) continue;
      for (let window = start; window < end; window += 1) {
        if (!pass(this.#owners[window] as number)) distances[window] = FAR;
      }
    }
    for (const window of nearestRows(distances, count, FIRST_PASS, FAR)) {
      this.#look(query, window, cosines);
    }
    return cosines;
  }

  /** Adds the cosines of these documents, where they have vectors. */
  look(query: QueryVector, segment: number, documents: Iterable<number>, cosines: Cosines): void {
    const known = cosines[segment];
    for (const document of documents) {
      if (known?.has(document)) continue;
      for (let window = this.#firstWindow(segment, document); this.#isOf(window, segment, document); window += 1) {
        this.#look(query, window, cosines);
      }
    }
  }

  #isOf(window: number, segment: number, document: number): boolean {
    return window < (this.#starts[segment + 1] as number) && this.#owners[window] === document;
  }

  /** Windows lie in the order of their documents. */
  #firstWindow(segment: number, document: number): number {
    let low = this.#starts[segment] as number;
    let high = this.#starts[segment + 1] as number;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#owners[middle] as number) < document) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #look(query: QueryVector, window: number, cosines: Cosines): void {
    const block = this.#blockOf(window);
    const place = window - block.start;
    const group = this.#group(block.base + Math.floor(place / this.#groupSize));
    const dims = query.row.length;
    const at = (place % this.#groupSize) * dims;
    const cosine = cosine8(query.row, group, at, dims) * query.inverse;
    const document = this.#owners[window] as number;
    const known = cosines[block.segment] as Map<number, number>;
    if (cosine > (known.get(document) ?? -1)) known.set(document, cosine);
  }

  #blockOf(window: number): VectorBlock {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle] as VectorBlock).start <= window) low = middle;
      else high = middle - 1;
    }
    return this.#blocks[low] as VectorBlock;
  }

  #group(id: number): Int8Array {
    const kept = this.#groups.get(id);
    if (kept) return kept;
    const group = new Int8Array(copyOf(this.#prepare("SELECT vectors FROM vector_rows WHERE id = ?").get(id)?.vectors));
    this.#groups.set(id, group);
    this.#keptBytes += group.byteLength;
    for (const [oldest, { byteLength }] of this.#groups) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#groups.delete(oldest);
      this.#keptBytes -= byteLength;
    }
    return group;
  }
}

/** The cosine of two rows, times the length of the first. */
function cosine8(a: Int8Array, b: Int8Array, bAt: number, dims: number): number {
  let product = 0;
  let squares = 0;
  for (let i = 0; i < dims; i += 1) {
    const y = b[bAt + i] as number;
    product += (a[i] as number) * y;
    squares += y * y;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}
