/** Plans an index run: the files of a project, or below some paths, that have to be read. */
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathBelow } from "../../kernel/files/paths.ts";
import type { CodeReader, KnownFile, SkippedFile } from "../../store/code.ts";
import { languageOf } from "../languages/registry.ts";
import { type ListedFile, listFiles } from "../listing/files.ts";
import type { Problem } from "../listing/problem.ts";
import { skipByName } from "../listing/skip.ts";
import type { CodeProject } from "../project.ts";

export interface IndexPlan {
  /** New or changed. */
  files: ListedFile[];
  /** Stored rows of those files, by path. */
  before: Map<string, KnownFile>;
  removed: KnownFile[];
  unchanged: number;
  /** Skipped by name, or unchanged since they were skipped. */
  skipped: SkippedFile[];
  problems: Problem[];
  /** Nothing of the project is indexed yet. */
  first: boolean;
}

export function planIndex(project: CodeProject, store: CodeReader, now: number, only?: readonly string[]): IndexPlan {
  const { files, problems } = listFiles(project, (path) => languageOf(path) !== undefined, now, only);
  const rows = only ? only.flatMap((path) => store.known(path)) : store.known();
  const known = new Map(rows.map((row) => [row.path, row]));
  const skipped = only ? only.flatMap((path) => store.skipped(path)) : store.skipped();
  const skippedBefore = new Map(skipped.map((each) => [each.path, each]));
  const first = only === undefined && rows.length === 0;
  const plan: IndexPlan = { files: [], before: new Map(), removed: [], unchanged: 0, skipped: [], problems, first };
  for (const file of files) {
    const reason = skipByName(file.path, file.size);
    const before = skippedBefore.get(file.path);
    if (reason !== undefined) {
      plan.skipped.push({ path: file.path, stamp: "", reason });
      continue;
    }
    const row = known.get(file.path);
    known.delete(file.path);
    if (before?.stamp === file.stamp) plan.skipped.push(before);
    else if (row?.stamp === file.stamp) plan.unchanged += 1;
    else {
      plan.files.push(file);
      if (row) plan.before.set(file.path, row);
    }
  }
  plan.removed = [...known.values()];
  return plan;
}

/** With more changed paths, listing the whole project is faster. */
const MAX_PATHS = 1000;
/** Files that decide which other files are indexed. */
const LISTING_RULES = /(^|\/)(\.gitignore|\.gitmodules|\.git\/info\/exclude|\.git)$/;

/** Relative to the root, with slashes, none below another, without files that dex does not read. */
export function changedPaths(project: CodeProject, paths: readonly string[]): readonly string[] | "all" {
  const found = new Set<string>();
  for (const path of paths) {
    const plain = pathBelow(project.root, resolve(project.root, path));
    if (plain === undefined) continue;
    if (plain === "" || LISTING_RULES.test(plain)) return "all";
    if (/(^|\/)\.git\//.test(plain)) continue;
    if (languageOf(plain) !== undefined || !isFile(join(project.root, plain))) found.add(plain);
  }
  const tops = [...found].filter((path) => !foldersAbove(path).some((folder) => found.has(folder)));
  return tops.length > MAX_PATHS ? "all" : tops;
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function foldersAbove(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}
