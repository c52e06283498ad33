/**
 * Applies .gitignore files by the rules of gitignore(5). The npm package `ignore` builds regular expressions that
 * backtrack, and the file may come from a stranger: with version 7.0.14 a pattern with six double stars takes 20 seconds
 * on a path of 60 folders, and ten times as long with each further star. See glob.ts.
 */
import { compileName, compilePath } from "../files/glob.ts";

export interface Rule {
  pattern: { test(path: string): boolean };
  keep: boolean;
  foldersOnly: boolean;
}

/** The rules of a folder's own file, linked to those of its parent folders. */
export interface Ignore {
  /** With slashes, relative to the collection's root; empty at the root. */
  folder: string;
  rules: readonly Rule[];
  above: Ignore | undefined;
}

const MAX_RULES = 5000;

export function parseIgnore(text: string, folder: string, above: Ignore | undefined): Ignore {
  const rules: Rule[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n/, MAX_RULES)) {
    const rule = parseRule(line);
    if (rule) rules.push(rule);
  }
  return { folder, rules, above };
}

/** The last matching rule of the nearest file decides. Callers never enter an ignored folder. */
export function isIgnored(ignore: Ignore | undefined, path: string, isFolder: boolean): boolean {
  for (let at = ignore; at; at = at.above) {
    const below = at.folder === "" ? path : path.slice(at.folder.length + 1);
    const rule = at.rules.findLast((each) => (isFolder || !each.foldersOnly) && each.pattern.test(below));
    if (rule) return !rule.keep;
  }
  return false;
}

function parseRule(line: string): Rule | undefined {
  let text = withoutTrailingSpaces(line);
  if (text === "" || text.startsWith("#")) return undefined;
  const keep = text.startsWith("!");
  if (keep) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  // A slash inside anchors the pattern to the file's own folder; without one it matches names at any depth.
  const fixed = text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  if (text === "") return undefined;
  const test = fixed ? compilePath(text) : compileName(text);
  if (!test) return undefined;
  const pattern = fixed ? { test } : { test: (path: string) => test(path.slice(path.lastIndexOf("/") + 1)) };
  return { pattern, keep, foldersOnly };
}

/** Drops spaces at the end, unless a backslash escapes them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end -= 1;
  let escapes = 0;
  while (line[end - 1 - escapes] === "\\") escapes += 1;
  return line.slice(0, escapes % 2 === 1 && end < line.length ? end + 1 : end);
}
