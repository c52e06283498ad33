/** Checks that every relative link leads to a file, and its anchor to a heading of that file. */
import { dirname, join, normalize } from "node:path";
import { anchorsOf, type Page, type Problem, splitPage } from "./markdown.ts";

/** `read` returns the text of a file by its path from the root, or undefined. */
export function brokenLinks(pages: readonly Page[], read: (path: string) => string | undefined): Problem[] {
  const anchors = new Map<string, Set<string>>();
  const anchorsAt = (path: string, text: string): Set<string> => {
    const known = anchors.get(path) ?? anchorsOf(text);
    anchors.set(path, known);
    return known;
  };
  return pages.flatMap((page) =>
    linksOf(page.text).flatMap(({ target, line }) => {
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page.path : normalize(join(dirname(page.path), decodeURIComponent(file)));
      const text = path === page.path ? page.text : read(path);
      if (text === undefined) return [{ path: page.path, line, text: `the link to ${target} leads to no file` }];
      if (anchor === undefined || !path.endsWith(".md") || anchorsAt(path, text).has(anchor)) return [];
      return [{ path: page.path, line, text: `${path} has no heading for the anchor #${anchor}` }];
    }),
  );
}

/** Links and images in the prose, without those that have a scheme such as https. */
function linksOf(text: string): { target: string; line: number }[] {
  return splitPage(text).prose.flatMap((prose, i) => {
    const withoutCode = prose.replace(/(`+)(?:(?!\1).)+\1(?!\])/g, (code) => " ".repeat(code.length));
    return [...withoutCode.matchAll(/\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
      .map((target) => ({ target, line: i + 1 }));
  });
}
