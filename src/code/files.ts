/**
 * The files of a project: what git tracks or would track, or, without git, a walk of its own. Names are never given to a
 * shell, links are not followed, and what cannot be read is said, not thrown.
 */
import { lstatSync, type Stats } from "node:fs";
import { systemCode } from "../kernel/errors.ts";
import { containedPath } from "../kernel/files/bounded_read.ts";
import { compareText } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import { gitFiles } from "./git_files.ts";
import type { Problem } from "./problem.ts";
import type { CodeProject } from "./project.ts";
import { walk } from "./walk.ts";

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
  problems: Problem[];
}

const MAX_FILES = 200_000;
/** Some file systems keep times by the second. */
const RECENT_MS = 2000;

/** Of all files, or of these paths and what is below them. */
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
      problems.push({ path: clean.text, reason: "is left out: its name holds a secret" });
      continue;
    }
    const stats = look(`${project.root}/${path}`, path, problems);
    if (!stats?.isFile()) continue;
    if (!isInside(path)) {
      problems.push({ path, reason: "lies behind a link that leads out of the project" });
      continue;
    }
    if (files.length === MAX_FILES) {
      problems.push({ path, reason: `more than ${MAX_FILES} files` });
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

/** Git lists what its index names, also where a folder was replaced by a link since. Each folder is resolved once. */
function folderCheck(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    let inside = known.get(folder);
    if (inside === undefined) {
      inside = containedPath(root, folder) !== undefined;
      known.set(folder, inside);
    }
    return inside;
  };
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

function look(full: string, path: string, problems: Problem[]): Stats | undefined {
  try {
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) problems.push({ path, reason: "is a link" });
    // What git still lists and nobody has is simply gone.
    return stats;
  } catch (error) {
    problems.push({ path, reason: `cannot be read (${systemCode(error) ?? "error"})` });
    return undefined;
  }
}
