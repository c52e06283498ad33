/**
 * Finds the repository of a folder from its files alone. No process is started, so it is cheap enough for every search
 * hit. A linked worktree and a submodule have a `.git` file that names their own git folder.
 */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { listNames } from "../kernel/files/bounded_list.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { isOfThisSystem, pathBelow, resolvePath } from "../kernel/files/paths.ts";
import { gitFolderOf } from "../kernel/git/git_folder.ts";
import { isProjectFolder } from "../kernel/git/project_folder.ts";
import { contentId } from "../kernel/ids.ts";

export interface Repository {
  /** False: a folder outside any repository, with conversations and files only. */
  git: boolean;
  /** False: the folder is not a project either (such as the home folder), and does not own the folders below it. */
  isProject: boolean;
  /** Top of the working tree. */
  root: string;
  /** The worktree's own git folder: it has its own HEAD, and therefore its own history in dex. */
  gitDir: string;
  /** The git folder that all worktrees share. */
  commonDir: string;
  /** The commit of HEAD; undefined before the first commit, or if it is unknown. */
  head: string | undefined;
  /** Commits whose parents are missing; empty in a full clone. */
  shallow: readonly string[];
  /** A partial clone: counting lines would fetch the missing objects from the network. */
  partial: boolean;
  /** All working trees of the repository, this one first. */
  roots: readonly string[];
}

/** An empty part, `.` or `..`, a trailing slash, or a separator of another system. */
const UNRESOLVED = /\/(?:\.{0,2}(?:\/|$))|\\/;
const SHA = /^[0-9a-f]{40,64}$/;
const MAX_WORKTREES = 200;

export function findRepository(folder: string): Repository | undefined {
  const start = realPath(folder);
  if (start === undefined) return undefined;
  for (let at = start; ; at = dirname(at)) {
    const gitDir = gitFolderOf(at);
    if (gitDir !== undefined) return describe(at, gitDir);
    if (dirname(at) === at) return undefined;
  }
}

/** The repository of a folder, or the folder itself as a repository without git. */
export function repositoryOrFolder(folder: string): Repository {
  const root = realPath(folder) ?? resolvePath("", folder);
  const found = findRepository(folder);
  if (found) return found;
  const none = {
    git: false,
    isProject: isProjectFolder(root),
    gitDir: root,
    commonDir: root,
    head: undefined,
    shallow: [],
    partial: false,
  };
  return { ...none, root, roots: [root] };
}

/** The error for a path that a submodule or another repository below this one has; undefined if it is this one's own. */
export function ofOtherRepository({ root }: Pick<Repository, "root">, path: string): DexError | undefined {
  const owner = findRepository(dirname(join(root, path)))?.root;
  if (owner === undefined || owner === root) return undefined;
  return new DexError("other_repository", `${path} belongs to another repository, ${owner}.`, {
    exitCode: 1,
    hint: `Add \`--project ${owner}\`.`,
  });
}

/** The project's key in state.db. All worktrees of a repository share it. */
export function projectKey({ commonDir }: Pick<Repository, "commonDir">): string {
  return commonDir;
}

/** The file name of the database of a worktree's history. */
export function repositoryKey(repository: Repository): string {
  return contentId(repository.gitDir);
}

/** The path relative to the root, with slashes; undefined if it is outside. The file need not exist. */
export function insidePath(repository: Repository, path: string, base: string): string | undefined {
  // Resolving thousands of paths takes a hook longer than looking at them.
  const full = path.startsWith("/") && !UNRESOLVED.test(path) ? path : resolvePath(base, path);
  const plain = below(repository, full);
  if (plain !== undefined) return plain;
  if (!isOfThisSystem(full)) return repository.roots.map((root) => pathBelow(root, full)).find(Boolean);
  // The path may go through a symbolic link, which is resolved on disk only as a last resort.
  const folder = realFolder(dirname(full), realFoldersOf(repository));
  return folder === undefined || folder === dirname(full) ? undefined : below(repository, join(folder, basename(full)));
}

/** The real paths of folders outside the repository; undefined for those that do not exist. */
type RealFolders = Map<string, string | undefined>;

