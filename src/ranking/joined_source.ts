/**
 * Presents the segments of several sources as one index, so that their documents are counted and scored together. The
 * owners of each source keep their numbers plus an offset per source, which keeps the numbers of all dense.
 */
import type { SegmentSource } from "./ports.ts";
import type { VectorModel } from "./query.ts";
import type { Segment } from "./segment.ts";
import type { VectorBlock } from "./vector_blocks.ts";

/**
 * Larger than the number of any segment or group of vectors in a source; a few multiples of it are still safe integers.
 */
const NUMBERS_PER_SOURCE = 2 ** 40;

export interface SourcePart {
  source: SegmentSource;
  /** The offset of its owners. */
  shift(): number;
}

export class JoinedSource implements SegmentSource {
  readonly #parts: readonly SourcePart[];
  #versions = "";
  #version = 0;

  constructor(parts: readonly SourcePart[]) {
    this.#parts = parts;
  }

  version(): number {
    const versions = this.#parts.map(({ source, shift }) => `${source.version()}:${shift()}`).join(" ");
    if (versions !== this.#versions) this.#version += 1;
    this.#versions = versions;
    return this.#version;
  }

  segments(): Segment[] {
    return this.#parts.flatMap(({ source, shift }, part) =>
      source.segments().map((segment) => ({
        ...segment,
        id: part * NUMBERS_PER_SOURCE + segment.id,
        places: shiftedOwners(segment.places, shift()),
      })),
    );
  }

  termBlock(segment: number, term: string): Uint8Array | undefined {
    return this.#sourceOf(segment).termBlock(segment % NUMBERS_PER_SOURCE, term);
  }

  termBlocks(segment: number, initial: string): Iterable<Uint8Array> {
    return this.#sourceOf(segment).termBlocks(segment % NUMBERS_PER_SOURCE, initial);
  }

  vectorCount(model: VectorModel): number {
    return this.#parts.reduce((sum, { source }) => sum + source.vectorCount(model), 0);
  }

  *vectorBlocks(segment: number, model: VectorModel): Generator<VectorBlock> {
    const shift = segment - (segment % NUMBERS_PER_SOURCE);
    for (const block of this.#sourceOf(segment).vectorBlocks(segment - shift, model)) {
      yield { ...block, base: block.base + shift };
    }
  }

  vectorGroup(group: number): Int8Array {
    return this.#sourceOf(group).vectorGroup(group % NUMBERS_PER_SOURCE);
  }

  *vectorGroups(groups: readonly number[]): Generator<readonly [number, Int8Array]> {
    for (const [part, { source }] of this.#parts.entries()) {
      const shift = part * NUMBERS_PER_SOURCE;
      const own = groups.filter((group) => Math.floor(group / NUMBERS_PER_SOURCE) === part);
      if (own.length === 0) continue;
      for (const [group, vectors] of source.vectorGroups(own.map((group) => group - shift)))
        yield [group + shift, vectors];
    }
  }

  missed(): number {
    return this.#parts.reduce((sum, { source }) => sum + (source.missed?.() ?? 0), 0);
  }

  #sourceOf(number: number): SegmentSource {
    return (this.#parts[Math.floor(number / NUMBERS_PER_SOURCE)] as SourcePart).source;
  }
}

/** `places`: pairs of owner and slot. */
function shiftedOwners(places: Uint32Array, shift: number): Uint32Array {
  if (shift === 0) return places;
  const shifted = places.slice();
  for (let at = 0; at < shifted.length; at += 2) shifted[at] = (shifted[at] as number) + shift;
  return shifted;
}
