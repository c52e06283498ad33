/**
 * Collections declared for the current folder: those of the project (`context.json` next to the code, or
 * `docs.collections` of a `.dex.yaml`), then those of dex's own settings, and the documents of the repository itself. On
 * the same name the project wins. Sources
 * outside the project that a project's file declares count only after `dex trust`.
 */
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { COLLECTION_NAME } from "../../config/collection_name.ts";
import type { DexPaths } from "../../config/paths.ts";
import { userHome } from "../../config/paths.ts";
import type { Settings } from "../../config/schema.ts";
import { isTrusted } from "../../config/trust.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { containedPath, readRegularFile } from "../../kernel/files/bounded_read.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from "../../kernel/json.ts";
import { compareText } from "../../kernel/text.ts";
import { OWN_DOCUMENTS, ownDocuments } from "./own_documents.ts";
import { type CollectionSource, canonicalSource, identityOf, localRoot, parseSource, realPath } from "./source.ts";

export interface CollectionsContext {
  paths: DexPaths;
  settings: Settings;
  vars: NodeJS.ProcessEnv;
  cwd: string;
  now: () => number;
  /** Called for each entry that dex leaves out. */
  notice?(text: string): void;
}

export interface Declared {
  name: string;
  origin: "project" | "global";
  /** The file that declares it. */
  file: string;
  source: CollectionSource;
  canonical: string;
  id: string;
  /** False: a project's file declares a source outside the project, and the user has not trusted the file. */
  trusted: boolean;
  /** No file declares it: the documents of the repository itself. */
  implicit?: true;
}

export interface ProjectFile {
  path: string;
  folder: string;
  content: string;
  entries: DeclaredEntry[];
  /** Entries that cannot be used, in sentences. The others are unaffected. */
  problems: string[];
}

interface DeclaredEntry {
  name: string;
  source: CollectionSource;
}

export const PROJECT_FILE = "context.json";
const DEX_FILE = ".dex.yaml";
const MAX_FILE_BYTES = 1 << 20;
const MAX_COLLECTIONS = 1000;
const MAX_WORD_CHARS = 4000;

/** One per name: those of the project, those of every project, the documents of the repository. */
export async function declaredCollections(context: CollectionsContext): Promise<Declared[]> {
  const found = new Map<string, Declared>();
  for (const file of await projectFiles(context)) {
    const trusted = isTrusted(context.paths.trust, file.path, file.content);
    for (const problem of file.problems) context.notice?.(`${problem} dex leaves it out.`);
    for (const { name, source } of file.entries) {
      if (found.has(name)) continue;
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
    const source = sourceOf(words, userHome(context.vars));
    if (typeof source === "string") {
      context.notice?.(`${context.paths.config}: the collection "${name}": ${source} dex leaves it out.`);
      continue;
    }
    found.set(name, { ...declaration(name, source, context.paths.config), origin: "global", trusted: true });
  }
  const declared = [...found.values()].toSorted(
    (one, other) => compareText(other.origin, one.origin) || compareText(one.name, other.name),
  );
  const root = context.settings.docs.project ? repositoryRoot(context) : undefined;
  // A declared folder of the repository determines which of its documents are wanted.
  const isChosen = root !== undefined && declared.some(({ source }) => staysInside(source, root));
  if (root === undefined || isChosen || found.has(OWN_DOCUMENTS)) return declared;
  const own = declaration(OWN_DOCUMENTS, ownDocuments(root), root);
  return [...declared, { ...own, origin: "project", trusted: true, implicit: true }];
}

function declaration(name: string, source: CollectionSource, file: string): Omit<Declared, "origin" | "trusted"> {
  return { name, file, source, canonical: canonicalSource(source), id: identityOf(source) };
}

/** Only local files inside the project may be read without trust. */
export function staysInside(source: CollectionSource, folder: string): boolean {
  const local = localRoot(source);
  return local !== undefined && source.kind !== "git" && isBelow(realPath(folder), local);
}

/** The nearest file of each kind, from the current folder up to the repository root, never in the home folder. */
export async function projectFiles(context: CollectionsContext): Promise<ProjectFile[]> {
  const files: ProjectFile[] = [];
  const json = findUp(context, PROJECT_FILE, (path) => readContextFile(path));
  if (json) files.push(json);
  const yaml = findUp(context, DEX_FILE, (path) => path);
  if (yaml) files.push(await readDexFile(yaml));
  return files.filter(({ entries, problems }) => entries.length + problems.length > 0);
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

/** The search ends at the repository root, or at the home folder, which is not a project. */
export function foldersUp(context: Pick<CollectionsContext, "vars" | "cwd">): string[] {
  const folders: string[] = [];
  const home = realPath(userHome(context.vars));
  for (let at = realPath(resolve(context.cwd)); at !== home; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, ".git")) || dirname(at) === at) break;
  }
  return folders;
}

