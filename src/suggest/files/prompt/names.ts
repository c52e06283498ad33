/** Finds the files a prompt names: by path, by a symbol they define, or by words of their names. */
import { type FileNames, wordsOfName } from "../../../code/answers/file_names.ts";
import type { CodeReader, EntityRow } from "../../../store/code.ts";
import { patternFor } from "../../../text/patterns.ts";

/** Every file that a prompt may mean. */
export interface KnownFiles {
  paths: ReadonlySet<string>;
  /** The names in the code graph, or in the list of files. */
  names: FileNames | undefined;
  /** Files that changes mention and that are not in `names`. */
  others: readonly string[];
}

const MAX_PATHS = 60;
const MAX_SYMBOLS = 60;
/** Identifiers that are looked up. */
const MAX_ASKED = 500;
/** A symbol that more files define is weak evidence for each. */
const MAX_DEFINITIONS = 3;
const PATH = /[\w@.+~/\\-]{0,200}[\w-]\.[A-Za-z]\w{0,7}/g;
const WORD = patternFor(String.raw`[\p{L}\p{N}]+`, "g");
/** Words up to this length are ignored. */
const MAX_IGNORED_CHARS = 2;
/** "main" and "master" at the end of a phrase are the branch, not a file of that name. */
const BRANCH =
  /\b(?:main|master)\b(?=\s*(?:$|[,;:!?)]|\.(?:\s|$)|(?:branch|and|or|but|with|then|so|please|now|to|before|after|first|yet|again|if|as|for|instead)\b))/gim;
const IDENTIFIER = /\b[A-Za-z_$][\w$]{3,60}\b/g;

/** 1 for a file named by its path or by a unique file name; less for one of several files with the name. */
export function namedFiles(prompt: string, known: Pick<KnownFiles, "paths">): Map<string, number> {
  const found = new Map<string, number>();
  const typed = new Set<string>();
  for (const [match] of prompt.matchAll(PATH)) {
    typed.add(match.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, ""));
    if (typed.size >= MAX_PATHS) break;
  }
  if (typed.size === 0) return found;
  const byName = new Map<string, string[]>();
  for (const each of typed) byName.set(nameOf(each), []);
  for (const path of known.paths) byName.get(nameOf(path))?.push(path);
  for (const each of typed) {
    const ending = byName.get(nameOf(each)) ?? [];
    // The path may be relative to a folder above or inside the project.
    const meant = ending.filter((path) => path === each || path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
    for (const path of meant) found.set(path, Math.max(found.get(path) ?? 0, 1 / meant.length));
    if (meant.length === 0 && each.includes("/")) found.set(each, 1);
  }
  return found;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Files that define symbols the prompt names, with those symbols. */
export function definingFiles(prompt: string, code: CodeReader): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const asked = new Set<string>();
  let symbols = 0;
  for (const [identifier] of prompt.matchAll(IDENTIFIER)) {
    // A plain word is more often a coincidence than a symbol.
    if (asked.has(identifier) || !/[a-z][A-Z]|_|^[A-Z]\w*[a-z]\w*[A-Z]/.test(identifier)) continue;
    if (asked.size >= MAX_ASKED || symbols >= MAX_SYMBOLS) break;
    asked.add(identifier);
    const named = code.named(identifier);
    if (named.length > 0) symbols += 1;
    const files = [...new Set(named.filter(isDefinition).map(({ path }) => path))];
    if (files.length > MAX_DEFINITIONS) continue;
    for (const path of files) found.set(path, [...(found.get(path) ?? []), identifier]);
  }
  return found;
}

/** A test is often named after the thing that it tests, and is not its definition. */
function isDefinition({ kind }: EntityRow): boolean {
  return kind !== "test" && kind !== "file";
}

