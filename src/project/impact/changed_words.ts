/**
 * Matches the words of changed lines with test files: options, messages and codes that no edge of the graph leads to.
 */
import { isTestPath } from "../../code/test_paths.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import type { ChangedFile, LineSpan } from "./changed_files.ts";

export interface WordMatch {
  /** The share of the changed words that the file has, the rare ones counting more. */
  share: number;
  /** The words that few test files have, the rarest first. */
  words: readonly string[];
}

const WORD = /[A-Za-z_$][\w$]{2,}/g;
const MAX_LINES = 2000;
const MAX_WORDS = 1000;
const MAX_SHOWN_WORDS = 3;
const MIN_SHOWN_CHARS = 4;
/** Words in more than a quarter of the test files are keywords and the project's common names. */
const MIN_RARITY = Math.log(4);
const MAX_FILE_BYTES = 1 << 20;
/** The most bytes of all test files; further files match nothing. */
const MAX_BYTES = 16 << 20;

/** `tests`: paths of test files, the likeliest first. */
export function matchChangedWords(
  root: string,
  files: readonly ChangedFile[],
  tests: readonly string[],
): Map<string, WordMatch> {
  const changed = changedWords(files);
  const has = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  let room = changed.size === 0 ? 0 : MAX_BYTES;
  for (const path of tests) {
    if (room <= 0) break;
    const text = readContainedText(root, path, MAX_FILE_BYTES) ?? "";
    room -= text.length;
    const found = new Set<string>();
    for (const [word] of text.matchAll(WORD)) if (changed.has(word)) found.add(word);
    has.set(path, found);
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rarity = (word: string): number => Math.log((has.size + 1) / (counts.get(word) ?? 1));
  let all = 0;
  for (const word of counts.keys()) all += rarity(word);
  return new Map(
    Array.from(has, ([path, found]): [string, WordMatch] => {
      let sum = 0;
      for (const word of found) sum += rarity(word);
      const rare = [...found].filter((word) => rarity(word) >= MIN_RARITY && word.length >= MIN_SHOWN_CHARS);
      rare.sort((a, b) => rarity(b) - rarity(a) || b.length - a.length);
      return [path, { share: all === 0 ? 0 : sum / all, words: rare.slice(0, MAX_SHOWN_WORDS) }];
    }),
  );
}

function changedWords(files: readonly ChangedFile[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { path, oldText, newText, oldLines, newLines } of files) {
    if (isTestPath(path)) continue;
    for (const text of [linesAt(oldText, oldLines), linesAt(newText, newLines)])
      for (const [word] of text.matchAll(WORD)) if (words.size < MAX_WORDS) words.add(word);
  }
  return words;
}

function linesAt(text: string | undefined, spans: readonly LineSpan[]): string {
  if (text === undefined) return "";
  const lines = text.split("\n");
  const chosen: string[] = [];
  for (const { first, last } of spans) {
    if (chosen.length >= MAX_LINES) break;
    chosen.push(...lines.slice(first - 1, Math.min(last, first - 1 + MAX_LINES)));
  }
  return chosen.join("\n");
}
