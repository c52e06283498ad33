/**
 * The file that a test file tests, by name: `rank.test.ts` tests `rank.ts`, `tests/test_rank.py` tests `app/rank.py`.
 * A prompt that is not about tests leads to that file, not to its test.
 */
import type { FileNames } from "../../code/answers/file_names.ts";
import { isTestPath, stem } from "../../code/test_paths.ts";

const ABOUT_TESTS =
  /\b(?:tests?|testing|tested|untested|specs?|coverage|flaky|fixtures?|assertions?|vitest|jest|pytest|mocha|junit)\b/i;

export function isAboutTests(prompt: string): boolean {
  return ABOUT_TESTS.test(prompt);
}

/** A name that more files have is weak evidence for each. */
const MAX_NAMESAKES = 3;
/** Names that may occur in every folder: only the file in the test's own folder counts. */
const COMMON_NAMES = new Set(["index", "main", "mod", "init", "__init__"]);

/** Undefined if the path is not that of a test, or if several files may be meant. */
export function testedFile(path: string, names: FileNames): string | undefined {
  if (!isTestPath(path)) return undefined;
  const name = stem(path);
  const folder = folderOf(path);
  const namesakes: string[] = [];
  const beside: string[] = [];
  for (const at of names.withStem(name)) {
    const other = names.paths[at];
    if (other === undefined) continue;
    namesakes.push(other);
    if (other.startsWith(folder) && other.lastIndexOf("/") < folder.length) beside.push(other);
  }
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
