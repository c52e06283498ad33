/** Import resolution. Each other file of `modules/` implements it for one family, or for several that work alike. */
import type { ImportFact, Surface } from "../facts.ts";

export type ImportTarget =
  /** A name of a file; `*` is the file itself. `inside`: the way from there to a definition in a definition. */
  | { kind: "file"; path: string; name: string; inside?: readonly string[] }
  /** Several files that make up one package. `inside`: the way from there to a type in a type, or to one of its members. */
  | { kind: "package"; paths: readonly string[]; name: string; inside?: readonly string[] }
  /** Outside this project. */
  | { kind: "external"; package: string }
  /** Belongs to this project by its form, but no such file exists. */
  | { kind: "missing" };

export interface ProjectFiles {
  /** Surfaces of files, by path. */
  surfaces: { get(path: string): Surface | undefined };
  /** Texts of configuration files, by path. */
  configs: ReadonlyMap<string, string>;
  /** Paths of all indexed files, code or not, in order. */
  paths: Iterable<string> & { has(path: string): boolean };
  /** All files with the package or namespace they declare, ordered by path. */
  modules(): Iterable<{ path: string; language: string; module: string }>;
}

export interface ModuleResolver {
  resolve(from: string, fact: ImportFact): ImportTarget;
  /** Files whose names are visible in this one without an import: those of the same package. */
  siblings?(from: string): readonly string[];
  /** A module inside a package, by its name there: `pkg.sub`. */
  submodule?(paths: readonly string[], name: string): string | undefined;
  /**
   * The part of the list of all files that the answers depend on, besides the paths the resolver asks for; undefined: the
   * whole list.
   */
  shape?: string;
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** `a/b` and `../c` make `a/c`; undefined: outside the project. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
