/** Imports of Rust: module paths from the crate root, from the file's own module, or from its parent. */
import type { ImportFact } from "../facts.ts";
import { folderOf, type ImportTarget, joinPath, type ModuleResolver, type ProjectFiles } from "./module.ts";

/** The source of a `mod x;` statement, in front of the stated path if there is one. */
export const MODULE_FILE = "mod";
const RELATIVE = new Set(["crate", "self", "super"]);

/** The source folders of the project's crates, by their name in the code. */
function cratesOf(configs: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, text] of configs) {
    if (!/(^|\/)Cargo\.toml$/.test(path)) continue;
    const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
    const library = /^\[lib\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
    const source = sourceOf(path);
    for (const each of [name, library]) if (each !== undefined) found.set(each.replaceAll("-", "_"), source);
  }
  return found;
}

/** The source folders of crates of the first edition, whose imports begin at the crate's root. */
function firstEdition(configs: ReadonlyMap<string, string>): Set<string> {
  const found = new Set<string>();
  for (const [path, text] of configs)
    if (/(^|\/)Cargo\.toml$/.test(path) && /^\[package\]/m.test(text) && !/^edition\b(?!\s*=\s*"2015")/m.test(text))
      found.add(sourceOf(path));
  return found;
}

function sourceOf(manifest: string): string {
  return [folderOf(manifest), "src"].filter((part) => part !== "").join("/");
}

/** Where a path leads. */
interface Place {
  crate: string;
  /** Names of modules from the crate's root on. */
  modules: readonly string[];
  /** The path as written, without what it is relative to. */
  segments: readonly string[];
  /** In the crate itself, or in another one of the project. */
  isOwn: boolean;
}

export function rustModules({ paths, configs, surfaces }: ProjectFiles): ModuleResolver {
  const workspace = cratesOf(configs);
  const fromRoot = firstEdition(configs);

  /** The source folder of the crate. */
  function crateOf(path: string): string {
    for (let at = folderOf(path); ; at = folderOf(at)) {
      const inside = at === "" ? "" : `${at}/`;
      if (paths.has(`${inside}lib.rs`) || paths.has(`${inside}main.rs`)) return at;
      if (at === "") return folderOf(path);
    }
  }

  /** Module names from the crate root down to the file's own. */
  function moduleOf(path: string, crate: string): string[] {
    const inside = crate === "" ? path : path.slice(crate.length + 1);
    const parts = inside.replace(/\.rs$/, "").split("/");
    if (["mod", "lib", "main"].includes(parts.at(-1) ?? "")) parts.pop();
    return parts;
  }

  function fileOf(crate: string, parts: readonly string[]): string | undefined {
    const place = [crate, ...parts].filter((part) => part !== "").join("/");
    const inside = place === "" ? "" : `${place}/`;
    const own = parts.length === 0 ? [`${inside}lib.rs`, `${inside}main.rs`] : [`${place}.rs`, `${inside}mod.rs`];
    return own.find((path) => paths.has(path));
  }

  /** `mod x;`: the file of the module, by its name or by its stated path. */
  function moduleFile(from: string, source: string, name: string): ImportTarget {
    const stated = source.slice(MODULE_FILE.length + 1);
    const own = crateOf(from);
    const path = stated === "" ? fileOf(own, [...moduleOf(from, own), name]) : joinPath(folderOf(from), stated);
    return path !== undefined && paths.has(path) ? { kind: "file", path, name: "*" } : { kind: "missing" };
  }

  /** Whether the crate's root has a module or item of that name. */
  function beginsAtRoot(crate: string, name: string): boolean {
    if (RELATIVE.has(name)) return false;
    if (fileOf(crate, [name]) !== undefined) return true;
    const root = surfaces.get(fileOf(crate, []) ?? "");
    return root?.entities.some((each) => each.parent < 0 && each.name === name) === true;
  }

  /** A path may begin with a name that the file imports: `use crate::a; use a::b;`. */
  function throughImport(from: string, segments: string[]): string[] {
    const [first = ""] = segments;
    if (first === "" || RELATIVE.has(first)) return segments;
    const known = surfaces
      .get(from)
      ?.imports.find((each) => each.local === first && /^(crate|self|super)\b/.test(each.source));
    return known ? [...known.source.split("::").filter(Boolean), known.name, ...segments.slice(1)] : segments;
  }

  function placeOf(from: string, source: string, name: string): Place {
    const segments = throughImport(from, source.split("::").filter(Boolean));
    const own = crateOf(from);
    if (fromRoot.has(own) && beginsAtRoot(own, segments[0] ?? name)) segments.unshift("crate");
    const relative = RELATIVE.has(segments[0] ?? "");
    const near = moduleOf(from, own);
    const isNear = relative || fileOf(own, [...near, segments[0] ?? name]) !== undefined;
    const other = isNear ? undefined : workspace.get(segments[0] ?? "");
    const at = other === undefined ? near : [];
    if (other !== undefined) segments.splice(0, 1, "crate");
    if (segments[0] === "crate") at.splice(0);
    while (RELATIVE.has(segments[0] ?? "")) if (segments.shift() === "super") at.pop();
    return { crate: other ?? own, modules: [...at, ...segments], segments, isOwn: relative || other !== undefined };
  }

  /** The last segments may be a type or modules inside a file. */
  function insideFile({ crate, modules }: Place, name: string): ImportTarget | undefined {
    for (let depth = modules.length - 1; depth >= 0; depth -= 1) {
      const above = fileOf(crate, modules.slice(0, depth));
      const { entities = [], imports = [] } = surfaces.get(above ?? "") ?? {};
      // A star import may bring the module.
      const isModule = (): boolean =>
        entities.some((each) => each.parent < 0 && each.name === modules[depth]) || imports.some((each) => each.star);
      if (above !== undefined && (depth === modules.length - 1 || isModule()))
        return { kind: "file", path: above, name: modules[depth] ?? name, inside: [...modules.slice(depth + 1), name] };
    }
    return undefined;
  }

  function resolve(from: string, { source, name, star }: ImportFact): ImportTarget {
    if (source.startsWith(MODULE_FILE)) return moduleFile(from, source, name);
    const place = placeOf(from, source, name);
    const { crate, modules, segments, isOwn } = place;
    const around = isOwn || segments.length > 0 ? fileOf(crate, modules) : undefined;
    // A module and a function may have one name: the file around the module knows both.
    if (around !== undefined && around !== from && !star) return { kind: "file", path: around, name };
    const module = fileOf(crate, star ? modules : [...modules, name]);
    if (module !== undefined) return { kind: "file", path: module, name: "*" };
    if (around !== undefined) return { kind: "file", path: around, name };
    if (!isOwn) return { kind: "external", package: segments[0] ?? name };
    return insideFile(place, name) ?? { kind: "missing" };
  }

  /** A module whose `mod` statement dex does not see, for instance inside a macro. */
  function submodule([file]: readonly string[], name: string): string | undefined {
    if (file === undefined) return undefined;
    const crate = crateOf(file);
    return fileOf(crate, [...moduleOf(file, crate), name]);
  }

  return { resolve, submodule, shape: "" };
}
