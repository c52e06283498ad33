/**
 * What the edges of a file were worked out from: files it looked into, paths it asked for, names it looked up in the whole
 * project. Kept with the file as numbers, so that a change is followed to the files it can affect and to no others. Two
 * things may share a number: then a file too many is worked out, never one too few.
 */
import type { Family } from "../languages/language.ts";

export interface Needs {
  /** Paths of files whose surface was looked at. */
  surfaces: Set<string>;
  /** Paths that were asked for, there or not. */
  paths: Set<string>;
  /** Names that were looked up among all definitions. */
  names: Set<string>;
  /** Families whose way of following imports goes by the list of all files. */
  families: Set<Family>;
}

export function noNeeds(): Needs {
  return { surfaces: new Set(), paths: new Set(), names: new Set(), families: new Set() };
}

/**
 * Takes notes while a file's edges are worked out. Where imports lead is noted with the file that has them, not with the
 * one that asks: when that changes, it is as if the file had changed for all who look into it.
 */
export class Trail {
  /** Where notes go now. */
  at: Needs = noNeeds();
  #own: Needs = this.at;
  readonly #targets = new Map<string, Needs>();

  begin(): void {
    this.#own = noNeeds();
    this.at = this.#own;
  }

  /** Notes of this belong to the imports of `owner`. */
  ofImports<T>(owner: string, work: () => T): T {
    const before = this.at;
    let needs = this.#targets.get(owner);
    if (!needs) {
      needs = noNeeds();
      this.#targets.set(owner, needs);
    }
    this.at = needs;
    try {
      return work();
    } finally {
      this.at = before;
    }
  }

  /** Notes of this are given apart, for who keeps its result. */
  apart<T>(work: () => T): { result: T; needs: Needs } {
    const before = this.at;
    const needs = noNeeds();
    this.at = needs;
    try {
      return { result: work(), needs };
    } finally {
      this.at = before;
      this.also(needs);
    }
  }

  also({ surfaces, paths, names, families }: Needs): void {
    for (const each of surfaces) this.at.surfaces.add(each);
    for (const each of paths) this.at.paths.add(each);
    for (const each of names) this.at.names.add(each);
    for (const each of families) this.at.families.add(each);
  }

  end(path: string): Uint32Array {
    const targets = keysOf(this.#targets.get(path) ?? noNeeds());
    return Uint32Array.of(targets.length, ...targets, ...keysOf(this.#own));
  }
}

export function keysOf({ surfaces, paths, names, families }: Needs): number[] {
  return [
    ...Array.from(surfaces, surfaceKey),
    ...Array.from(paths, (path) => keyOf("p", path)),
    ...Array.from(names, (name) => keyOf("n", name)),
    ...Array.from(families, (family) => keyOf("f", family)),
  ];
}

export function surfaceKey(path: string): number {
  return keyOf("s", path);
}

/** Which of the files a change can affect. `stored` has what `end` gave, by path. */
export function affected(stored: ReadonlyMap<string, Uint32Array>, changed: Needs): Set<string> {
  const found = new Set<string>();
  const keys = new Set(keysOf(changed));
  const moved = new Set<number>();
  for (const [path, needs] of stored) {
    if (!holds(needs, 1, 1 + (needs[0] ?? 0), keys)) continue;
    found.add(path);
    moved.add(surfaceKey(path));
  }
  for (const key of moved) keys.add(key);
  for (const [path, needs] of stored) if (holds(needs, 1 + (needs[0] ?? 0), needs.length, keys)) found.add(path);
  return found;
}

function holds(needs: Uint32Array, from: number, to: number, keys: ReadonlySet<number>): boolean {
  for (let at = from; at < to; at += 1) if (keys.has(needs[at] as number)) return true;
  return false;
}

function keyOf(kind: "s" | "p" | "n" | "f", text: string): number {
  let value = 0x811c9dc5 ^ kind.charCodeAt(0);
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
