/** Where an import leads. One file of `modules/` for each way languages have of naming what they import. */
import type { ImportFact, Surface } from "../facts.ts";

export type ImportTarget =
  /** A name of a file; `*` is the file itself. */
  | { kind: "file"; path: string; name: string }
  /** Several files that make up one package. */
  | { kind: "package"; paths: readonly string[]; name: string }
  /** Nothing of this project. */
  | { kind: "external"; package: string }
  /** It should be in this project, and is not. */
  | { kind: "missing" };

export interface ProjectFiles {
  /** What files show, by path. */
  surfaces: { get(path: string): Surface | undefined };
  /** Texts of configuration files, by path. */
  configs: ReadonlyMap<string, string>;
  /** Paths of all files that are known, code or not, in order. */
  paths: Iterable<string> & { has(path: string): boolean };
  /** Files with the package or namespace they state, by path. */
  modules(): Iterable<{ path: string; language: string; module: string }>;
}

export interface ModuleResolver {
  resolve(from: string, fact: ImportFact): ImportTarget;
  /** Files whose names hold in this one without an import. */
  mates?(from: string): readonly string[];
  /** A file inside of a package, by the name it has there: `pkg.sub`. */
  inside?(paths: readonly string[], name: string): string | undefined;
  /** Of the list of all files, what its answers depend on besides the paths it asks for; undefined: all of it. */
  shape?: string;
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** `a/b` and `../c` make `a/c`; undefined: outside of the project. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
