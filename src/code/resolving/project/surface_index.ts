/** The surface of a file, indexed by name: its definitions, members and properties. */
import type { Expression } from "../../expression.ts";
import type { Surface } from "../../facts.ts";
import type { Family } from "../../languages/language.ts";

/** More are not told apart. */
export const MAX_OVERLOADS = 16;

export interface SurfaceIndex {
  surface: Surface;
  family: Family;
  /** Slots of top-level definitions, by name. */
  top: ReadonlyMap<string, readonly number[]>;
  /** Slots of members by owner and name. */
  members: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** JavaScript: slots of the methods of classes themselves (`static`), by owner and name. */
  ofClass: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** TypeScript: slots of namespaces, by `namespaceKey`. One may add to a class, function or type of its name. */
  namespaces: ReadonlyMap<string, readonly number[]>;
  /** All slots of a member that is written several times, by the first of them. */
  overloads: ReadonlyMap<number, readonly number[]>;
  properties: ReadonlyMap<number, ReadonlyMap<string, Expression>>;
  /** Methods written outside their type, by `Type.method`. */
  detached: ReadonlyMap<string, number>;
  declared: ReadonlySet<string>;
}

export interface Surfaces {
  get(path: string): SurfaceIndex | undefined;
}

/** Distinguishes the two when a name is both a type and a value. */
export function isType({ surface }: SurfaceIndex, slot: number): boolean {
  const kind = surface.entities[slot]?.kind;
  return kind === "interface" || kind === "type";
}

export function namespaceKey({ parent, name }: { parent: number; name: string }): string {
  return `${parent}.${name}`;
}

export function indexSurface(surface: Surface, family: Family): SurfaceIndex {
  const top = new Map<string, number[]>();
  const members = new Map<number, Map<string, number>>();
  const ofClass = new Map<number, Map<string, number>>();
  const overloads = new Map<number, number[]>();
  const detached = new Map<string, number>();
  const namespaces = new Map<string, number[]>();
  /** C++: a namespace does not hide its names; calls rarely repeat it. */
  const inNamespace = (slot: number): boolean => {
    const owner = surface.entities[slot];
    return slot < 0 || (family === "c" && owner?.kind === "module" && inNamespace(owner.parent));
  };
  for (const [slot, { name, qualified, parent, kind, isInline, ofClass: isStatic }] of surface.entities.entries()) {
    if (isInline) continue;
    const isNamespace = kind === "module" && family === "ecmascript";
    if (isNamespace) {
      const key = namespaceKey({ parent, name });
      namespaces.set(key, [...(namespaces.get(key) ?? []), slot]);
    }
    if (parent >= 0 && inNamespace(parent) && qualified === `${surface.entities[parent]?.qualified}.${name}`) {
      top.set(name, [...(top.get(name) ?? []), slot]);
    }
    if (parent < 0) {
      if (kind === "test") continue;
      if (kind === "method") {
        const key = qualified.split(".").slice(-2).join(".");
        if (!detached.has(key)) detached.set(key, slot);
        continue;
      }
      // Ruby: `class A::B` is not a top-level B.
      if (qualified !== name) continue;
      const same = top.get(name);
      if (same && isNamespace) same.push(slot);
      else if (same) same.splice(firstNamespace(surface, family, same), 0, slot);
      else top.set(name, [slot]);
      continue;
    }
    const owners = isStatic && family === "ecmascript" ? ofClass : members;
    const owned = owners.get(parent) ?? new Map<string, number>();
    owners.set(parent, owned);
    const before = owned.get(name);
    const isFirst = before === undefined || (family === "ecmascript" && surface.entities[before]?.kind === "module");
    if (isFirst || surface.entities[before]?.isDeclaration) owned.set(name, slot);
    else if (family === "ecmascript" || family === "csharp")
      overloads.set(before, [...(overloads.get(before) ?? [before]), slot].slice(0, MAX_OVERLOADS));
  }
  const properties = new Map<number, Map<string, Expression>>();
  for (const { owner, name, value } of surface.properties) {
    const owned = properties.get(owner) ?? new Map<string, Expression>();
    properties.set(owner, owned);
    if (!owned.has(name)) owned.set(name, value);
  }
  return {
    surface,
    family,
    top,
    members,
    ofClass,
    namespaces,
    overloads,
    properties,
    detached,
    declared: new Set(surface.declared),
  };
}

/** Where the namespaces among definitions of one name begin: what they add to comes first. */
function firstNamespace({ entities }: Surface, family: Family, slots: readonly number[]): number {
  const at = family === "ecmascript" ? slots.findIndex((slot) => entities[slot]?.kind === "module") : -1;
  return at < 0 ? slots.length : at;
}
