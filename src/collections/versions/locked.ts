/**
 * The version of an npm package that a project uses: by its lock file, else as installed in node_modules, else by the
 * range in its package.json. All of these are files of a project, so they are read within limits and never trusted.
 */
import { relative, sep } from "node:path";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import { asObject, asString, parseJson } from "../../kernel/json.ts";
import { compareVersions, highestIn, parseVersion } from "./ranges.ts";

export interface LockedVersion {
  /** `18.3.1`; for a package.json a range, `^18.2.0`. */
  version: string;
  /** The file that says so, relative to the folder it was found from. */
  file: string;
}

const MAX_LOCK_BYTES = 64 << 20;
const MAX_MANIFEST_BYTES = 4 << 20;
const FIELDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;

/** `folders`: from the current folder up to the root of the repository. */
export function lockedVersion(folders: readonly string[], name: string): LockedVersion | undefined {
  const root = folders.at(-1);
  if (root === undefined) return undefined;
  const range = folders.map((folder) => rangeIn(folder, name)).find((each) => each !== undefined);
  for (const read of [lockedIn, installedIn]) {
    for (const folder of folders) {
      const found = read(folder, root, name, folders[0] ?? folder, range);
      if (found) return found;
    }
  }
  return range === undefined ? undefined : { version: range, file: "package.json" };
}

type LockReader = (text: string, name: string, below: string, range: string | undefined) => string | undefined;

const LOCK_FILES: readonly (readonly [string, LockReader])[] = [
  ["package-lock.json", npmLock],
  ["npm-shrinkwrap.json", npmLock],
  ["pnpm-lock.yaml", pnpmLock],
  ["yarn.lock", yarnLock],
  ["bun.lock", bunLock],
];

function lockedIn(
  folder: string,
  root: string,
  name: string,
  cwd: string,
  range: string | undefined,
): LockedVersion | undefined {
  const below = relative(folder, cwd).split(sep).join("/");
  for (const [file, read] of LOCK_FILES) {
    const text = readContainedText(root, relative(root, `${folder}${sep}${file}`), MAX_LOCK_BYTES);
    const version = text === undefined ? undefined : read(text, name, below, range);
    if (version !== undefined && parseVersion(version)) return { version, file };
  }
  return undefined;
}

function installedIn(folder: string, root: string, name: string): LockedVersion | undefined {
  const file = `node_modules/${name}/package.json`;
  const text = readContainedText(root, relative(root, `${folder}${sep}${file}`), MAX_MANIFEST_BYTES);
  const version = text === undefined ? undefined : asString(asObject(parseJson(text)).version);
  return version !== undefined && parseVersion(version) ? { version, file } : undefined;
}

function rangeIn(folder: string, name: string): string | undefined {
  const text = readContainedText(folder, "package.json", MAX_MANIFEST_BYTES);
  if (text === undefined) return undefined;
  const manifest = asObject(parseJson(text));
  const stated = FIELDS.map((field) => asString(asObject(manifest[field])[name])).find((each) => each !== undefined);
  return stated !== undefined && /\d/.test(stated) && !stated.includes(":") ? stated : undefined;
}

/** Lock files of npm: `packages` by folder from version 2 on, `dependencies` by name before. */
function npmLock(text: string, name: string, below: string): string | undefined {
  const lock = asObject(parseJson(text));
  const packages = asObject(lock.packages);
  const folders = below === "" ? [] : below.split("/").map((_, at, all) => all.slice(0, all.length - at).join("/"));
  for (const folder of [...folders.map((each) => `${each}/`), ""]) {
    const version = asString(asObject(packages[`${folder}node_modules/${name}`]).version);
    if (version !== undefined) return version;
  }
  return asString(asObject(asObject(lock.dependencies)[name]).version);
}

const PNPM_KEY = /^\s*(?:'([^']+)'|"([^"]+)"|([^\s'":]\S*?)):(?:\s+(.*))?$/;
const PNPM_DIRECT = new Set(["importers", "dependencies", "devDependencies", "optionalDependencies"]);

