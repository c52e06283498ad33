/** Uncommitted changes, and co-changed files that are missing from them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HistoryReader } from "../store/history.ts";
import { coChanges } from "./cochange.ts";
import { git, IN_SUBMODULES } from "./git.ts";
import type { Repository } from "./repository.ts";

export interface Gap {
  /** Changed now. */
  file: string;
  /** Usually changes with it, and is not changed now. */
  missing: string;
  support: number;
  confidence: number;
}

/** The least number of common commits, and their share of the file's own commits. */
const MIN_SUPPORT = 3;
const MIN_CONFIDENCE = 0.6;
const MAX_CHANGED = 100;
const MAX_PARTNERS = 10;

/** Files that differ from the last commit, staged or not, and new ones that git does not ignore. */
export async function workingChanges(repository: Repository): Promise<string[]> {
  if (!repository.git) return [];
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", IN_SUBMODULES];
  const { text } = await git(repository.root, args);
  const paths = text.split("\0").filter((entry) => entry.length > 3);
  return paths.map((entry) => entry.slice(3)).sort();
}

export function coChangeGaps(repository: Repository, history: HistoryReader, changed: readonly string[]): Gap[] {
  const here = new Set(changed);
  const found = new Map<string, Gap>();
  for (const file of changed.slice(0, MAX_CHANGED)) {
    for (const { path, support, confidence } of coChanges(history, file, MAX_PARTNERS)) {
      if (here.has(path) || support < MIN_SUPPORT || confidence < MIN_CONFIDENCE) continue;
      if (!existsSync(join(repository.root, path))) continue;
      const known = found.get(path);
      if (!known || confidence > known.confidence) found.set(path, { file, missing: path, support, confidence });
    }
  }
  return [...found.values()].sort(
    (a, b) => b.confidence - a.confidence || b.support - a.support || (a.missing < b.missing ? -1 : 1),
  );
}
