/** What a file shows, by name: where definitions, members and properties are looked for. */
import type { Expression, Surface } from "../facts.ts";
import type { Family } from "../languages/language.ts";

export interface SurfaceIndex {
  surface: Surface;
  family: Family;
  /** Slots of definitions at the top, by name. */
  top: ReadonlyMap<string, readonly number[]>;
  /** Slots of members by owner and name. */
  members: ReadonlyMap<number, ReadonlyMap<string, number>>;
  properties: ReadonlyMap<number, ReadonlyMap<string, Expression>>;
  /** Methods that are written apart from their type, by `Type.method`. */
  loose: ReadonlyMap<string, number>;
}

export interface Surfaces {
  get(path: string): SurfaceIndex | undefined;
}

/** A name may be a type and a value at once. */
export function isType({ surface }: SurfaceIndex, slot: number): boolean {
  const kind = surface.entities[slot]?.kind;
  return kind === "interface" || kind === "type";
}

export function indexSurface(surface: Surface, family: Family): SurfaceIndex {
  const top = new Map<string, number[]>();
  const members = new Map<number, Map<string, number>>();
  const loose = new Map<string, number>();
  for (const [slot, { name, qualified, parent, kind }] of surface.entities.entries()) {
    if (parent < 0) {
      if (kind === "test") continue;
      if (kind === "method") {
        if (!loose.has(qualified)) loose.set(qualified, slot);
        continue;
      }
      const same = top.get(name);
      if (same) same.push(slot);
      else top.set(name, [slot]);
      continue;
    }
    const owned = members.get(parent) ?? new Map<string, number>();
    members.set(parent, owned);
    if (!owned.has(name)) owned.set(name, slot);
  }
  const properties = new Map<number, Map<string, Expression>>();
  for (const { owner, name, value } of surface.properties) {
    const owned = properties.get(owner) ?? new Map<string, Expression>();
    properties.set(owner, owned);
    if (!owned.has(name)) owned.set(name, value);
  }
  return { surface, family, top, members, properties, loose };
}
