/**
 * Finds the texts near a vector. First the bit codes of all windows are compared, which is quick and rough; then the
 * exact cosine is computed for the nearest of them.
 */
import { CodeScan } from "../vectors/code_scan.ts";
import { codeWords } from "../vectors/quantise.ts";
import type { Barred } from "./conditions.ts";
import type { SegmentSource } from "./ports.ts";
import type { QueryVector, VectorModel } from "./query.ts";
import type { Segment } from "./segment.ts";
import { checkVectorBlock, vectorsPerGroup } from "./vector_blocks.ts";

/** How many windows with the nearest bit codes get an exact cosine. */
const MAX_EXACT_WINDOWS = 400;
/** The distance of a barred window, larger than any real one. */
const EXCLUDED_DISTANCE = 65_535;
/** Vectors that are cached in memory. */
const MAX_CACHED_BYTES = 8 << 20;

/** For each segment: the cosine of each compared document. */
export type Cosines = Map<number, number>[];

interface PlacedBlock {
  segment: number;
  /** The number of its first window, and the group with that window's vector. */
  start: number;
  base: number;
}

export class VectorIndex {
  readonly #source: SegmentSource;
  readonly #segments: readonly Segment[];
  readonly #groupSize: number;
  readonly #blocks: PlacedBlock[] = [];
  /** The document of each window, in the order of segments and documents. */
  readonly #owners: Uint32Array;
  /** The bit codes of the windows. */
  readonly #scan: CodeScan;
  /** The start of each segment's windows, and the end of the last. */
  readonly #starts: number[] = [];
  readonly #groups = new Map<number, Int8Array>();
  #cachedBytes = 0;

  constructor(source: SegmentSource, segments: readonly Segment[], model: VectorModel) {
    this.#source = source;
    this.#segments = segments;
    const words = codeWords(model.dims);
    this.#groupSize = vectorsPerGroup(model.dims);
    this.#owners = new Uint32Array(source.vectorCount(model));
    this.#scan = new CodeScan(this.#owners.length, words, model.dims);
    let start = 0;
    for (const [number, segment] of segments.entries()) {
      this.#starts.push(start);
      for (const { owners, codes, base } of source.vectorBlocks(segment.id, model)) {
        checkVectorBlock(owners, codes, segment.documents, model.dims);
        this.#owners.set(owners, start);
        this.#scan.codes.set(codes, start * words);
        this.#blocks.push({ segment: number, start, base });
        start += owners.length;
      }
    }
    this.#starts.push(start);
  }

  get windows(): number {
    return this.#owners.length;
  }

  /** The best cosine of each document whose code is among the nearest. */
  nearest(query: QueryVector, barred: Barred): Cosines {
    const cosines: Cosines = this.#segments.map(() => new Map());
    if (this.#owners.length === 0) return cosines;
    const distances = this.#scan.measure(query.bits);
    for (const [segment, start] of this.#starts.slice(0, -1).entries()) {
      const end = this.#starts[segment + 1] as number;
      const bar = barred[segment];
      if (!bar) continue;
      for (let window = start; window < end; window += 1) {
        if (bar[this.#owners[window] as number] === 1) distances[window] = EXCLUDED_DISTANCE;
      }
    }
    const nearest = this.#scan.nearest(MAX_EXACT_WINDOWS);
    this.#readGroups(nearest);
    for (const window of nearest) this.#compareWindow(query, window, cosines);
    return cosines;
  }

  /** Adds the cosines of these documents, if they have vectors. */
  compare(query: QueryVector, segment: number, documents: Iterable<number>, cosines: Cosines): void {
    const known = cosines[segment];
    const windows: number[] = [];
    for (const document of documents) {
      if (known?.has(document)) continue;
      let window = this.#firstWindow(segment, document);
      for (; this.#isOf(window, segment, document); window += 1) windows.push(window);
    }
    this.#readGroups(windows);
    for (const window of windows) this.#compareWindow(query, window, cosines);
  }

  #isOf(window: number, segment: number, document: number): boolean {
    return window < (this.#starts[segment + 1] as number) && this.#owners[window] === document;
  }

  /** A binary search: windows are sorted by document. */
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

  #compareWindow(query: QueryVector, window: number, cosines: Cosines): void {
    const block = this.#blockOf(window);
    const place = window - block.start;
    const group = this.#group(this.#groupOf(block, window));
    const dims = query.row.length;
    const at = (place % this.#groupSize) * dims;
    const cosine = this.#scan.cosine(query.row, group.subarray(at, at + dims)) * query.inverse;
    const document = this.#owners[window] as number;
    const known = cosines[block.segment] as Map<number, number>;
    if (cosine > (known.get(document) ?? -1)) known.set(document, cosine);
  }

  #blockOf(window: number): PlacedBlock {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle] as PlacedBlock).start <= window) low = middle;
      else high = middle - 1;
    }
    return this.#blocks[low] as PlacedBlock;
  }

  #groupOf({ base, start }: PlacedBlock, window: number): number {
    return base + Math.floor((window - start) / this.#groupSize);
  }

  /** Reads the groups of these windows that are not cached. */
  #readGroups(windows: Iterable<number>): void {
    const wanted = new Set<number>();
    for (const window of windows) {
      const id = this.#groupOf(this.#blockOf(window), window);
      if (!this.#groups.has(id)) wanted.add(id);
    }
    if (wanted.size === 0) return;
    for (const [id, group] of this.#source.vectorGroups([...wanted])) this.#cache(id, group);
    this.#dropOldest();
  }

  #group(id: number): Int8Array {
    const cached = this.#groups.get(id);
    if (cached) return cached;
    const group = this.#source.vectorGroup(id);
    this.#cache(id, group);
    this.#dropOldest();
    return group;
  }

  #cache(id: number, group: Int8Array): void {
    if (group.length === 0) return;
    this.#groups.set(id, group);
    this.#cachedBytes += group.byteLength;
  }

  /**
   * Called once for all groups that were read, because each iteration makes V8 skip the deleted entries at the start.
   */
  #dropOldest(): void {
    for (const [oldest, { byteLength }] of this.#groups) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES) break;
      this.#groups.delete(oldest);
      this.#cachedBytes -= byteLength;
    }
  }
}
