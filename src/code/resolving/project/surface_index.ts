/** The surface of a file, indexed by name: its definitions, members and properties. */
import type { Expression } from "../../expression.ts";
import type { Surface, SurfaceEntity } from "../../facts.ts";
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
  const index = new SurfaceIndexer(surface, family);
  for (const slot of surface.entities.keys()) index.add(slot);
  for (const { owner, name, value } of surface.properties) {
    const owned = innerMap(index.properties, owner);
    if (!owned.has(name)) owned.set(name, value);
  }
  return index;
}

class SurfaceIndexer implements SurfaceIndex {
  readonly surface: Surface;
  readonly family: Family;
  readonly top = new Map<string, number[]>();
  readonly members = new Map<number, Map<string, number>>();
  readonly ofClass = new Map<number, Map<string, number>>();
  readonly namespaces = new Map<string, number[]>();
  readonly overloads = new Map<number, number[]>();
  readonly properties = new Map<number, Map<string, Expression>>();
  readonly detached = new Map<string, number>();
  readonly declared: ReadonlySet<string>;

  constructor(surface: Surface, family: Family) {
    this.surface = surface;
    this.family = family;
    this.declared = new Set(surface.declared);
  }

  add(slot: number): void {
    const entity = this.surface.entities[slot];
    if (!entity || entity.isInline) return;
    const { name, qualified, parent } = entity;
    if (this.#isNamespace(slot)) append(this.namespaces, namespaceKey(entity), slot);
    const isInTop = parent >= 0 && this.#isOpen(parent);
    if (isInTop && qualified === `${this.surface.entities[parent]?.qualified}.${name}`) append(this.top, name, slot);
    if (parent < 0) this.#addTop(slot, entity);
    else this.#addMember(slot, entity);
  }

  #addTop(slot: number, { name, qualified, kind }: SurfaceEntity): void {
    if (kind === "test") return;
    if (kind === "method") {
      const key = qualified.split(".").slice(-2).join(".");
      if (!this.detached.has(key)) this.detached.set(key, slot);
      return;
    }
    // Ruby: `class A::B` is not a top-level B.
    if (qualified !== name) return;
    const same = this.top.get(name);
    // Definitions that a namespace adds to come before it.
    const before = same && !this.#isNamespace(slot) ? same.findIndex((each) => this.#isNamespace(each)) : -1;
    if (same && before >= 0) same.splice(before, 0, slot);
    else append(this.top, name, slot);
  }

  #addMember(slot: number, { name, parent, ofClass }: SurfaceEntity): void {
    const isEcmascript = this.family === "ecmascript";
    const owned = innerMap(ofClass && isEcmascript ? this.ofClass : this.members, parent);
    const before = owned.get(name);
    const isFirst = before === undefined || this.#isNamespace(before);
    if (isFirst || this.surface.entities[before]?.isDeclaration) owned.set(name, slot);
    else if (isEcmascript || this.family === "csharp" || this.family === "jvm")
      this.overloads.set(before, [...(this.overloads.get(before) ?? [before]), slot].slice(0, MAX_OVERLOADS));
  }

  #isNamespace(slot: number): boolean {
    return this.family === "ecmascript" && this.surface.entities[slot]?.kind === "module";
  }

  /** C++: a namespace does not hide its names; calls rarely repeat it. */
  #isOpen(slot: number): boolean {
    const owner = this.surface.entities[slot];
    return slot < 0 || (this.family === "c" && owner?.kind === "module" && this.#isOpen(owner.parent));
  }
}

function append(lists: Map<string, number[]>, key: string, slot: number): void {
  const list = lists.get(key);
  if (list) list.push(slot);
  else lists.set(key, [slot]);
}

function innerMap<T>(maps: Map<number, Map<string, T>>, owner: number): Map<string, T> {
  const inner = maps.get(owner) ?? new Map<string, T>();
  maps.set(owner, inner);
  return inner;
}
