/** Walks a folder without git: all files except those that .gitignore files or well-known names exclude. */
import { type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../kernel/errors.ts";
import { listFolder } from "../../kernel/files/bounded_list.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { type Ignore, isIgnored, parseIgnore } from "../../kernel/git/ignore.ts";
import { compareText } from "../../kernel/text.ts";
import type { Problem } from "./problem.ts";

const MAX_DEPTH = 64;
const MAX_IGNORE_BYTES = 1 << 20;
/** In all folders together, including files that are not code. */
const MAX_ENTRIES = 1_000_000;
/** Folders that are never entered. */
const SKIPPED_FOLDERS = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  "target",
  "dist",
]);

/** Sorted. `start` limits the walk to this path. */
export function walk(root: string, problems: Problem[], maxFiles: number, start = ""): string[] {
  const found: string[] = [];
  let left = MAX_ENTRIES;
  const enter = (folder: string, above: Ignore | undefined, depth: number): void => {
    const { entries, truncated } = list(root, folder, left, problems);
    left -= entries.length;
    if (truncated) problems.push({ path: folder || ".", reason: `holds more entries than are read (${MAX_ENTRIES})` });
    const ignore = entries.some(({ name }) => name === ".gitignore") ? readIgnore(root, folder, above) : above;
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isLeftOut(entry.name, path, isFolder, ignore)) continue;
      if (!isFolder) {
        if (found.length <= maxFiles) found.push(path);
      } else if (depth < MAX_DEPTH) enter(path, ignore, depth + 1);
      else problems.push({ path, reason: `deeper than ${MAX_DEPTH} folders` });
    }
  };
  const below = descend(root, start);
  if (below === undefined) return [];
  if (below.isFolder) enter(start, below.ignore, start.split("/").length);
  else found.push(start);
  return found.sort(compareText);
}

/** The ignore rules at a path; undefined: the path is ignored or does not exist. */
function descend(root: string, path: string): { ignore: Ignore | undefined; isFolder: boolean } | undefined {
  let ignore: Ignore | undefined;
  if (path === "") return { ignore, isFolder: true };
  const parts = path.split("/");
  for (const [i, name] of parts.entries()) {
    ignore = readIgnore(root, parts.slice(0, i).join("/"), ignore);
    const at = parts.slice(0, i + 1).join("/");
    const stats = lstatSync(join(root, at), { throwIfNoEntry: false });
    const isFolder = stats?.isDirectory() ?? false;
    if (!stats || isLeftOut(name, at, isFolder, ignore)) return undefined;
    if (i === parts.length - 1) return { ignore, isFolder };
    if (!isFolder) return undefined;
  }
  return undefined;
}

function isLeftOut(name: string, path: string, isFolder: boolean, ignore: Ignore | undefined): boolean {
  return (isFolder && SKIPPED_FOLDERS.has(name)) || isIgnored(ignore, path, isFolder);
}

function list(
  root: string,
  folder: string,
  maxEntries: number,
  problems: Problem[],
): { entries: Dirent[]; truncated: boolean } {
  try {
    return listFolder(join(root, folder), maxEntries);
  } catch (error) {
    problems.push({ path: folder || ".", reason: `cannot be read (${systemCode(error) ?? "error"})` });
    return { entries: [], truncated: false };
  }
}

function readIgnore(root: string, folder: string, above: Ignore | undefined): Ignore | undefined {
  const text = readRegularFile(join(root, folder, ".gitignore"), MAX_IGNORE_BYTES)?.toString("utf8");
  return text === undefined ? above : parseIgnore(text, folder, above);
}
