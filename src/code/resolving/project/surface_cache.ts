/**
 * Caches the indexed surfaces of files while edges are resolved. Those of a large project do not all fit into memory:
 * the least recently used are dropped, and read again when they are needed.
 */
import type { Surface } from "../../facts.ts";
import { familyOf } from "../../languages/registry.ts";
import type { WholeProject } from "./project_files.ts";
import { indexSurface, type SurfaceIndex } from "./surface_index.ts";

/** Definitions, members and imports of the surfaces that are kept: about 20 MB. With twice as many, a tenth less is read. */
const MAX_ITEMS = 30_000;

interface Entry {
  index: SurfaceIndex | undefined;
  items: number;
  /** The turn in which it was last asked for. */
  used: number;
}

export class SurfaceCache {
  readonly #surfaces: WholeProject["surfaces"];
  readonly #maxItems: number;
  readonly #entries = new Map<string, Entry>();
  #items = 0;
  #turn = 0;

  constructor(surfaces: WholeProject["surfaces"], maxItems: number = MAX_ITEMS) {
    this.#surfaces = surfaces;
    this.#maxItems = maxItems;
  }

  /** The edges of another file are resolved from here on. */
  nextTurn(): void {
    this.#turn += 1;
    if (this.#items > this.#maxItems) this.#dropOldest();
  }

  get(path: string): SurfaceIndex | undefined {
    const known = this.#entries.get(path);
    if (known) {
      known.used = this.#turn;
      return known.index;
    }
    const surface = this.#surfaces.get(path);
    const index = surface && indexSurface(surface, familyOf(surface.language));
    const items = 1 + (surface ? sizeOf(surface) : 0);
    this.#entries.set(path, { index, items, used: this.#turn });
    this.#items += items;
    return index;
  }

  #dropOldest(): void {
    for (const [path, { items }] of [...this.#entries].sort(([, a], [, b]) => a.used - b.used)) {
      if (this.#items <= this.#maxItems / 2) return;
      this.#entries.delete(path);
      this.#items -= items;
    }
  }
}

function sizeOf({ entities, properties, imports, exports }: Surface): number {
  return entities.length + properties.length + imports.length + exports.length;
}
