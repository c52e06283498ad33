/** The files of a folder without git: everything but what .gitignore files and the usual names leave out. */
import { type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../kernel/errors.ts";
import { listFolder } from "../kernel/files/bounded_list.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { type Ignore, isIgnored, parseIgnore } from "../kernel/git/ignore.ts";
import { compareText } from "../kernel/text.ts";
import type { Problem } from "./problem.ts";

const DEEPEST = 64;
const MAX_IGNORE_BYTES = 1 << 20;
/** Of all folders together, files that are not read as code included. */
const MAX_ENTRIES = 1_000_000;
/** Where a walk does not go. */
const PASSED_OVER = new Set([
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

/** In order. `start`: below this path alone. */
export function walk(root: string, problems: Problem[], most: number, start = ""): string[] {
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
        if (found.length <= most) found.push(path);
      } else if (depth < DEEPEST) enter(path, ignore, depth + 1);
      else problems.push({ path, reason: `deeper than ${DEEPEST} folders` });
    }
  };
  const below = descend(root, start);
  if (below === undefined) return [];
  if (below.isFolder) enter(start, below.ignore, start.split("/").length);
  else found.push(start);
  return found.sort(compareText);
}

/** The rules that hold at a path; undefined: it is left out, or not there. */
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
  return (isFolder && PASSED_OVER.has(name)) || isIgnored(ignore, path, isFolder);
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
