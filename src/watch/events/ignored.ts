/**
 * Folders of a project that are not watched: generated ones, those that git ignores, and unreadable ones. Each watched
 * folder uses up one of the system's limited watches.
 */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { CodeProject } from "../../code/project.ts";
import { git } from "../../history/git.ts";
import { DexError } from "../../kernel/errors.ts";
import { listFolder } from "../../kernel/files/bounded_list.ts";
import { pathBelow } from "../../kernel/files/paths.ts";

/** By name, at any depth, also if created later. */
export const NEVER_WATCHED =
  /(^|\/)(\.git|\.hg|\.svn|node_modules|__pycache__|\.venv|\.tox|\.mypy_cache|\.pytest_cache)(\/|$)/;
/** For projects without git. */
const WITHOUT_GIT = ["venv", "target", "dist"];
/** The native watcher compares each event with each of them. */
const MAX_FOLDERS = 100;
const MAX_ENTRIES = 200_000;

/** Paths and expressions for the native watcher. `own`: the folder in which dex itself writes. */
export async function ignoredIn(project: CodeProject, own: string): Promise<(string | RegExp)[]> {
  const folders = project.git ? await ignoredByGit(project.root) : WITHOUT_GIT;
  return [NEVER_WATCHED, ...folders.slice(0, MAX_FOLDERS), ...(pathBelow(project.root, own) ? [own] : [])];
}

export function isNever(path: string): boolean {
  return NEVER_WATCHED.test(path);
}

async function ignoredByGit(root: string): Promise<string[]> {
  try {
    const { text } = await git(root, ["ls-files", "-oi", "--exclude-standard", "--directory", "-z"]);
    return text.split("\0").flatMap((path) => (path.endsWith("/") && !isNever(path) ? [path.slice(0, -1)] : []));
  } catch (error) {
    // Without git everything is watched; ignored files are left out when they are listed.
    if (error instanceof DexError) return [];
    throw error;
  }
}

/** The native watcher fails on a tree with an unreadable folder. */
export function unreadableIn(root: string): string[] {
  const found: string[] = [];
  let left = MAX_ENTRIES;
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
