/**
 * Resolves a `.git` entry to its git folder. The threat: a project from an archive may have a `.git` file or link to
 * another repository of the user, whose commits dex would then show as this project's. So dex accepts a folder elsewhere
 * only if it names this working tree as its own, as git writes it for worktrees and submodules, or if it is not inside
 * another working tree.
 */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DexError } from "../errors.ts";
import { readRegularFile } from "../files/bounded_read.ts";
import { isGitFolder } from "./git.ts";

const MAX_FILE_BYTES = 1 << 20;
const WORKTREE = /^[ \t]*worktree[ \t]*=[ \t]*"?([^"\r\n]+?)"?[ \t]*$/im;
const BARE = /^[ \t]*bare[ \t]*=[ \t]*true[ \t]*$/im;

/** The git folder of `root`; undefined when there is none, or it belongs to another working tree. */
export function gitFolderOf(root: string): string | undefined {
  const path = join(root, ".git");
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    const named = stats.isDirectory()
      ? "."
      : stats.isFile()
        ? /^gitdir: (.+)$/s.exec(read(path) ?? "")?.[1]
        : undefined;
    if (named === undefined) return undefined;
    const folder = stats.isDirectory() ? path : resolve(root, named);
    return isGitFolder(folder) && isOwn(realpathSync(root), realpathSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a folder in a bare repository, which has commits but no files to work on; undefined for others. */
export function bareRepositoryError(folder: string): DexError | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isGitFolder(at) && BARE.test(read(join(at, "config")) ?? "")) {
      return new DexError("no_repository", `${at} is a bare git repository: it has no working tree.`, {
        hint: "Create one with `git worktree add <folder>`, or clone it, and run dex there.",
      });
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Whether the git folder belongs to this working tree. Both paths must be real paths. */
function isOwn(root: string, folder: string): boolean {
  const common = read(join(folder, "commondir"));
  if (common !== undefined) return isOwnWorktree(root, folder, resolve(folder, common));
  if (folder === join(root, ".git")) return true;
  const config = read(join(folder, "config")) ?? "";
  const worktree = WORKTREE.exec(config)?.[1];
  if (worktree !== undefined) return isSame(resolve(folder, worktree), root);
  return basename(folder) !== ".git" && !BARE.test(config);
}

/** The git folder of a linked worktree is in `worktrees` of the shared repository, and names the worktree's `.git`. */
function isOwnWorktree(root: string, folder: string, common: string): boolean {
  const list = dirname(folder);
  const place = read(join(folder, "gitdir"));
  const inside = basename(list) === "worktrees" && isSame(common, dirname(list));
  return inside && place !== undefined && isSame(dirname(resolve(folder, place)), root);
}

function isSame(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real;
  } catch {
    return false;
  }
}

function read(path: string): string | undefined {
  try {
    return readRegularFile(realpathSync(path), MAX_FILE_BYTES)?.toString("utf8").replace(/\n$/, "");
  } catch {
    return undefined;
  }
}
