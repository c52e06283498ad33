/**
 * Which messages are near a vector. All bit codes are compared, which is quick and rough; for the nearest the exact
 * cosine is taken.
 */
import type { StatementSync } from "node:sqlite";
import { hammingScan, nearestRows } from "../../kernel/hamming.ts";
import { codeWords, dot8, inverseLength } from "../../kernel/quantise.ts";
import type { QueryVector } from "../ports.ts";
import type { Segment } from "./segments.ts";
import { wordsOf } from "./vector_blocks.ts";

type Prepare = (sql: string) => StatementSync;

/** Windows that are looked at exactly. */
const FIRST_PASS = 600;
const FAR = 65_535;
/** Bytes of rows that are kept in memory. */
const KEPT_ROWS = 32 << 20;

/** For each segment a byte for each document: 1 when it may be among the answers. */
export type Passes = readonly Uint8Array[];

/** For each segment the cosine of each document that was looked at. */
export type Cosines = Map<number, number>[];

interface VectorBlock {
  segment: number;
  first: number;
  /** Its first window among all windows. */
  start: number;
  count: number;
}

export class VectorIndex {
  readonly #prepare: Prepare;
  readonly #segments: readonly Segment[];
  readonly #model: string;
  readonly #words: number;
  readonly #blocks: VectorBlock[] = [];
  /** Of all windows, in the order of segments and documents. */
  readonly #owners: Uint32Array;
  readonly #codes: Uint32Array;
  /** Where each segment's windows begin; one more at the end. */
  readonly #starts: number[] = [];
  readonly #rows = new Map<VectorBlock, Int8Array>();
  #keptBytes = 0;

  constructor(prepare: Prepare, segments: readonly Segment[], model: string, dims: number) {
    this.#prepare = prepare;
    this.#segments = segments;
    this.#model = model;
    this.#words = codeWords(dims);
    const owners: Uint32Array[] = [];
    const codes: Uint32Array[] = [];
    let start = 0;
    for (const [number, segment] of segments.entries()) {
      this.#starts.push(start);
      const rows = prepare(
        "SELECT first, owners, codes FROM vector_blocks WHERE segment = ? AND model = ? AND dims = ? ORDER BY first",
      ).all(segment.id, model, dims);
      for (const row of rows) {
        const own = wordsOf(row.owners);
        if (own.length === 0) continue;
        owners.push(own);
        codes.push(wordsOf(row.codes));
        this.#blocks.push({ segment: number, first: Number(row.first), start, count: own.length });
        start += own.length;
      }
    }
    this.#starts.push(start);
    this.#owners = joined(owners, start);
    this.#codes = joined(codes, start * this.#words);
  }

  get windows(): number {
    return this.#owners.length;
  }

  /** The best cosine of each document whose code is among the nearest. */
  nearest(query: QueryVector, passes: Passes): Cosines {
    const cosines: Cosines = this.#segments.map(() => new Map());
    const count = this.#owners.length;
    if (count === 0) return cosines;
    const distances = new Uint16Array(count);
    hammingScan(query.bits, 0, this.#codes, count, this.#words, distances);
    for (const [segment, start] of this.#starts.slice(0, -1).entries()) {
      const end = this.#starts[segment + 1] as number;
      const passing = passes[segment] as Uint8Array;
      for (let window = start; window < end; window += 1) {
        if (passing[this.#owners[window] as number] !== 1) distances[window] = FAR;
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
    const rows = this.#rowsOf(block);
    const dims = query.row.length;
    const at = (window - block.start) * dims;
    const inverse = inverseLength(rows.subarray(at, at + dims));
    const cosine = dot8(query.row, 0, rows, at, dims) * query.inverse * inverse;
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

  #rowsOf(block: VectorBlock): Int8Array {
    const kept = this.#rows.get(block);
    if (kept) return kept;
    const segment = this.#segments[block.segment] as Segment;
    const row = this.#prepare("SELECT vectors FROM vector_blocks WHERE segment = ? AND first = ? AND model = ?").get(
      segment.id,
      block.first,
      this.#model,
    );
    const rows = new Int8Array(wordsOf(row?.vectors, 1));
    this.#keep(block, rows);
    return rows;
  }

  #keep(block: VectorBlock, rows: Int8Array): void {
    this.#rows.set(block, rows);
    this.#keptBytes += rows.byteLength;
    for (const [oldest, bytes] of this.#rows) {
      if (this.#keptBytes <= KEPT_ROWS) return;
      this.#rows.delete(oldest);
      this.#keptBytes -= bytes.byteLength;
    }
  }
}

function joined(parts: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
