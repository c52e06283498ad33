/** Finds the files a prompt names: by path, by a symbol they define, or by words of their names. */
import { namesOf } from "../../code/answers/cache.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { wordsOfName } from "./features.ts";

const MAX_PATHS = 60;
const MAX_SYMBOLS = 60;
/** A symbol that more files define says little about each. */
const MAX_DEFINITIONS = 3;
const PATH = /[\w@.+~/\\-]{0,200}[\w-]\.[A-Za-z]\w{0,7}/g;
const WORD = /[\p{L}\p{N}]+/gu;
const IDENTIFIER = /\b[A-Za-z_$][\w$]{3,60}\b/g;

/** 1: named by its path, or by a unique file name; less: one of several files of that name. */
export function namedFiles(prompt: string, known: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  const typed = new Set<string>();
  for (const [match] of prompt.matchAll(PATH)) {
    typed.add(match.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, ""));
    if (typed.size >= MAX_PATHS) break;
  }
  const byName = new Map<string, string[]>();
  for (const path of known) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const list = byName.get(name);
    if (list) list.push(path);
    else byName.set(name, [path]);
  }
  for (const each of typed) {
    const ending = byName.get(each.slice(each.lastIndexOf("/") + 1)) ?? [];
    // The path may be relative to a folder above or inside the project.
    const meant = ending.filter((path) => path === each || path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
    for (const path of meant) found.set(path, Math.max(found.get(path) ?? 0, 1 / meant.length));
    if (meant.length === 0 && each.includes("/")) found.set(each, 1);
  }
  return found;
}

/** Files that define symbols the prompt names, with those symbols. */
export function definingFiles(prompt: string, code: CodeReader): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const names = nameSet(code);
  const seen = new Set<string>();
  for (const [identifier] of prompt.matchAll(IDENTIFIER)) {
    // A plain word is more often a coincidence than a symbol.
    if (seen.has(identifier) || !/[a-z][A-Z]|_|^[A-Z]\w*[a-z]\w*[A-Z]/.test(identifier) || !names.has(identifier))
      continue;
    seen.add(identifier);
    const files = [
      ...new Set(
        code
          .named(identifier)
          .filter(isDefinition)
          .map(({ path }) => path),
      ),
    ];
    if (files.length > MAX_DEFINITIONS) continue;
    for (const path of files) found.set(path, [...(found.get(path) ?? []), identifier]);
    if (seen.size >= MAX_SYMBOLS) break;
  }
  return found;
}

/** A test may carry the name of what it tests. */
function isDefinition({ kind }: EntityRow): boolean {
  return kind !== "test" && kind !== "file";
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function nameSet(code: CodeReader): ReadonlySet<string> {
  const names = namesOf(code);
  const known = sets.get(names) ?? new Set(names);
  sets.set(names, known);
  return known;
}

/** The share of a file's name and folders that the prompt contains, weighted by rarity. */
export function wordMatches(
  prompt: string,
  known: ReadonlySet<string>,
): Map<string, { name: number; folders: number }> {
  const promptWords = new Set(
    Array.from(
      prompt
        .replace(/([a-z\d])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .matchAll(WORD),
      ([word]) => word,
    ),
  );
  const files = new Map<string, number>();
  for (const path of known) for (const word of wordsOfName(path)) files.set(word, (files.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log((1 + known.size) / (files.get(word) ?? 1));
  const found = new Map<string, { name: number; folders: number }>();
  for (const path of known) {
    let all = 0;
    let matched = 0;
    for (const word of wordsOfName(path)) {
      all += rarity(word);
      if (word.length > 2 && promptWords.has(word)) matched += rarity(word);
    }
    if (matched === 0) continue;
    const folders = path.split("/").slice(0, -1);
    const matchedFolders = folders.filter(
      (folder) => folder.length > 3 && promptWords.has(folder.toLowerCase()),
    ).length;
    found.set(path, { name: matched / all, folders: matchedFolders / Math.max(1, folders.length) });
  }
  return found;
}
