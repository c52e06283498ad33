/** Which files of a project have to be read: all of them looked at, or only those below some paths. */
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathBelow } from "../kernel/files/paths.ts";
import type { CodeReader, KnownFile, SkippedFile } from "../store/code.ts";
import { type ListedFile, listFiles } from "./files.ts";
import { languageOf } from "./languages/registry.ts";
import type { Problem } from "./problem.ts";
import type { CodeProject } from "./project.ts";
import { skipByName } from "./skip.ts";

export interface Work {
  /** New or changed. */
  files: ListedFile[];
  /** What is known of those, by path. */
  before: Map<string, KnownFile>;
  removed: KnownFile[];
  unchanged: number;
  /** Left out by name, or already known to be. */
  skipped: SkippedFile[];
  problems: Problem[];
  /** Nothing is known of the project yet. */
  first: boolean;
}

export function planWork(project: CodeProject, store: CodeReader, now: number, only?: readonly string[]): Work {
  const { files, problems } = listFiles(project, (path) => languageOf(path) !== undefined, now, only);
  const rows = only ? only.flatMap((path) => store.known(path)) : store.known();
  const known = new Map(rows.map((row) => [row.path, row]));
  const skipped = only ? only.flatMap((path) => store.skipped(path)) : store.skipped();
  const left = new Map(skipped.map((each) => [each.path, each]));
  const first = only === undefined && rows.length === 0;
  const work: Work = { files: [], before: new Map(), removed: [], unchanged: 0, skipped: [], problems, first };
  for (const file of files) {
    const reason = skipByName(file.path, file.size);
    const before = left.get(file.path);
    if (reason !== undefined) {
      work.skipped.push({ path: file.path, stamp: "", reason });
      continue;
    }
    const row = known.get(file.path);
    known.delete(file.path);
    if (before?.stamp === file.stamp) work.skipped.push(before);
    else if (row?.stamp === file.stamp) work.unchanged += 1;
    else {
      work.files.push(file);
      if (row) work.before.set(file.path, row);
    }
  }
  work.removed = [...known.values()];
  return work;
}

/** More than this is quicker looked for than followed. */
const MOST_PATHS = 1000;
/** A change of these changes which other files are read. */
const DECIDES = /(^|\/)(\.gitignore|\.gitmodules|\.git\/info\/exclude|\.git)$/;

/** From the root, with slashes, none below another; files that dex does not read are left out. */
export function changedPaths(project: CodeProject, paths: readonly string[]): readonly string[] | "all" {
  const found = new Set<string>();
  for (const path of paths) {
    const plain = pathBelow(project.root, resolve(project.root, path));
    if (plain === undefined) continue;
    if (plain === "" || DECIDES.test(plain)) return "all";
    if (/(^|\/)\.git\//.test(plain)) continue;
    if (languageOf(plain) !== undefined || !isFile(join(project.root, plain))) found.add(plain);
  }
  const tops = [...found].filter((path) => !above(path).some((folder) => found.has(folder)));
  return tops.length > MOST_PATHS ? "all" : tops;
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function above(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}
