/** Files that git tracks or would track, in a work tree and in its checked-out submodules. */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { blockingFile, gitEnv, gitOptions, gitProgram } from "../../kernel/git/git.ts";
import type { Problem } from "./problem.ts";

const MAX_OUTPUT_BYTES = 512 << 20;
const GIT_TIMEOUT_MS = 120_000;
const MAX_SUBMODULES = 200;
const MAX_SUBMODULE_DEPTH = 4;
const MAX_WARNINGS_CHARS = 64 << 10;
/** Git's warning about a folder it may not read; it still lists the rest. */
const UNREADABLE = /^warning: could not open directory '(.+)': (.+)$/gm;

export interface GitFiles {
  /** Relative to the root; unordered. */
  paths: Set<string>;
  problems: Problem[];
}

/** All files, or those at and below the paths in `only`. Undefined: git is not installed, or the folder is not a work tree. */
export function gitFiles(root: string, only?: readonly string[]): GitFiles | undefined {
  const found: GitFiles = { paths: new Set(), problems: [] };
  return list(root, "", only, found, 0) ? found : undefined;
}

function list(root: string, prefix: string, only: readonly string[] | undefined, found: GitFiles, depth: number) {
  const folder = join(root, prefix);
  const inner = submodules(folder, prefix, found.problems, depth);
  // Git rejects paths inside a submodule.
  const own = only?.filter((path) => !inner.some((each) => isWithin(path, each)));
  if (own === undefined || own.length > 0) {
    const listed = git(folder, ["ls-files", "-co", "--exclude-standard", "-z", "--", ...(own ?? [])]);
    if (listed === undefined) return false;
    // A file with a conflict is listed once for each side.
    for (const path of listed.text.split("\0")) if (path !== "") found.paths.add(`${prefix}${path}`);
    for (const [, path = "", why = ""] of listed.warnings.matchAll(UNREADABLE)) {
      found.problems.push({ path: `${prefix}${path.replace(/\/$/, "")}`, reason: `cannot be read (${why})` });
    }
  }
  for (const each of inner) {
    const below = only?.flatMap((path) =>
      isWithin(each, path) ? ["."] : isWithin(path, each) ? [path.slice(each.length + 1)] : [],
    );
    found.paths.delete(`${prefix}${each}`);
    if (below?.length === 0) continue;
    const whole = below === undefined || below.includes(".");
    if (!list(root, `${prefix}${each}/`, whole ? undefined : below, found, depth + 1)) {
      found.problems.push({ path: `${prefix}${each}`, reason: "is a submodule that git cannot list" });
    }
  }
  return true;
}

/** Submodules that are checked out. */
function submodules(folder: string, prefix: string, problems: Problem[], depth: number): string[] {
  // Git would block on a fifo, and follow a link.
  if (!lstatSync(join(folder, ".gitmodules"), { throwIfNoEntry: false })?.isFile()) return [];
  const listed = git(folder, ["config", "-z", "-f", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"]);
  const paths: string[] = [];
  for (const entry of (listed?.text ?? "").split("\0").slice(0, MAX_SUBMODULES)) {
    const path = entry.slice(entry.indexOf("\n") + 1);
    if (!entry.includes("\n") || !isPlain(folder, path)) continue;
    if (!existsSync(join(folder, path, ".git"))) {
      problems.push({ path: `${prefix}${path}`, reason: "is a submodule that is not checked out" });
    } else if (depth === MAX_SUBMODULE_DEPTH) {
      problems.push({ path: `${prefix}${path}`, reason: "is a submodule nested too deeply" });
    } else paths.push(path);
  }
  return paths;
}

/** Whether the path is a folder inside the work tree without links: .gitmodules is not trusted. */
function isPlain(folder: string, path: string): boolean {
  const parts = path.split("/");
  if (path === "" || parts.some((part) => part === "" || part === "." || part === "..")) return false;
  return parts.every((_, i) => {
    const stats = lstatSync(join(folder, ...parts.slice(0, i + 1)), { throwIfNoEntry: false });
    return stats?.isDirectory() ?? false;
  });
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function git(folder: string, args: readonly string[]): { text: string; warnings: string } | undefined {
  if (blockingFile(folder) !== undefined) return undefined;
  const run = spawnSync(gitProgram(), [...gitOptions(folder), ...args], {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: GIT_TIMEOUT_MS,
    stdio: ["ignore", "pipe", "pipe"],
    env: gitEnv(folder, args[0] ?? ""),
  });
  return run.status === 0 ? { text: run.stdout, warnings: run.stderr.slice(0, MAX_WARNINGS_CHARS) } : undefined;
}
