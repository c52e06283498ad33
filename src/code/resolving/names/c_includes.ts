/** C and C++: the files that a file includes, directly or through others. */
import type { ImportTarget } from "../../modules/module.ts";
import type { Surfaces } from "../project/surface_index.ts";

export class CIncludes {
  readonly #files: Surfaces;
  readonly #importTarget: (path: string, at: number) => ImportTarget;
  readonly #lists = new Map<string, readonly string[]>();

  constructor(files: Surfaces, importTarget: (path: string, at: number) => ImportTarget) {
    this.#files = files;
    this.#importTarget = importTarget;
  }

  /** The file and everything it includes, the nearest first. */
  of(path: string): readonly string[] {
    const known = this.#lists.get(path);
    if (known) return known;
    const found = new Set([path]);
    for (const each of found) {
      for (const at of this.#files.get(each)?.surface.imports.keys() ?? []) {
        const to = this.#importTarget(each, at);
        if (to.kind === "file") found.add(to.path);
      }
    }
    const list = [...found];
    this.#lists.set(path, list);
    return list;
  }

  /** Whether the file includes the header. */
  isIncluded(header: string, path: string): boolean {
    // Each file is asked for, so that the result depends on it.
    return this.of(path).some((each) => this.#files.get(each) && each === header);
  }

  /** Whether the file or one that it includes declares the function. */
  isDeclared(path: string, name: string): boolean {
    return this.of(path).some((each) => this.#files.get(each)?.declared.has(name) === true);
  }
}
