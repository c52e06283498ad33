/**
 * The git folder that a `.git` entry stands for. The threat: a project that came as an archive brings a `.git` file, or a
 * link, that names another repository of the user; its commits would then be read as this project's, and reach whoever
 * asks here. So a folder elsewhere counts only where it names this working tree as its own, as git writes it for
 * worktrees and submodules, or where no other working tree stands around it.
 */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readRegularFile } from "../files/bounded_read.ts";
import { isGitFolder } from "./git.ts";

const MAX_FILE_BYTES = 1 << 20;
const WORKTREE = /^[ \t]*worktree[ \t]*=[ \t]*"?([^"\r\n]+?)"?[ \t]*$/im;
const BARE = /^[ \t]*bare[ \t]*=[ \t]*true[ \t]*$/im;

/** The folder behind `root/.git`; undefined: there is none, or it belongs to another working tree. */
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

/** Both without links. */
function isOwn(root: string, folder: string): boolean {
  const common = read(join(folder, "commondir"));
  if (common !== undefined) return isOwnWorktree(root, folder, resolve(folder, common));
  if (folder === join(root, ".git")) return true;
  const config = read(join(folder, "config")) ?? "";
  const worktree = WORKTREE.exec(config)?.[1];
  if (worktree !== undefined) return isSame(resolve(folder, worktree), root);
  return basename(folder) !== ".git" && !BARE.test(config);
}

/** A linked worktree's folder lies in `worktrees` of the repository that it shares, and names the worktree's `.git`. */
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
