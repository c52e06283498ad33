/**
 * Detects history files that came with a clone. Aider and SpecStory store theirs next to the code, so a repository may
 * contain history that another person wrote but that looks like the user's own. Files that git tracks are therefore left
 * out until the user trusts the project. Git runs once per project, and again only when its index changes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ProjectFile } from "../../integrations/history/source.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { isBelow, realPath } from "../../kernel/files/paths.ts";
import { gitEnv, gitOptions, gitProgram } from "../../kernel/git/git.ts";

const GIT_TIMEOUT_MS = 20_000;
const MAX_DOT_GIT_BYTES = 8192;
const MAX_LIST_BYTES = 64 << 20;

/** Files that git tracks in a project's history folder; undefined if git fails. */
interface Tracked {
  stamp: string;
  files: ReadonlySet<string> | undefined;
}

const known = new Map<string, Tracked>();
const MAX_KNOWN_PROJECTS = 1000;

export function cameWithClone(path: string, { project, history }: ProjectFile, trusted: readonly string[]): boolean {
  if (isTrustedFolder(project, trusted)) return false;
  // A link could bring any file of the user into the history.
  if (!isBelow(realPath(project), realPath(path))) return true;
  const dotGit = findDotGit(project);
  if (dotGit === undefined) return false;
  const stamp = indexStamp(dotGit);
  let tracked = known.get(history);
  if (tracked === undefined || tracked.stamp !== stamp) {
    if (known.size >= MAX_KNOWN_PROJECTS) known.clear();
    tracked = { stamp, files: trackedFiles(dirname(dotGit), history) };
    if (stamp !== "") known.set(history, tracked);
  }
  // Git may be missing or refuse a repository of another owner; then nothing shows that the file is the user's own.
  return tracked.files === undefined || tracked.files.has(resolve(path));
}

function isTrustedFolder(project: string, trusted: readonly string[]): boolean {
  if (trusted.length === 0) return false;
  const real = realPath(project);
  return trusted.some((folder) => isBelow(folder, real));
}

function findDotGit(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, ".git");
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** Size and time of git's index, which lists the tracked files; empty if there is none. */
function indexStamp(dotGit: string): string {
  try {
    const folder = statSync(dotGit).isDirectory() ? dotGit : linkedFolder(dotGit);
    const { size, mtimeMs } = statSync(join(folder, "index"));
    return `${size}:${mtimeMs}`;
  } catch {
    return "";
  }
}

/** In a worktree or submodule, `.git` is a file that names the folder. */
function linkedFolder(dotGit: string): string {
  const named =
    /^gitdir: (.+)$/m.exec(readRegularFile(dotGit, MAX_DOT_GIT_BYTES)?.toString("utf8") ?? "")?.[1]?.trim() ?? "";
  return resolve(dirname(dotGit), named);
}

function trackedFiles(root: string, history: string): ReadonlySet<string> | undefined {
  const run = spawnSync(gitProgram(), [...gitOptions(root), "ls-files", "-z", "--", relative(root, history) || "."], {
    env: gitEnv(root, "ls-files"),
    encoding: "utf8",
    timeout: GIT_TIMEOUT_MS,
    maxBuffer: MAX_LIST_BYTES,
    windowsHide: true,
  });
  if (run.status !== 0) return undefined;
  return new Set(
    run.stdout
      .split("\0")
      .filter((name) => name !== "")
      .map((name) => resolve(root, name)),
  );
}
