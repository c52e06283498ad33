/**
 * The names of a project's files, by their words and by the stem that a file shares with its test. The indexer stores
 * them whenever a file comes or goes: a hook has no time to split thousands of names.
 */
import { isObject, parseJson } from "../../kernel/json.ts";
import type { CodeReader } from "../../store/code.ts";
import { patternFor } from "../../text/patterns.ts";
import { isTestPath, stem } from "../test_paths.ts";
import { cached, filesOf } from "./cache.ts";

export interface FileNames {
  /** All files except configuration, in order. */
  readonly paths: readonly string[];
  /** Positions in `paths` of the files that have a word in their names. */
  withWord(word: string): readonly number[];
  /** Positions of the files of code, without tests, that have the stem. */
  withStem(stem: string): readonly number[];
}

interface StoredNames {
  paths: string[];
  words: Record<string, number[]>;
  stems: Record<string, number[]>;
}

export const FILE_NAMES_KEY = "file_names";

/** The value under `FILE_NAMES_KEY`. */
export function storedFileNames(files: Iterable<{ path: string; language: string }>): string {
  return JSON.stringify(indexNames(files));
}

export const fileNamesOf: (store: CodeReader) => FileNames = cached(
  (store) => readFileNames(store.value(FILE_NAMES_KEY)) ?? namesIn(indexNames(filesOf(store))),
);

/** The names that `storedFileNames` wrote; undefined if the text is not such a list. */
export function readFileNames(text: string | undefined): FileNames | undefined {
  const stored = text === undefined ? undefined : parsed(text);
  return stored && namesIn(stored);
}

function namesIn({ paths, words, stems }: StoredNames): FileNames {
  return {
    paths,
    withWord: (word) => (Object.hasOwn(words, word) ? (words[word] ?? []) : []),
    withStem: (name) => (Object.hasOwn(stems, name) ? (stems[name] ?? []) : []),
  };
}

function parsed(text: string): StoredNames | undefined {
  const value = parseJson(text);
  return isObject(value) && Array.isArray(value.paths) && isObject(value.words) && isObject(value.stems)
    ? (value as unknown as StoredNames)
    : undefined;
}

function indexNames(files: Iterable<{ path: string; language: string }>): StoredNames {
  const paths: string[] = [];
  const words = new Map<string, number[]>();
  const stems = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, key: string): void => {
    const known = map.get(key);
    if (known) known.push(paths.length);
    else map.set(key, [paths.length]);
  };
  for (const { path, language } of files) {
    if (language === "config") continue;
    for (const word of wordsOfName(path)) add(words, word);
    if (language !== "document" && !isTestPath(path)) add(stems, stem(path));
    paths.push(path);
  }
  return { paths, words: Object.fromEntries(words), stems: Object.fromEntries(stems) };
}

const cachedWords = new Map<string, ReadonlySet<string>>();
const MAX_CACHED = 20_000;
const NO_WORD = patternFor(String.raw`[^\p{L}\p{N}]+`);
const NO_WORDS = new Set(["", "test", "tests", "spec", "index"]);

/** The words of a file's name. */
export function wordsOfName(path: string): ReadonlySet<string> {
  const known = cachedWords.get(path);
  if (known) return known;
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const parts = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  const words = parts.split(NO_WORD(parts));
  const found = new Set(words.filter((word) => !NO_WORDS.has(word)));
  if (cachedWords.size >= MAX_CACHED) cachedWords.clear();
  cachedWords.set(path, found);
  return found;
}
