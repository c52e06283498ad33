/** What a document of the project says about code: names and paths in code marks, and files it links to. */
import { emptyFacts, type FileFacts } from "../facts.ts";
import { folderOf, joinPath } from "../modules/module.ts";

const MOST_MENTIONS = 2000;
const SPAN = /`([^`\n]{2,120})`|\]\(([^)\s]{2,200})\)/g;
const NAME_OR_PATH = /^[\w$@.#/-]+(\(.*\))?(:\d+)?$/;

export function readDocument(text: string, path: string): FileFacts {
  const mentions: FileFacts["mentions"] = [];
  const folder = folderOf(path);
  for (const [at, line] of text.split("\n").entries()) {
    for (const [, span, link] of line.matchAll(SPAN)) {
      const said = span ?? link?.replace(/#.*$/, "") ?? "";
      if (!NAME_OR_PATH.test(said) || mentions.length >= MOST_MENTIONS) continue;
      mentions.push({ text: said, line: at + 1 });
      const near = said.includes(".") ? joinPath(folder, said) : undefined;
      if (near !== undefined && near !== said) mentions.push({ text: near, line: at + 1 });
    }
  }
  return { ...emptyFacts("document"), mentions, lines: text.split("\n").length };
}

/** Its first heading. */
export function documentTitle(text: string): string {
  return /^#{1,2}\s+(.+)$/m.exec(text)?.[1]?.trim().slice(0, 200) ?? "";
}
