/** References from a project document to code: names and paths in backticks, and files it links to. */
import { emptyFacts, type FileFacts } from "../facts.ts";
import { folderOf, joinPath } from "../modules/module.ts";

const MAX_MENTIONS = 2000;
const SPAN = /`([^`\n]{2,120})`|\]\(([^)\s]{2,200})\)/g;
const NAME_OR_PATH = /^[\w$@.#/-]+(\(.*\))?(:\d+)?$/;

export function readDocument(text: string, path: string): FileFacts {
  const mentions: FileFacts["mentions"] = [];
  const folder = folderOf(path);
  for (const [at, line] of text.split("\n").entries()) {
    for (const [, span, link] of line.matchAll(SPAN)) {
      const reference = span ?? link?.replace(/#.*$/, "") ?? "";
      if (!NAME_OR_PATH.test(reference) || mentions.length >= MAX_MENTIONS) continue;
      mentions.push({ text: reference, line: at + 1 });
      const resolved = reference.includes(".") ? joinPath(folder, reference) : undefined;
      if (resolved !== undefined && resolved !== reference) mentions.push({ text: resolved, line: at + 1 });
    }
  }
  return { ...emptyFacts("document"), mentions, lines: text.split("\n").length };
}

/** The first heading. */
export function documentTitle(text: string): string {
  return /^#{1,2}\s+(.+)$/m.exec(text)?.[1]?.trim().slice(0, 200) ?? "";
}
