/** Configuration files that JavaScript and TypeScript imports depend on: package.json, tsconfig.json, import maps. */
import { parse } from "jsonc-parser";
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { folderOf, joinPath } from "./module.ts";

export interface Pattern {
  /** May have one `*` that matches anything. */
  from: string;
  to: readonly string[];
  folder: string;
}

export interface Package {
  folder: string;
  name: string;
  manifest: JsonObject;
}

export function readPackages(configs: ReadonlyMap<string, string>): Package[] {
  const packages: Package[] = [];
  for (const [path, text] of configs) {
    if (path !== "package.json" && !path.endsWith("/package.json")) continue;
    const manifest = asObject(readJson(text));
    packages.push({ folder: folderOf(path), name: asString(manifest.name) ?? "", manifest });
  }
  return packages.sort((a, b) => b.folder.length - a.folder.length);
}

export function readImportMaps(configs: ReadonlyMap<string, string>): Pattern[] {
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

export function readPatterns(path: string, configs: ReadonlyMap<string, string>, depth: number): readonly Pattern[] {
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
    // The most specific first, as in the compiler.
    patterns.sort((a, b) => b.from.replace("*", "").length - a.from.replace("*", "").length);
    return base === undefined ? patterns : [...patterns, { from: "*", to: ["*"], folder: root }];
  }
  for (const each of [config.extends].flat()) {
    const other = asString(each as Json | undefined);
    if (depth === 0 || other === undefined || !other.startsWith(".")) continue;
    const basePath = joinPath(folder, other.endsWith(".json") ? other : `${other}.json`);
    if (basePath === undefined || !configs.has(basePath)) continue;
    const found = readPatterns(basePath, configs, depth - 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** The target of a subpath. Conditions that lead to sources come before those that lead to built files. */
export function pickEntry(entries: JsonObject, sub: string): string | undefined {
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

const MAX_CONDITION_DEPTH = 6;

function condition(value: Json | undefined, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return condition(value[0], depth + 1);
  if (!isObject(value) || depth > MAX_CONDITION_DEPTH) return undefined;
  for (const key of ["source", "development", "import", "node", "default", "require", "types", ...Object.keys(value)]) {
    const found = condition(value[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isSubpaths(exports: Json): boolean {
  return isObject(exports) && Object.keys(exports).some((key) => key.startsWith("."));
}

export function matchStar(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text ? "" : undefined;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return undefined;
  return text.slice(head.length, text.length - tail.length);
}

/** These files may have comments and trailing commas. */
function readJson(text: string): Json | undefined {
  return parse(text, [], { allowTrailingComma: true }) as Json | undefined;
}