function repositoryRoot(context: CollectionsContext): string | undefined {
  const last = foldersUp(context).at(-1);
  return last !== undefined && existsSync(join(last, ".git")) ? last : undefined;
}

/** The folder of the project's `context.json`; undefined outside a project. */
export function projectFolder(context: CollectionsContext): string | undefined {
  const folders = foldersUp(context);
  return (
    folders.find((folder) => existsSync(join(folder, PROJECT_FILE))) ??
    folders.find((folder) => existsSync(join(folder, ".git")))
  );
}

/** Undefined: a file of that name without collections belongs to another program. */
export function readContextFile(path: string): ProjectFile | undefined {
  const content = readProjectText(path);
  const value = parseJson(content);
  if (value === undefined) {
    throw new DexError("bad_context", `${path} is not valid JSON.`, {
      hint: "Correct the file; see docs/guide/documents.md.",
    });
  }
  const collections = asObject(value).collections;
  if (collections === undefined) return undefined;
  return { path, folder: dirname(path), content, ...entriesOf(path, collections) };
}

async function readDexFile(path: string): Promise<ProjectFile> {
  const content = readProjectText(path);
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(content, { maxAliasCount: 10 });
  } catch (error) {
    throw new DexError("bad_context", `${path} is not valid YAML: ${errorMessage(error)}`, {
      hint: "Correct the file; see docs/guide/documents.md.",
      cause: error,
    });
  }
  const docs = asObject(asObject(value).docs);
  const found = docs.collections === undefined ? { entries: [], problems: [] } : entriesOf(path, docs.collections);
  return { path, folder: dirname(path), content, ...found };
}

function entriesOf(path: string, collections: Json): Pick<ProjectFile, "entries" | "problems"> {
  if (!isObject(collections)) {
    throw new DexError("bad_context", `${path}: collections must map names to sources.`, {
      hint: "See docs/guide/documents.md.",
    });
  }
  const declared = Object.entries(collections);
  if (declared.length > MAX_COLLECTIONS) {
    throw new DexError("bad_context", `${path} declares more than ${MAX_COLLECTIONS} collections.`, {
      hint: "Remove some of them, or join folders with a glob.",
    });
  }
  const entries: DeclaredEntry[] = [];
  const problems: string[] = [];
  for (const [name, entry] of declared) {
    const words = typeof entry === "string" ? [entry] : wordsOf(asObject(entry));
    const source = entrySource(name, words, dirname(path));
    if (typeof source === "string") problems.push(`${path}: the collection "${name.slice(0, 100)}" ${source}`);
    else entries.push({ name, source });
  }
  return { entries, problems };
}

/** The source, or the rest of a sentence that says why the entry cannot be used. */
function entrySource(name: string, words: readonly string[], base: string): CollectionSource | string {
  if (!COLLECTION_NAME.test(name))
    return "has a name that dex cannot use: letters, digits and . _ - @ / only, at most 100 of them.";
  if (words[0] === undefined) return 'has no url; an entry looks like "name": {"url": "file://./docs"}.';
  if (words.some((word) => word.length > MAX_WORD_CHARS)) return "has a url or a pattern that is too long.";
  const source = sourceOf(words, base);
  return typeof source === "string" ? `has a source that dex cannot read: ${source}` : source;
}

function wordsOf(entry: JsonObject): string[] {
  const url = asString(entry.url);
  const include = asArray(entry.include).flatMap((each) => asString(each) ?? []);
  const exclude = asArray(entry.exclude).flatMap((each) => asString(each) ?? []);
  return [...(url === undefined ? [] : [url]), ...include, ...exclude.map((glob) => `!${glob}`)];
}

/** The source, or a sentence that says why it is not one. */
function sourceOf(words: readonly string[], base: string): CollectionSource | string {
  try {
    return parseSource(words, base);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return error.message;
  }
}

/** Whether it is a regular file of the project: not a device, a fifo, or a link that leads out of the project. */
function isProjectFile(path: string): boolean {
  const real = insideProject(path);
  try {
    return real !== undefined && lstatSync(real).isFile();
  } catch {
    return false;
  }
}

/** Its real path if that is inside the same repository, or, without one, inside the same folder. */
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
  throw new DexError(
    "bad_context",
    `dex cannot read ${path}: it is not a regular file inside the project, or it is larger than a megabyte.`,
    {
      hint: "dex does not follow links that lead out of the project. Replace the link with a file, or remove it.",
    },
  );
}

/** Thrown when a command needs a collection that a project declares and the user has not trusted. */
export function untrustedError({ name, file, canonical }: Declared): DexError {
  return new DexError("untrusted", `${file} points "${name}" at ${canonical}, outside the project.`, {
    hint: "Review the file, then run `dex trust` if you want dex to use it.",
  });
}
