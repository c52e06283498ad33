/**
 * Folders of a project that are not watched at all: what nobody writes by hand, what git ignores, what may not be looked
 * into. Each folder that is watched takes a place in a table of the kernel.
 */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { CodeProject } from "../code/project.ts";
import { git } from "../history/git.ts";
import { DexError } from "../kernel/errors.ts";
import { listFolder } from "../kernel/files/bounded_list.ts";
import { pathBelow } from "../kernel/files/paths.ts";

/** By name, wherever they lie and whenever they come. */
export const NEVER = /(^|\/)(\.git|\.hg|\.svn|node_modules|__pycache__|\.venv|\.tox|\.mypy_cache|\.pytest_cache)(\/|$)/;
/** Where git does not say what is ignored. */
const WITHOUT_GIT = ["venv", "target", "dist"];
/** Each event is held against each of them. */
const MOST_FOLDERS = 100;
const MOST_ENTRIES = 200_000;

/** As the native watcher takes them: paths and expressions. `own`: where dex itself writes. */
export async function ignoredIn(project: CodeProject, own: string): Promise<(string | RegExp)[]> {
  const folders = project.git ? await ignoredByGit(project.root) : WITHOUT_GIT;
  return [NEVER, ...folders.slice(0, MOST_FOLDERS), ...(pathBelow(project.root, own) ? [own] : [])];
}

export function isNever(path: string): boolean {
  return NEVER.test(path);
}

async function ignoredByGit(root: string): Promise<string[]> {
  try {
    const { text } = await git(root, ["ls-files", "-oi", "--exclude-standard", "--directory", "-z"]);
    return text.split("\0").flatMap((path) => (path.endsWith("/") && !isNever(path) ? [path.slice(0, -1)] : []));
  } catch (error) {
    // Without the program everything is watched; what is ignored is left out when it is looked at.
    if (error instanceof DexError) return [];
    throw error;
  }
}

/** The native watcher gives up on a tree with a folder that it may not read. */
export function unreadableIn(root: string): string[] {
  const found: string[] = [];
  let left = MOST_ENTRIES;
  const enter = (folder: string): void => {
    let entries: Dirent[];
    try {
      entries = listFolder(join(root, folder), Math.max(1, left)).entries;
    } catch {
      found.push(folder);
      return;
    }
    for (const entry of entries) {
      left -= 1;
      if (left > 0 && entry.isDirectory() && !isNever(entry.name)) enter(join(folder, entry.name));
    }
  };
  enter("");
  return found.filter((folder) => folder !== "");
}
