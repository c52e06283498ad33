/**
 * Dependencies of a file's edges: the files whose surface the resolver read, the paths it asked for, the names it looked
 * up in the whole project. They are stored with the file as hashes, so a change leads to the files it can affect and to
 * no others. A hash collision resolves one file too many, never one too few.
 */
import type { Family } from "../../languages/language.ts";

export interface Dependencies {
  /** Paths of files whose surface was read. */
  surfaces: Set<string>;
  /** Paths whose existence was asked for, whether or not they exist. */
  paths: Set<string>;
  /** Names that were looked up among all definitions. */
  names: Set<string>;
  /** Families whose import resolution depends on the list of all files. */
  families: Set<Family>;
}

export function noDependencies(): Dependencies {
  return { surfaces: new Set(), paths: new Set(), names: new Set(), families: new Set() };
}

/**
 * Records dependencies while the edges of a file are resolved. Import targets are recorded for the file that has the
 * imports, not for the file being resolved: when a target changes, every file that reads the importer is affected.
 */
export class DependencyRecorder {
  /** The set that receives new entries. */
  current: Dependencies = noDependencies();
  #own: Dependencies = this.current;
  readonly #ofImports = new Map<string, Dependencies>();
  /** Files whose imports are recorded completely. */
  readonly #ended = new Set<string>();

  begin(): void {
    this.#own = noDependencies();
    this.current = this.#own;
  }

  /** Records the dependencies of `work` for the imports of `owner`. */
  forImportsOf<T>(owner: string, work: () => T): T {
    if (this.#ended.has(owner)) return this.unrecorded(work);
    let dependencies = this.#ofImports.get(owner);
    if (!dependencies) {
      dependencies = noDependencies();
      this.#ofImports.set(owner, dependencies);
    }
    return this.#into(dependencies, work);
  }

  /** Also returns the dependencies of `work` separately, for a caller that caches the result with them. */
  separately<T>(work: () => T): { result: T; dependencies: Dependencies } {
    const dependencies = noDependencies();
    try {
      return { result: this.#into(dependencies, work), dependencies };
    } finally {
      this.add(dependencies);
    }
  }

  /** Runs `work` without recording its dependencies. */
  unrecorded<T>(work: () => T): T {
    return this.#into(noDependencies(), work);
  }

  add({ surfaces, paths, names, families }: Dependencies): void {
    for (const each of surfaces) this.current.surfaces.add(each);
    for (const each of paths) this.current.paths.add(each);
    for (const each of names) this.current.names.add(each);
    for (const each of families) this.current.families.add(each);
  }

  /**
   * Number of hashes of the imports, those hashes, then the hashes of the file itself. Both are sorted: in which order the
   * imports were followed depends on the files before.
   */
  end(path: string): Uint32Array {
    const imports = hashesOf(this.#ofImports.get(path) ?? noDependencies());
    // All imports of the file have been followed: nothing is added any more.
    this.#ofImports.delete(path);
    this.#ended.add(path);
    const own = hashesOf(this.#own);
    const all = new Uint32Array(1 + imports.length + own.length);
    all[0] = imports.length;
    all.set(imports, 1);
    all.set(own, 1 + imports.length);
    all.subarray(1, 1 + imports.length).sort();
    all.subarray(1 + imports.length).sort();
    return all;
  }

  #into<T>(dependencies: Dependencies, work: () => T): T {
    const before = this.current;
    this.current = dependencies;
    try {
      return work();
    } finally {
      this.current = before;
    }
  }
}

/** The files that a change can affect. `stored` holds the result of `end` by path. */
export function affectedFiles(stored: ReadonlyMap<string, Uint32Array>, changed: Dependencies): Set<string> {
  const found = new Set<string>();
  const hashes = new Set(hashesOf(changed));
  const moved = new Set<number>();
  for (const [path, dependencies] of stored) {
    if (!includesAny(dependencies, 1, 1 + (dependencies[0] ?? 0), hashes)) continue;
    found.add(path);
    moved.add(hashOf("s", path));
  }
  for (const hash of moved) hashes.add(hash);
  for (const [path, dependencies] of stored) {
    if (includesAny(dependencies, 1 + (dependencies[0] ?? 0), dependencies.length, hashes)) found.add(path);
  }
  return found;
}

function hashesOf({ surfaces, paths, names, families }: Dependencies): number[] {
  const hashes: number[] = [];
  for (const path of surfaces) hashes.push(hashOf("s", path));
  for (const path of paths) hashes.push(hashOf("p", path));
  for (const name of names) hashes.push(hashOf("n", name));
  for (const family of families) hashes.push(hashOf("f", family));
  return hashes;
}

function includesAny(dependencies: Uint32Array, from: number, to: number, hashes: ReadonlySet<number>): boolean {
  for (let at = from; at < to; at += 1) if (hashes.has(dependencies[at] as number)) return true;
  return false;
}

/** FNV-1a over UTF-16 units, seeded with the kind. */
function hashOf(kind: "s" | "p" | "n" | "f", text: string): number {
  let value = 0x811c9dc5 ^ kind.charCodeAt(0);
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