/**
 * Lock files of pnpm, line by line: a YAML parser takes seconds for a large one. The dependencies of the nearest importer
 * come first, then the highest version of all packages.
 */
function pnpmLock(text: string, name: string, below: string): string | undefined {
  const own = new Map<string, string>();
  const all: string[] = [];
  let section = "";
  let importer = ".";
  /** Indentation of the package's own key, while its lines last. */
  let wanted = -1;
  for (const line of text.split("\n")) {
    const indent = line.search(/\S/);
    const [, quoted, doubly, plain, value = ""] = PNPM_KEY.exec(line) ?? [];
    const key = quoted ?? doubly ?? plain;
    if (indent < 0 || key === undefined) continue;
    if (indent <= wanted) wanted = -1;
    if (indent === 0) {
      section = key;
      importer = ".";
    } else if (section === "packages" && indent === 2) {
      const version = packageVersion(key, name);
      if (version !== undefined) all.push(version);
    } else if (!PNPM_DIRECT.has(section)) continue;
    else if (section === "importers" && indent === 2) importer = key;
    else if (key === name) {
      wanted = indent;
      // Before version 6 the version follows the name.
      if (value !== "" && !own.has(importer)) own.set(importer, bare(value));
    } else if (key === "version" && wanted >= 0 && !own.has(importer)) own.set(importer, bare(value));
  }
  const folders = below.split("/").map((_, at, parts) => parts.slice(0, parts.length - at).join("/"));
  for (const folder of [...folders, "."]) if (own.has(folder)) return own.get(folder);
  return highest(all);
}

/** `react@18.2.0`, `/react@18.2.0(…)`, `/react/18.2.0`. */
function packageVersion(key: string, name: string): string | undefined {
  const text = key.replace(/^\//, "");
  if (!text.startsWith(name) || !/^[@/]\d/.test(text.slice(name.length))) return undefined;
  return bare(text.slice(name.length + 1));
}

function bare(version: string): string {
  return version.replace(/^['"]|['"]$/g, "").replace(/[(_].*$/, "");
}

/** Lock files of yarn, both forms: a line of descriptions, then an indented version. */
function yarnLock(text: string, name: string, _below: string, range: string | undefined): string | undefined {
  const all: string[] = [];
  let described = "";
  for (const line of text.split("\n")) {
    if (/^\S/.test(line)) described = line.replaceAll('"', "").replace(/:\s*$/, "");
    const version = /^ {2}version:? "?([^"\s]+)"?\s*$/.exec(line)?.[1];
    if (version === undefined || described === "") continue;
    const ranges = described
      .split(/,\s*/)
      .filter((each) => each.startsWith(`${name}@`))
      .map((each) => each.slice(name.length + 1).replace(/^npm:/, ""));
    described = "";
    if (ranges.length === 0) continue;
    if (range !== undefined && ranges.includes(range)) return version;
    all.push(version);
  }
  return highest(all);
}

/** The text lock file of bun: `"react": ["react@18.3.1", …]`. It is JSON with trailing commas, read line by line. */
function bunLock(text: string, name: string): string | undefined {
  const start = `"${name}": ["${name}@`;
  for (const line of text.split("\n")) {
    const trimmed = line.trimStart();
    if (trimmed.startsWith(start)) return trimmed.slice(start.length).split('"')[0];
  }
  return undefined;
}

function highest(versions: readonly string[]): string | undefined {
  const parsed = versions.flatMap((text) => {
    const version = parseVersion(text);
    return version ? [{ text, version }] : [];
  });
  return parsed.toSorted((one, other) => compareVersions(other.version, one.version))[0]?.text;
}

/** Whether a version, or a range of a package.json, allows this version. */
export function allows({ version }: LockedVersion, candidate: string): boolean {
  return version === candidate || highestIn(version, [candidate]) !== undefined;
}
