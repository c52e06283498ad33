/**
 * Which collections are declared where the user stands: those of the project (`context.json` beside the code, or
 * `docs.collections` of a `.dex.yaml`), then those of dex's own settings. The project's name wins. What a project's file
 * points to outside the project counts only after `dex trust`.
 */
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { DexPaths } from "../config/paths.ts";
import { userHome } from "../config/paths.ts";
import { COLLECTION_NAME, type Settings } from "../config/settings.ts";
import { isTrusted } from "../config/trust.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { containedPath, readRegularFile } from "../kernel/files/bounded_read.ts";
import { isBelow } from "../kernel/files/paths.ts";
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from "../kernel/json.ts";
import { compareText } from "../kernel/text.ts";
import { type CollectionSource, canonicalSource, identityOf, localRoot, parseSource, realPath } from "./source.ts";

export interface CollectionsContext {
  paths: DexPaths;
  settings: Settings;
  vars: NodeJS.ProcessEnv;
  cwd: string;
  now: () => number;
}

export interface Declared {
  name: string;
  origin: "project" | "global";
  /** Where it is declared. */
  file: string;
  source: CollectionSource;
  canonical: string;
  id: string;
  /** False: a project's file points outside the project, and nobody has trusted it. */
  trusted: boolean;
}

export interface ProjectFile {
  path: string;
  folder: string;
  content: string;
  entries: { name: string; words: string[] }[];
}

export const PROJECT_FILE = "context.json";
const DEX_FILE = ".dex.yaml";
const MAX_FILE_BYTES = 1 << 20;
const MAX_COLLECTIONS = 1000;

/** By name; the project's before the user's own. A name stands for one collection only. */
export async function declaredCollections(context: CollectionsContext): Promise<Declared[]> {
  const found = new Map<string, Declared>();
  for (const file of await projectFiles(context)) {
    const trusted = isTrusted(context.paths.trust, file.path, file.content);
    for (const { name, words } of file.entries) {
      if (found.has(name)) continue;
      const source = sourceIn(file.path, name, words, file.folder);
      found.set(name, {
        ...declaration(name, source, file.path),
        origin: "project",
        trusted: trusted || staysInside(source, file.folder),
      });
    }
  }
  for (const [name, entry] of Object.entries(context.settings.docs.collections)) {
    if (found.has(name)) continue;
    const words = typeof entry === "string" ? [entry] : [entry.url, ...(entry.exclude ?? []).map((glob) => `!${glob}`)];
    const source = sourceIn(context.paths.config, name, words, userHome(context.vars));
    found.set(name, { ...declaration(name, source, context.paths.config), origin: "global", trusted: true });
  }
  return [...found.values()].toSorted(
    (one, other) => compareText(other.origin, one.origin) || compareText(one.name, other.name),
  );
}

function declaration(name: string, source: CollectionSource, file: string): Omit<Declared, "origin" | "trusted"> {
  return { name, file, source, canonical: canonicalSource(source), id: identityOf(source) };
}

/** Only what lies on this machine, below the project, may be read unasked. */
export function staysInside(source: CollectionSource, folder: string): boolean {
  const local = localRoot(source);
  return local !== undefined && source.kind !== "git" && isBelow(realPath(folder), local);
}

/** The nearest of each kind, from the current folder up to the repository's root, never the home folder's. */
export async function projectFiles(context: CollectionsContext): Promise<ProjectFile[]> {
  const files: ProjectFile[] = [];
  const json = findUp(context, PROJECT_FILE, (path) => readContextFile(path));
  if (json) files.push(json);
  const yaml = findUp(context, DEX_FILE, (path) => path);
  if (yaml) files.push(await readDexFile(yaml));
  return files.filter(({ entries }) => entries.length > 0);
}

function findUp<T>(context: CollectionsContext, name: string, read: (path: string) => T | undefined): T | undefined {
  for (const folder of foldersUp(context)) {
    const path = join(folder, name);
    if (!isProjectFile(path)) continue;
    const found = read(path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A repository ends the search; so does the home folder, which is no project. */
function foldersUp(context: CollectionsContext): string[] {
  const folders: string[] = [];
  const home = realPath(userHome(context.vars));
  for (let at = realPath(resolve(context.cwd)); at !== home; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, ".git")) || dirname(at) === at) break;
  }
  return folders;
}