/** The share of a file's name and folders that the prompt contains, weighted by rarity. */
export function wordMatches(
  prompt: string,
  { paths, names, others }: KnownFiles,
): Map<string, { name: number; folders: number }> {
  const text = prompt
    .replaceAll(BRANCH, " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  const promptWords = withOtherNumber(text.match(WORD(text)) ?? []);
  const ofOthers = new Map<string, string[]>();
  for (const path of others) {
    for (const word of wordsOfName(path)) ofOthers.set(word, [...(ofOthers.get(word) ?? []), path]);
  }
  const rarities = new Map<string, number>();
  const rarity = (word: string): number => {
    const known = rarities.get(word);
    if (known !== undefined) return known;
    const files = (names?.withWord(word).length ?? 0) + (ofOthers.get(word)?.length ?? 0);
    const found = Math.log((1 + paths.size) / (files || 1));
    rarities.set(word, found);
    return found;
  };
  const having = new Set<string>();
  for (const word of promptWords) {
    if (word.length <= MAX_IGNORED_CHARS) continue;
    for (const at of names?.withWord(word) ?? []) having.add(names?.paths[at] ?? "");
    for (const path of ofOthers.get(word) ?? []) having.add(path);
  }
  const inFolders = pathsInFolders(promptWords, paths);
  const found = new Map<string, { name: number; folders: number }>();
  for (const path of having) {
    let all = 0;
    let matched = 0;
    for (const word of wordsOfName(path)) {
      all += rarity(word);
      if (word.length > MAX_IGNORED_CHARS && promptWords.has(word)) matched += rarity(word);
    }
    if (matched > 0) found.set(path, { name: matched / all, folders: inFolders.get(path) ?? 0 });
  }
  preferNearRoot(found);
  for (const [path, folders] of inFolders) if (!found.has(path)) found.set(path, { name: 0, folders });
  return found;
}

/**
 * If several files have the name, the prompt means the one nearest to the root, unless it names a folder of another
 * one.
 */
function preferNearRoot(found: Map<string, { name: number; folders: number }>): void {
  const same = new Map<string, { depth: number; files: number }>();
  for (const path of found.keys()) {
    const name = nameOf(path).toLowerCase();
    const { depth, files } = same.get(name) ?? { depth: Number.POSITIVE_INFINITY, files: 0 };
    same.set(name, { depth: Math.min(depth, depthOf(path)), files: files + 1 });
  }
  for (const [path, { name, folders }] of found) {
    const { depth, files } = same.get(nameOf(path).toLowerCase()) ?? { depth: 0, files: 1 };
    if (depthOf(path) > depth && folders === 0) found.set(path, { name: name / files, folders });
  }
}

function depthOf(path: string): number {
  return path.split("/").length;
}

/** Each word in singular and plural ("provider", "providers"): files and folders are named in either form. */
function withOtherNumber(words: readonly string[]): Set<string> {
  const found = new Set(words);
  for (const word of words) {
    if (word.length <= MAX_IGNORED_CHARS + 1) continue;
    if (word.endsWith("ies")) found.add(`${word.slice(0, -3)}y`);
    if (word.endsWith("s")) found.add(word.slice(0, -1));
    else found.add(word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`);
  }
  return found;
}

/** A folder with more files is weak evidence for each. */
const MAX_IN_FOLDER = 60;
const MAX_FOLDERS = 8;
const MIN_FOLDER_CHARS = 4;
/** The logarithm of about 3,000 files. */
const RARE = 8;

/** Files below a folder whose name is in the prompt, with their rarity: about 1 for one of thousands. */
function pathsInFolders(words: ReadonlySet<string>, paths: ReadonlySet<string>): Map<string, number> {
  const below = new Map<string, string[]>();
  let folder = "";
  let named: string | undefined;
  for (const path of paths) {
    // The paths are sorted, so those of a folder are adjacent.
    const end = Math.max(0, path.lastIndexOf("/"));
    if (end !== folder.length || !path.startsWith(folder)) {
      folder = path.slice(0, end);
      named = namedFolder(folder, words);
    }
    if (named === undefined) continue;
    const files = below.get(named);
    if (files) files.push(path);
    else below.set(named, [path]);
  }
  const found = new Map<string, number>();
  // A name that many folders have, such as "utils", is just as weak.
  if (below.size > MAX_FOLDERS) return found;
  for (const files of below.values()) {
    if (files.length > MAX_IN_FOLDER) continue;
    const rarity = Math.log((1 + paths.size) / files.length) / RARE;
    for (const path of files) found.set(path, rarity);
  }
  return found;
}

/** The innermost folder of this path that the prompt names. */
function namedFolder(folder: string, words: ReadonlySet<string>): string | undefined {
  let end = folder.length;
  while (end > 0) {
    const start = folder.lastIndexOf("/", end - 1) + 1;
    if (end - start >= MIN_FOLDER_CHARS && words.has(folder.slice(start, end).toLowerCase()))
      return folder.slice(0, end);
    end = start - 1;
  }
  return undefined;
}
