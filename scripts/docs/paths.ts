/** Checks that files and folders of this repository exist that a page names in code marks, or a comment anywhere. */
import { type Page, type Problem, splitPage } from "./markdown.ts";

const PATH = /`((?:src|bench|scripts|test|training|plugins|models|samples|docs)\/[\w./-]+)`/g;

export function missingPaths(page: Page, exists: (path: string) => boolean): Problem[] {
  return splitPage(page.text).prose.flatMap((prose, i) =>
    [...prose.matchAll(PATH)]
      .map(([, path = ""]) => path)
      .filter((path) => !exists(path))
      .map((path) => ({ path: page.path, line: i + 1, text: `${path} does not exist` })),
  );
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const NAMED_FILE = /(?<![\w./…-])(?:\.\/)?((?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|md))\b/g;

/**
 * Files that the comments of a source file name and that do not exist: from the root of the repository, or from `src`.
 * Comments also name files of invented projects; those have no folder of this repository in front.
 */
export function missingInComments(page: Page, exists: (path: string) => boolean): Problem[] {
  const isMissing = (path: string): boolean => {
    const [first = "", second = ""] = path.split("/");
    if (first === "dist") return false;
    if (exists(`src/${first}`)) return !exists(`src/${path}`);
    const isOurs = first === "src" || first === "docs" ? exists(`${first}/${second}`) || exists(path) : exists(first);
    return isOurs && !exists(path);
  };
  return [...page.text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) =>
    [...comment.matchAll(NAMED_FILE)]
      .filter(([, path = ""]) => isMissing(path))
      .map(({ 1: path, index: at }) => ({
        path: page.path,
        line: page.text.slice(0, index + at).split("\n").length,
        text: `${path} does not exist`,
      })),
  );
}
