/**
 * Lists the files of a project: those that git tracks or would track, or, without git, those found by a walk. File names
 * never reach a shell, symbolic links are not followed, and unreadable entries are reported, not thrown.
 */

import { lstatSync, type Stats } from "node:fs";
import { systemCode } from "../../kernel/errors.ts";
import { containedPath } from "../../kernel/files/bounded_read.ts";
import { compareText } from "../../kernel/text.ts";
import { redactText } from "../../redact/redact.ts";
import { folderOf } from "../modules/module.ts";
import type { CodeProject } from "../project.ts";
import { gitFiles } from "./git_files.ts";
import type { Problem } from "./problem.ts";
import { walk } from "./walk.ts";

export interface ListedFile {
  /** Relative to the root, with slashes. */
  path: string;
  size: number;
  /** Changes when the file does. */
  stamp: string;
  /** Changed so recently that another change may leave the stamp the same. */
  recent: boolean;
}

export interface Listing {
  files: ListedFile[];
  /** Unreadable folders and files, and links that were not followed. */
  problems: Problem[];
}

const MAX_FILES = 200_000;
/** Some file systems store times in whole seconds. */
const RECENT_MS = 2000;

/** All files, or those at and below the paths in `only`. */
export function listFiles(
  project: CodeProject,
  wanted: (path: string) => boolean,
  now: number,
  only?: readonly string[],
): Listing {
  const problems: Problem[] = [];
  const files: ListedFile[] = [];
  const isInside = folderCheck(project.root);
  for (const path of paths(project, wanted, problems, only)) {
    const clean = redactText(path);
    if (clean.count > 0) {
      problems.push({ path: clean.text, reason: "is left out: its name contains a secret" });
      continue;
    }
    const stats = statOf(`${project.root}/${path}`, path, problems);
    if (!stats?.isFile()) continue;
    if (!isInside(path)) {
      problems.push({ path, reason: "is behind a link that leads out of the project" });
      continue;
    }
    if (files.length === MAX_FILES) {
      problems.push({ path, reason: `more than ${MAX_FILES} files` });
      break;
    }
    files.push({
      path,
      size: stats.size,
      stamp: `${stats.size}:${timeText(stats.mtimeMs)}:${timeText(stats.ctimeMs)}:${stats.ino}`,
      recent: Math.max(stats.mtimeMs, stats.ctimeMs) > now - RECENT_MS,
    });
  }
  return { files, problems };
}

/** Seconds and the nanoseconds after them: V8 writes two small whole numbers in a fraction of the time of one with a point. */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${seconds}.${Math.floor((ms - seconds * 1000) * 1e6)}`;
}

/**
 * Git also lists indexed files whose folder was since replaced by a link. Each folder is looked at once; below the root,
 * which has no links in its path, a folder is inside if the one above it is.
 */
function folderCheck(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>([["", true]]);
  const isInside = (folder: string): boolean => {
    let inside = known.get(folder);
    if (inside === undefined) {
      inside =
        (isInside(folderOf(folder)) && isPlainFolder(`${root}/${folder}`)) || containedPath(root, folder) !== undefined;
      known.set(folder, inside);
    }
    return inside;
  };
  return (path) => isInside(folderOf(path));
}

function isPlainFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function paths(
  { root, git }: CodeProject,
  wanted: (path: string) => boolean,
  problems: Problem[],
  only: readonly string[] | undefined,
): string[] {
  const listed = git ? gitFiles(root, only) : undefined;
  if (listed) {
    problems.push(...listed.problems);
    return [...listed.paths].filter(wanted).sort(compareText);
  }
  const walked = (only ?? [""]).flatMap((start) => walk(root, problems, MAX_FILES, start));
  return (only ? [...new Set(walked)].sort(compareText) : walked).filter(wanted);
}

function statOf(full: string, path: string, problems: Problem[]): Stats | undefined {
  try {
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) problems.push({ path, reason: "is a link" });
    // Git still lists deleted files; they are simply absent.
    return stats;
  } catch (error) {
    problems.push({ path, reason: `cannot be read (${systemCode(error) ?? "error"})` });
    return undefined;
  }
}
