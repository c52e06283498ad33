/**
 * The files of a project: what git tracks or would track, or, without git, a walk of its own. Names are never given to a
 * shell, links are not followed, and what cannot be read is said, not thrown.
 */
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../kernel/errors.ts";
import { compareText } from "../kernel/text.ts";
import type { CodeProject } from "./project.ts";

export interface ListedFile {
  /** From the root, with slashes. */
  path: string;
  size: number;
  /** Changes when the file does. */
  stamp: string;
  /** Changed so lately that it may change again without its stamp telling. */
  recent: boolean;
}

export interface Listing {
  files: ListedFile[];
  /** Folders and files that could not be looked at, links that were not followed. */
  problems: { path: string; reason: string }[];
}

const MOST_FILES = 200_000;
const DEEPEST = 64;
/** Some file systems keep times by the second. */
const RECENT_MS = 2000;
const MOST_OUTPUT = 512 << 20;
const PATIENCE_MS = 120_000;
/** Where a walk without git does not go. */
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

/** `only`: these files and what is below these folders, as many as a command line has room for. */
export function listFiles(
  project: CodeProject,
  wanted: (path: string) => boolean,
  now: number,
  only?: readonly string[],
): Listing {
  const problems: Listing["problems"] = [];
  const paths = (project.git ? gitFiles(project.root, only) : undefined) ?? walk(project.root, problems, only);
  const files: ListedFile[] = [];
  for (const path of paths) {
    if (!wanted(path)) continue;
    const stats = look(join(project.root, path), path, problems);
    if (!stats?.isFile()) continue;
    if (files.length === MOST_FILES) {
      problems.push({ path, reason: `more than ${MOST_FILES} files` });
      break;
    }
    files.push({
      path,
      size: stats.size,
      stamp: `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}`,
      recent: Math.max(stats.mtimeMs, stats.ctimeMs) > now - RECENT_MS,
    });
  }
  return { files, problems };
}

/** Undefined: git is not there, or does not take this folder for a work tree. */
function gitFiles(root: string, only?: readonly string[]): string[] | undefined {
  const list = ["--literal-pathspecs", "ls-files", "-co", "--exclude-standard", "-z"];
  const run = spawnSync("git", only ? [...list, "--", ...only] : list, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
    timeout: PATIENCE_MS,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
  });
  if (run.status !== 0) {
    // A path that git does not take, inside of a submodule for one.
    const touched = only && isBelow(only);
    return touched && gitFiles(root)?.filter(touched);
  }
  // A file with a conflict is listed once for each side.
  return [...new Set(run.stdout.split("\0"))].filter((path) => path !== "").sort(compareText);
}

/** Whether a path is one of these, or lies below one. */
export function isBelow(paths: Iterable<string>): (path: string) => boolean {
  const these = new Set(paths);
  return (path) => {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      if (these.has(at)) return true;
      if (!at.includes("/")) return false;
    }
  };
}

function walk(root: string, problems: Listing["problems"], only?: readonly string[]): string[] {
  const found: string[] = [];
  const enter = (folder: string, depth: number): void => {
    let entries: ReturnType<typeof read>;
    try {
      entries = read(join(root, folder));
    } catch (error) {
      problems.push({ path: folder || ".", reason: `cannot be read (${systemCode(error) ?? "error"})` });
      return;
    }
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (PASSED_OVER.has(entry.name)) continue;
        if (depth < DEEPEST) enter(path, depth + 1);
        else problems.push({ path, reason: `deeper than ${DEEPEST} folders` });
      } else if (found.length <= MOST_FILES) {
        found.push(path);
      }
    }
  };
  if (only === undefined) enter("", 0);
  for (const path of only ?? []) {
    const parts = path.split("/");
    if (parts.some((part) => PASSED_OVER.has(part))) continue;
    if (look(join(root, path), path, problems)?.isDirectory()) enter(path, parts.length);
    else found.push(path);
  }
  return [...new Set(found)].sort(compareText);
}

function read(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

function look(full: string, path: string, problems: Listing["problems"]): Stats | undefined {
  try {
    const stats = lstatSync(full);
    if (stats.isSymbolicLink()) problems.push({ path, reason: "is a link" });
    return stats;
  } catch (error) {
    // What git still lists and nobody has is simply gone.
    if (systemCode(error) !== "ENOENT")
      problems.push({ path, reason: `cannot be read (${systemCode(error) ?? "error"})` });
    return undefined;
  }
}
