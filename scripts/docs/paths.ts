/** Checks that files and folders of this repository that a page names in code marks exist. */
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
