/**
 * Imports of JavaScript and TypeScript: relative files, `paths` and `baseUrl` of tsconfig, `imports` and `exports` of
 * package.json, packages of the same workspace, import maps.
 */
import { asObject, asString } from "../../kernel/json.ts";
import type { ImportFact } from "../facts.ts";
import {
  isSubpaths,
  matchStar,
  type Package,
  type Pattern,
  pickEntry,
  readImportMaps,
  readPackages,
  readPatterns,
} from "./ecmascript_config.ts";
import { folderOf, type ImportTarget, joinPath, type ModuleResolver, type ProjectFiles } from "./module.ts";

const EXTENSIONS = ["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs"];
/** Source extensions of a built file, by its extension: imports may name the built file. */
const SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ["js", ["ts", "tsx", "d.ts", "jsx"]],
  ["jsx", ["tsx"]],
  ["mjs", ["mts"]],
  ["cjs", ["cts"]],
]);
/** Folders of built files; the sources are looked for instead. */
const BUILT = /^(dist|lib|build|out|esm|cjs)\//;
const MAX_EXTENDS = 8;

export class EcmascriptModules implements ModuleResolver {
  readonly shape = "";
  readonly #configs: ReadonlyMap<string, string>;
  readonly #paths: ProjectFiles["paths"];
  readonly #packagesByName: ReadonlyMap<string, Package>;
  readonly #packagesByFolder: ReadonlyMap<string, Package>;
  readonly #importMaps: readonly Pattern[];
  /** Path mappings that apply in a folder. */
  readonly #patterns = new Map<string, readonly Pattern[]>();

  constructor({ configs, paths }: ProjectFiles) {
    const packages = readPackages(configs);
    this.#configs = configs;
    this.#paths = paths;
    this.#packagesByName = new Map(packages.map((each) => [each.name, each]));
    this.#packagesByFolder = new Map(packages.map((each) => [each.folder, each]));
    this.#importMaps = readImportMaps(configs);
  }

  resolve(from: string, { source, name }: ImportFact): ImportTarget {
    const clean = source.replace(/[?#].*$/, (rest) => (source.startsWith("#") ? rest : ""));
    const folder = folderOf(from);
    if (clean.startsWith(".") || clean.startsWith("/")) {
      const location = clean.startsWith("/") ? clean.slice(1) : joinPath(folder, clean);
      const path = location === undefined ? undefined : this.#fileAt(location);
      return path === undefined ? { kind: "missing" } : { kind: "file", path, name };
    }
    const path =
      this.#byPattern(clean, this.#patternsFor(folder)) ??
      this.#byPattern(clean, this.#importMaps) ??
      this.#inPackage(folder, clean);
    if (path !== undefined) return { kind: "file", path, name };
    return clean.startsWith("#") || clean.startsWith("@/") || clean.startsWith("~/")
      ? { kind: "missing" }
      : { kind: "external", package: packageName(clean) };
  }

  /** The file that an import path refers to: itself, its source, with an extension, or the index of a folder. */
  #fileAt(location: string): string | undefined {
    if (this.#paths.has(location) && !location.endsWith("/")) return location;
    const dot = location.lastIndexOf(".");
    const extension = dot < 0 ? "" : location.slice(dot + 1);
    for (const source of SOURCES.get(extension) ?? []) {
      const path = `${location.slice(0, dot)}.${source}`;
      if (this.#paths.has(path)) return path;
    }
    // Declarations are made from a source of the same name.
    const declared = location.replace(/\.d\.([mc]?ts)$/, ".$1");
    if (declared !== location && this.#paths.has(declared)) return declared;
    for (const each of EXTENSIONS) if (this.#paths.has(`${location}.${each}`)) return `${location}.${each}`;
    const index = location === "" ? "index" : `${location}/index`;
    for (const each of EXTENSIONS) if (this.#paths.has(`${index}.${each}`)) return `${index}.${each}`;
    return undefined;
  }

  #byPattern(source: string, known: readonly Pattern[]): string | undefined {
    for (const { from, to, folder } of known) {
      const rest = matchStar(from, source);
      if (rest === undefined) continue;
      for (const target of to) {
        const location = joinPath(folder, target.replace("*", rest));
        const path = location === undefined ? undefined : this.#fileAt(location);
        if (path !== undefined) return path;
      }
    }
    return undefined;
  }

  /** Path mappings of the nearest tsconfig or jsconfig above the folder. */
  #patternsFor(folder: string): readonly Pattern[] {
    const known = this.#patterns.get(folder);
    if (known) return known;
    let found: readonly Pattern[] | undefined;
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (this.#configs.has(path)) found ??= readPatterns(path, this.#configs, MAX_EXTENDS);
    }
    found ??= folder === "" ? [] : this.#patternsFor(folderOf(folder));
    this.#patterns.set(folder, found);
    return found;
  }

  #inPackage(folder: string, source: string): string | undefined {
    if (source.startsWith("#")) {
      const own = this.#packageAbove(folder);
      return own && this.#sourceOf(own, pickEntry(asObject(own.manifest.imports), source));
    }
    const name = packageName(source);
    const found = this.#packagesByName.get(name);
    if (!found) return undefined;
    const sub = `.${source.slice(name.length)}`;
    const { exports } = found.manifest;
    if (exports !== undefined) {
      const entries = isSubpaths(exports) ? asObject(exports) : { ".": exports };
      return (
        this.#sourceOf(found, pickEntry(entries, sub)) ??
        this.#fileAt(under(found.folder, sub === "." ? "src/index" : sub))
      );
    }
    if (sub !== ".")
      return this.#fileAt(under(found.folder, sub)) ?? this.#fileAt(under(found.folder, `src/${sub.slice(2)}`));
    const main = asString(found.manifest.module) ?? asString(found.manifest.main);
    return (
      (main === undefined ? undefined : this.#builtOrSource(found.folder, main)) ??
      this.#fileAt(under(found.folder, "index")) ??
      this.#fileAt(under(found.folder, "src/index"))
    );
  }

  #sourceOf(own: Package, to: string | undefined): string | undefined {
    return to === undefined ? undefined : this.#builtOrSource(own.folder, to);
  }

  /** A manifest often names a built file; its source may have the same name. */
  #builtOrSource(folder: string, to: string): string | undefined {
    const plain = to.replace(/^\.\//, "");
    const path = this.#fileAt(under(folder, plain));
    if (path !== undefined || !BUILT.test(plain)) return path;
    const rest = plain
      .replace(BUILT, "")
      .replace(/^(esm|cjs|types)\//, "")
      .replace(/\.d\.[mc]?ts$/, ".js");
    return this.#fileAt(under(folder, `src/${rest}`)) ?? this.#fileAt(under(folder, rest));
  }

  #packageAbove(folder: string): Package | undefined {
    const own = this.#packagesByFolder.get(folder);
    return own ?? (folder === "" ? undefined : this.#packageAbove(folderOf(folder)));
  }
}

function under(folder: string, path: string): string {
  return joinPath(folder, path) ?? path;
}

function packageName(source: string): string {
  const parts = source.split("/");
  return source.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? source);
}
