/**
 * Which names occur in the files of the working tree: one pass over all of them. Documentation does not count, because
 * it tells of the past, too, and neither do lock files, which list what others use.
 */
import type { Repository } from "../../history/repository.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";

const MAX_FILE_BYTES = 1 << 20;
/** A larger tree is not searched: a name that was not seen there may still exist. */
const MAX_TREE_BYTES = 96 << 20;
const MAX_FILES = 30_000;
const NO_CODE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|lock|lockb|svg|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|mp4|zip|gz|min\.js|map|snap)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|changelog[^/]*|changes[^/]*|history[^/]*|vendor\/.*|node_modules\/.*)$/i;
const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

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
    if (words.size === 0) continue;
    const here = new Set(lower.match(WORDS));
    take(words, seen, (name) => here.has(name));
  }
  return seen;
}

function take(names: Set<string>, seen: Set<string>, has: (name: string) => boolean): void {
  for (const name of names) {
    if (!has(name)) continue;
    names.delete(name);
    seen.add(name);
  }
}