/** The folder whose `context.json` a project collection belongs to; undefined: this is no project. */
export function projectFolder(context: CollectionsContext): string | undefined {
  const folders = foldersUp(context);
  return (
    folders.find((folder) => existsSync(join(folder, PROJECT_FILE))) ??
    folders.find((folder) => existsSync(join(folder, ".git")))
  );
}

/** Undefined: a file of that name that is not ours, having no collections. */
export function readContextFile(path: string): ProjectFile | undefined {
  const content = readProjectText(path);
  const value = parseJson(content);
  if (value === undefined) {
    throw new DexError("bad_context", `${path} is not valid JSON.`, {
      hint: "Correct it; see docs/guide/documents.md.",
    });
  }
  const collections = asObject(value).collections;
  if (collections === undefined) return undefined;
  return { path, folder: dirname(path), content, entries: entriesOf(path, collections) };
}

async function readDexFile(path: string): Promise<ProjectFile> {
  const content = readProjectText(path);
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(content, { maxAliasCount: 10 });
  } catch (error) {
    throw new DexError("bad_context", `${path} is not valid YAML: ${errorMessage(error)}`, { cause: error });
  }
  const docs = asObject(asObject(value).docs);
  const entries = docs.collections === undefined ? [] : entriesOf(path, docs.collections);
  return { path, folder: dirname(path), content, entries };
}

function entriesOf(path: string, collections: Json): ProjectFile["entries"] {
  if (!isObject(collections)) {
    throw new DexError("bad_context", `${path}: collections must hold sources by name.`, {
      hint: "See docs/guide/documents.md.",
    });
  }
  const entries = Object.entries(collections);
  if (entries.length > MAX_COLLECTIONS) {
    throw new DexError("bad_context", `${path} names more than ${MAX_COLLECTIONS} collections.`);
  }
  return entries.map(([name, entry]) => {
    const words = typeof entry === "string" ? [entry] : wordsOf(asObject(entry));
    if (!COLLECTION_NAME.test(name) || words[0] === undefined || words.some((word) => word.length > 4000)) {
      throw new DexError("bad_context", `${path}: the collection "${name.slice(0, 100)}" has no usable name or url.`, {
        hint: 'An entry looks like "name": {"url": "file://./docs"}.',
      });
    }
    return { name, words };
  });
}

function wordsOf(entry: JsonObject): string[] {
  const url = asString(entry.url);
  const include = asArray(entry.include).flatMap((each) => asString(each) ?? []);
  const exclude = asArray(entry.exclude).flatMap((each) => asString(each) ?? []);
  return [...(url === undefined ? [] : [url]), ...include, ...exclude.map((glob) => `!${glob}`)];
}

function sourceIn(path: string, name: string, words: readonly string[], base: string): CollectionSource {
  try {
    return parseSource(words, base);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    throw new DexError(error.code, `${path}: the collection "${name}": ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

/** A regular file of the project: a link that leads out of it, a device and a fifo are none. */
function isProjectFile(path: string): boolean {
  const real = insideProject(path);
  try {
    return real !== undefined && lstatSync(real).isFile();
  } catch {
    return false;
  }
}

/** Its real path, as long as that lies in the same repository, or without one in the same folder. */
function insideProject(path: string): string | undefined {
  const folder = dirname(path);
  let root = folder;
  while (!existsSync(join(root, ".git")) && dirname(root) !== root) root = dirname(root);
  const inside = existsSync(join(root, ".git")) ? root : folder;
  return containedPath(inside, relative(inside, path));
}

export function readProjectText(path: string): string {
  const real = insideProject(path);
  const text = real === undefined ? undefined : readRegularFile(real, MAX_FILE_BYTES)?.toString("utf8");
  if (text !== undefined) return text;
  throw new DexError("bad_context", `${path} cannot be read: it is not a file of the project of at most a megabyte.`, {
    hint: "A link that leads out of the project is not followed. Put a file in its place, or remove it.",
  });
}

/** For what is done to a collection that a project declares and nobody trusts. */
export function untrustedError({ name, file, canonical }: Declared): DexError {
  return new DexError("untrusted", `${file} points "${name}" at ${canonical}, outside the project.`, {
    hint: "Look at it, then run `dex trust` if you want dex to follow it.",
  });
}
