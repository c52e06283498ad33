/**
 * Imports of JavaScript and TypeScript: relative files, `paths` and `baseUrl` of tsconfig, `imports` and `exports` of
 * package.json, packages of the same workspace, import maps.
 */
import { parse } from "jsonc-parser";
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { ImportFact } from "../facts.ts";
import { folderOf, type ImportTarget, joinPath, type ModuleResolver, type ProjectFiles } from "./module.ts";

const ENDINGS = ["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs"];
/** What is imported by the name it has when built. */
const SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ["js", ["ts", "tsx", "d.ts", "jsx"]],
  ["jsx", ["tsx"]],
  ["mjs", ["mts"]],
  ["cjs", ["cts"]],
]);
/** Folders of built files, in whose place the sources are looked for. */
const BUILT = /^(dist|lib|build|out|esm|cjs)\//;
const MOST_EXTENDS = 8;

interface Pattern {
  /** With `*` where anything may stand. */
  from: string;
  to: readonly string[];
  folder: string;
}

interface Package {
  folder: string;
  name: string;
  manifest: JsonObject;
}

export function ecmascriptModules(project: ProjectFiles): ModuleResolver {
  const { configs, paths } = project;
  const packages = readPackages(configs);
  const byName = new Map(packages.map((each) => [each.name, each]));
  const byFolder = new Map(packages.map((each) => [each.folder, each]));
  const patterns = new Map<string, readonly Pattern[]>();
  const maps = readImportMaps(configs);

  function resolve(from: string, { source, name }: ImportFact): ImportTarget {
    const clean = source.replace(/[?#].*$/, (rest) => (source.startsWith("#") ? rest : ""));
    const folder = folderOf(from);
    if (clean.startsWith(".") || clean.startsWith("/")) {
      const place = clean.startsWith("/") ? clean.slice(1) : joinPath(folder, clean);
      const path = place === undefined ? undefined : fileAt(place);
      return path === undefined ? { kind: "missing" } : { kind: "file", path, name };
    }
    const path = byPattern(clean, patternsFor(folder)) ?? byPattern(clean, maps) ?? ofPackage(folder, clean);
    if (path !== undefined) return { kind: "file", path, name };
    return clean.startsWith("#") || clean.startsWith("@/") || clean.startsWith("~/")
      ? { kind: "missing" }
      : { kind: "external", package: packageName(clean) };
  }

  /** The file that a path means: itself, its source, with an ending, or the index of a folder. */
  function fileAt(place: string): string | undefined {
    if (paths.has(place) && !place.endsWith("/")) return place;
    const dot = place.lastIndexOf(".");
    const ending = dot < 0 ? "" : place.slice(dot + 1);
    for (const source of SOURCES.get(ending) ?? []) {
      const path = `${place.slice(0, dot)}.${source}`;
      if (paths.has(path)) return path;
    }
    for (const each of ENDINGS) if (paths.has(`${place}.${each}`)) return `${place}.${each}`;
    const index = place === "" ? "index" : `${place}/index`;
    for (const each of ENDINGS) if (paths.has(`${index}.${each}`)) return `${index}.${each}`;
    return undefined;
  }

  function byPattern(source: string, known: readonly Pattern[]): string | undefined {
    for (const { from, to, folder } of known) {
      const rest = matchStar(from, source);
      if (rest === undefined) continue;
      for (const target of to) {
        const place = joinPath(folder, target.replace("*", rest));
        const path = place === undefined ? undefined : fileAt(place);
        if (path !== undefined) return path;
      }
    }
    return undefined;
  }

  /** Of the nearest tsconfig or jsconfig above. */
  function patternsFor(folder: string): readonly Pattern[] {
    const known = patterns.get(folder);
    if (known) return known;
    let found: readonly Pattern[] | undefined;
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (configs.has(path)) found ??= readPatterns(path, configs, MOST_EXTENDS);
    }
    found ??= folder === "" ? [] : patternsFor(folderOf(folder));
    patterns.set(folder, found);
    return found;
  }

  function ofPackage(folder: string, source: string): string | undefined {
    if (source.startsWith("#")) {
      const own = packageAbove(folder);
      return own && target(own, pickEntry(asObject(own.manifest.imports), source));
    }
    const name = packageName(source);
    const found = byName.get(name);
    if (!found) return undefined;
    const sub = `.${source.slice(name.length)}`;
    const { exports } = found.manifest;
    if (exports !== undefined) {
      const entries = isSubpaths(exports) ? asObject(exports) : { ".": exports };
      return target(found, pickEntry(entries, sub)) ?? fileAt(under(found.folder, sub === "." ? "src/index" : sub));
    }
    if (sub !== ".") return fileAt(under(found.folder, sub)) ?? fileAt(under(found.folder, `src/${sub.slice(2)}`));
    const main = asString(found.manifest.module) ?? asString(found.manifest.main);
    return (
      (main === undefined ? undefined : built(found.folder, main)) ??
      fileAt(under(found.folder, "index")) ??
      fileAt(under(found.folder, "src/index"))
    );
  }

  function target(own: Package, to: string | undefined): string | undefined {
    return to === undefined ? undefined : built(own.folder, to);
  }

  /** What a manifest names may be built from a source of the same name. */
  function built(folder: string, to: string): string | undefined {
    const plain = to.replace(/^\.\//, "");
    const path = fileAt(under(folder, plain));
    if (path !== undefined || !BUILT.test(plain)) return path;
    const rest = plain
      .replace(BUILT, "")
      .replace(/^(esm|cjs|types)\//, "")
      .replace(/\.d\.[mc]?ts$/, ".js");
    return fileAt(under(folder, `src/${rest}`)) ?? fileAt(under(folder, rest));
  }

  function packageAbove(folder: string): Package | undefined {
    const own = byFolder.get(folder);
    return own ?? (folder === "" ? undefined : packageAbove(folderOf(folder)));
  }

  return { resolve, shape: "" };
}

function under(folder: string, path: string): string {
  return joinPath(folder, path) ?? path;
}

function packageName(source: string): string {
  const parts = source.split("/");
  return source.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? source);
}

function readPackages(configs: ReadonlyMap<string, string>): Package[] {
  const packages: Package[] = [];
  for (const [path, text] of configs) {
    if (path !== "package.json" && !path.endsWith("/package.json")) continue;
    const manifest = asObject(readJson(text));
    packages.push({ folder: folderOf(path), name: asString(manifest.name) ?? "", manifest });
  }
  return packages.sort((a, b) => b.folder.length - a.folder.length);
}

function readImportMaps(configs: ReadonlyMap<string, string>): Pattern[] {
  const patterns: Pattern[] = [];
  for (const [path, text] of configs) {
    if (!/(^|\/)(deno\.jsonc?|import[-_]?map\.json)$/.test(path)) continue;
    for (const [from, to] of Object.entries(asObject(asObject(readJson(text)).imports))) {
      const target = asString(to);
      if (target === undefined || !target.startsWith(".")) continue;
      const folder = folderOf(path);
      patterns.push(
        from.endsWith("/") ? { from: `${from}*`, to: [`${target}*`], folder } : { from, to: [target], folder },
      );
    }
  }
  return patterns;
}

function readPatterns(path: string, configs: ReadonlyMap<string, string>, depth: number): readonly Pattern[] {
  const config = asObject(readJson(configs.get(path) ?? ""));
  const options = asObject(config.compilerOptions);
  const folder = folderOf(path);
  const base = asString(options.baseUrl);
  const root = base === undefined ? folder : (joinPath(folder, base) ?? folder);
  if (options.paths !== undefined || base !== undefined) {
    const patterns = Object.entries(asObject(options.paths)).map(([from, to]) => ({
      from,
      to: asArray(to).flatMap((each) => asString(each) ?? []),
      folder: root,
    }));
    // The most exact first, as the compiler has it.
    patterns.sort((a, b) => b.from.replace("*", "").length - a.from.replace("*", "").length);
    return base === undefined ? patterns : [...patterns, { from: "*", to: ["*"], folder: root }];
  }
  for (const each of [config.extends].flat()) {
    const other = asString(each as Json | undefined);
    if (depth === 0 || other === undefined || !other.startsWith(".")) continue;
    const place = joinPath(folder, other.endsWith(".json") ? other : `${other}.json`);
    if (place === undefined || !configs.has(place)) continue;
    const found = readPatterns(place, configs, depth - 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** The target of a subpath, with conditions taken in the order in which sources come before what is built. */
function pickEntry(entries: JsonObject, sub: string): string | undefined {
  const exact = entries[sub];
  if (exact !== undefined) return condition(exact);
  const stars = Object.keys(entries).filter((key) => key.includes("*"));
  stars.sort((a, b) => b.length - a.length);
  for (const key of stars) {
    const rest = matchStar(key, sub);
    const to = rest === undefined ? undefined : condition(entries[key]);
    if (rest !== undefined && to !== undefined) return to.replaceAll("*", rest);
  }
  return undefined;
}

function condition(value: Json | undefined, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return condition(value[0], depth + 1);
  if (!isObject(value) || depth > 6) return undefined;
  for (const key of ["source", "development", "import", "node", "default", "require", "types", ...Object.keys(value)]) {
    const found = condition(value[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSubpaths(exports: Json): boolean {
  return isObject(exports) && Object.keys(exports).some((key) => key.startsWith("."));
}

function matchStar(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text ? "" : undefined;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return undefined;
  return text.slice(head.length, text.length - tail.length);
}

/** With comments and trailing commas, as these files are written; what cannot be read says nothing. */
function readJson(text: string): Json | undefined {
  return parse(text, [], { allowTrailingComma: true }) as Json | undefined;
}
