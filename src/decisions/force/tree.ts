/**
 * Finds which names occur in the files of the working tree, in one pass. Documentation does not count, because it also
 * describes the past, and neither do lock files, which list what dependencies use.
 */
import type { Repository } from "../../history/repository.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";

const MAX_FILE_BYTES = 1 << 20;
/** dex does not search a larger tree: it could not tell whether an unseen name is gone. */
const MAX_TREE_BYTES = 96 << 20;
const MAX_FILES = 30_000;
const NO_CODE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|lock|lockb|svg|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|mp4|zip|gz|min\.js|map|snap)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|changelog[^/]*|changes[^/]*|history[^/]*|vendor\/.*|node_modules\/.*)$/i;
const WORD = /^[a-z_$][\w$]*$/i;
const PART_OF_WORD = /[\w$]/;

/** The names that occur, in lower case; undefined if the tree is too large to tell. */
export function namesInTree(
  repository: Repository,
  files: readonly string[],
  wanted: Iterable<string>,
): ReadonlySet<string> | undefined {
  const words = new Set<string>();
  const others = new Set<string>();
  for (const name of wanted) (WORD.test(name) ? words : others).add(name.toLowerCase());
  const seen = new Set<string>();
  let bytes = 0;
  const code = files.filter((path) => path !== "" && !NO_CODE.test(path));
  if (code.length > MAX_FILES) return undefined;
  for (const path of code) {
    if (words.size + others.size === 0) break;
    const text = readContainedText(repository.root, path, MAX_FILE_BYTES);
    if (text === undefined || text.includes("\0")) continue;
    bytes += text.length;
    if (bytes > MAX_TREE_BYTES) return undefined;
    const lower = `${path}\n${text}`.toLowerCase();
    take(others, seen, (name) => lower.includes(name));
    take(words, seen, (name) => hasWord(lower, name));
  }
  return seen;
}

/** Faster than a regular expression: most names are missing from most files. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!PART_OF_WORD.test(text[at - 1] ?? "") && !PART_OF_WORD.test(text[at + word.length] ?? "")) return true;
  }
  return false;
}

function take(names: Set<string>, seen: Set<string>, has: (name: string) => boolean): void {
  for (const name of names) {
    if (!has(name)) continue;
    names.delete(name);
    seen.add(name);
  }
}