/** For as long as a repository is looked at: the files of conversations share most of their folders. */
const realFolders = new WeakMap<Repository, RealFolders>();

function realFoldersOf(repository: Repository): RealFolders {
  const known: RealFolders = realFolders.get(repository) ?? new Map();
  realFolders.set(repository, known);
  return known;
}

function realFolder(folder: string, known: RealFolders): string | undefined {
  if (known.has(folder)) return known.get(folder);
  const parent = dirname(folder);
  const above = parent === folder ? "" : realFolder(parent, known);
  const found = parent === folder ? folder : above && realChild(join(above, basename(folder)));
  known.set(folder, found);
  return found;
}

/** The real path of a folder whose parent is a real path. */
function realChild(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isSymbolicLink() ? realpathSync(path) : stats && path;
  } catch {
    return undefined;
  }
}

/** A worktree may be inside another one: the innermost one owns the file. */
function below({ roots }: Repository, full: string): string | undefined {
  let innermost: string | undefined;
  for (const root of roots) {
    const start = root.endsWith(sep) ? root : root + sep;
    if (full.length > start.length && full.startsWith(start) && start.length > (innermost?.length ?? 0))
      innermost = start;
  }
  return innermost === undefined ? undefined : full.slice(innermost.length).split(sep).join("/");
}

function describe(root: string, gitDir: string): Repository {
  const common = readGitFile(join(gitDir, "commondir"));
  const commonDir = common === undefined ? gitDir : resolve(gitDir, common);
  const shallow = readGitFile(join(commonDir, "shallow"), 8 << 20) ?? "";
  return {
    git: true,
    isProject: true,
    root,
    gitDir,
    commonDir,
    head: headOf(gitDir, commonDir),
    shallow: shallow.split("\n").filter((line) => SHA.test(line)),
    partial: /^\s*(?:partialclone\s*=|promisor\s*=\s*true)/im.test(readGitFile(join(commonDir, "config")) ?? ""),
    roots: [root, ...otherRoots(root, commonDir)],
  };
}

/** Follows HEAD to its commit. Undefined for references that are not stored as files: then git has to be asked. */
export function headOf(gitDir: string, commonDir: string): string | undefined {
  let name = readGitFile(join(gitDir, "HEAD"));
  for (let steps = 0; steps < 5 && name !== undefined; steps += 1) {
    if (SHA.test(name)) return name;
    const ref = /^ref: (refs\/\S+)$/.exec(name)?.[1];
    if (ref === undefined || ref.split("/").includes("..")) return undefined;
    name = readGitFile(join(gitDir, ref)) ?? readGitFile(join(commonDir, ref)) ?? packed(commonDir, ref);
  }
  return undefined;
}

function packed(commonDir: string, ref: string): string | undefined {
  const text = readGitFile(join(commonDir, "packed-refs"), 32 << 20) ?? "";
  const line = text.split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(" "));
}

function otherRoots(root: string, commonDir: string): string[] {
  const found: string[] = [];
  const main = dirname(commonDir);
  if (main !== root && gitFolderOf(main) === commonDir) found.push(main);
  const { names } = listNames(join(commonDir, "worktrees"), MAX_WORKTREES);
  for (const name of names) {
    const place = readGitFile(join(commonDir, "worktrees", name, "gitdir"));
    if (place !== undefined && dirname(place) !== root) found.push(dirname(place));
  }
  return found;
}

/**
 * A file of a git folder, without its last newline; undefined if it cannot be read or is too large. Symbolic links are
 * followed, because some tools share these files that way; devices and fifos are not read.
 */
export function readGitFile(path: string, maxBytes = 1 << 20): string | undefined {
  const bytes = readRegularFile(path, maxBytes) ?? readLinked(path, maxBytes);
  return bytes?.toString("utf8").replace(/\n$/, "");
}

/** Resolving a path takes longer than reading the file, so it is done only for links. */
function readLinked(path: string, maxBytes: number): Buffer | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return undefined;
    return readRegularFile(realpathSync(path), maxBytes);
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
