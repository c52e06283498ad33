/** Finds the project around a folder and the location of its code store. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { pathBelow } from "../kernel/files/paths.ts";
import { gitFolderOf } from "../kernel/git/git_folder.ts";
import { contentId } from "../kernel/ids.ts";
import type { CodeReader } from "../store/code.ts";
import { openCodeReader } from "../store/engine/code.ts";

export interface CodeProject {
  /** Absolute, with links resolved. */
  root: string;
  /** The database. */
  path: string;
  lock: string;
  /** A git work tree: git lists its files. */
  git: boolean;
}

/** The work tree around a folder; without git the nearest indexed folder, or the folder itself. */
export function findCodeProject(codeFolder: string, folder: string): CodeProject {
  const start = realFolder(resolve(folder));
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return projectAt(codeFolder, at, gitFolderOf(at) !== undefined);
    if (dirname(at) === at) break;
  }
  for (let at = start; dirname(at) !== at; at = dirname(at)) {
    const known = projectAt(codeFolder, at, false);
    if (existsSync(known.path)) return known;
  }
  return projectAt(codeFolder, start, false);
}

function projectAt(codeFolder: string, root: string, git: boolean): CodeProject {
  const name = contentId(root);
  return { root, git, path: join(codeFolder, `${name}.db`), lock: join(codeFolder, `${name}.lock`) };
}

function realFolder(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return realpathSync(path);
  if (stats?.isFile()) return realpathSync(dirname(path));
  throw new DexError("no_folder", `${path} is not a folder.`, { hint: "Pass the folder of a project." });
}

/** The store for reading, empty unless it is ready. `wasIndexed`: the project was indexed, if only by an older version. */
export function openCode(project: CodeProject): { store: CodeReader; missing: boolean; wasIndexed: boolean } {
  return openCodeReader(project.path);
}

/** A path as stored: relative to the root, with slashes. Undefined: outside the project. */
export function pathInProject(project: CodeProject, cwd: string, typed: string): string | undefined {
  return pathBelow(project.root, resolve(realFolderOr(cwd), typed)) || undefined;
}

function realFolderOr(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
