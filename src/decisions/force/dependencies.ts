/** The names of a project's dependencies, from its manifests: those at its root and those of its packages. */
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import { asObject, asString, parseJson } from "../../kernel/json.ts";
import type { HistoryReader } from "../../store/history.ts";

const MAX_MANIFEST_BYTES = 4 << 20;
/** Of each kind. */
const MAX_MANIFESTS = 30;

const READERS: Readonly<Record<string, (content: string) => Iterable<string>>> = {
  "package.json": packageNames,
  "go.mod": goNames,
  "pyproject.toml": quotedNames,
  "requirements.txt": firstWords,
  "Cargo.toml": tableKeys,
  Gemfile: gemNames,
};

/** In lower case. */
export function dependenciesOf(root: string, history: HistoryReader): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [name, read] of Object.entries(READERS)) {
    const paths = new Set([name, ...history.pathsLike(name, MAX_MANIFESTS)]);
    for (const path of paths) {
      const content = readContainedText(root, path, MAX_MANIFEST_BYTES);
      if (content === undefined) continue;
      for (const each of read(content)) if (each !== "") found.add(each.toLowerCase());
    }
  }
  return found;
}

function* packageNames(content: string): Generator<string> {
  const manifest = asObject(parseJson(content));
  const groups = [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.peerDependencies,
    manifest.optionalDependencies,
  ];
  for (const group of groups) yield* Object.keys(asObject(group));
  yield asString(manifest.name) ?? "";
  yield (asString(manifest.packageManager) ?? "").split("@")[0] ?? "";
}

/** The path, and its last part without a version: `go-git` for `github.com/go-git/go-git/v6`. */
function* goNames(content: string): Generator<string> {
  for (const [, path = ""] of content.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+)\s+v\d/gm)) {
    yield path;
    yield path
      .replace(/\/v\d+$/, "")
      .split("/")
      .at(-1) ?? "";
  }
}

function* quotedNames(content: string): Generator<string> {
  for (const [, name = ""] of content.matchAll(/["']([A-Za-z][\w.-]+)\s*(?:\[[^\]]*\])?\s*(?:[<>=~!][^"']*)?["']/g))
    yield name;
}

function* firstWords(content: string): Generator<string> {
  for (const [, name = ""] of content.matchAll(/^([A-Za-z][\w.-]*)/gm)) yield name;
}

function* tableKeys(content: string): Generator<string> {
  for (const [, name = ""] of content.matchAll(/^([\w-]+)\s*=/gm)) yield name;
}

function* gemNames(content: string): Generator<string> {
  for (const [, name = ""] of content.matchAll(/^\s*gem ["']([\w-]+)["']/gm)) yield name;
}
