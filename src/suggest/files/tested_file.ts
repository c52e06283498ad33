/**
 * The file that a test file tests, by name: `rank.test.ts` tests `rank.ts`, `tests/test_rank.py` tests `app/rank.py`.
 * A prompt that is not about tests leads to that file, not to its test.
 */
import { cached, filesOf } from "../../code/answers/cache.ts";
import { isTestPath, stem } from "../../code/test_paths.ts";
import type { CodeReader } from "../../store/code.ts";

const ABOUT_TESTS =
  /\b(?:tests?|testing|tested|untested|specs?|coverage|flaky|fixtures?|assertions?|vitest|jest|pytest|mocha|junit)\b/i;

export function isAboutTests(prompt: string): boolean {
  return ABOUT_TESTS.test(prompt);
}

/** A name that more files have says little about each. */
const MAX_NAMESAKES = 3;
const NOT_CODE = new Set(["config", "document"]);
/** Every folder may have files of these names: only the one in the test's own folder is meant. */
const COMMON_NAMES = new Set(["index", "main", "mod", "init", "__init__"]);

const codeByStem = cached((store) => {
  const found = new Map<string, string[]>();
  for (const { path, language } of filesOf(store)) {
    if (NOT_CODE.has(language) || isTestPath(path)) continue;
    found.set(stem(path), [...(found.get(stem(path)) ?? []), path]);
  }
  return found;
});

/** Undefined if the path is not that of a test, or if several files may be meant. */
export function testedFile(path: string, code: CodeReader): string | undefined {
  if (!isTestPath(path)) return undefined;
  const name = stem(path);
  const namesakes = codeByStem(code).get(name) ?? [];
  const beside = namesakes.filter((other) => folderOf(other) === folderOf(path));
  if (beside.length === 1) return beside[0];
  if (COMMON_NAMES.has(name) || namesakes.length > MAX_NAMESAKES) return undefined;
  const shared = namesakes.map((other) => ({ other, folders: sharedFolders(path, other) }));
  shared.sort((a, b) => b.folders - a.folders);
  const [best, next] = shared;
  return best && (!next || best.folders > next.folders) ? best.other : undefined;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Folders of the test that the other path has too, in any place. */
function sharedFolders(test: string, other: string): number {
  const folders = new Set(other.split("/").slice(0, -1));
  return test
    .split("/")
    .slice(0, -1)
    .filter((folder) => folders.has(folder)).length;
}
