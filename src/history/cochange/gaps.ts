/** Uncommitted changes, and co-changed files that are missing from them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HistoryReader } from "../../store/history.ts";
import { MAX_COCHANGE_FILES, type Touch } from "../../store/history_records.ts";
import { git, IN_SUBMODULES } from "../git.ts";
import type { Repository } from "../repository.ts";
import { coChanges } from "./cochange.ts";

export interface Gap {
  /** Changed now. */
  file: string;
  /** Nearly always changes with it, and is not changed now. */
  missing: string;
  /** The number of common commits. */
  support: number;
  /** Their share of the file's last commits. */
  confidence: number;
}

/** The least number of common commits. */
export const MIN_SUPPORT = 8;
/** All of the file's last commits, and nearly all of its last and of the partner's, changed both. */
const LAST_COMMITS = 10;
const MORE_COMMITS = 20;
const MIN_SHARE = 0.9;
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
  const touchesOf = (path: string): Touch[] => history.touches(path, MAX_COCHANGE_FILES, MORE_COMMITS);
  const found = new Map<string, Gap>();
  for (const file of changed.slice(0, MAX_CHANGED)) {
    for (const { path, support } of coChanges(history, file, MAX_PARTNERS)) {
      if (here.has(path) || support < MIN_SUPPORT) continue;
      const confidence = togetherShare(touchesOf, file, path);
      if (confidence === undefined || !existsSync(join(repository.root, path))) continue;
      const known = found.get(path);
      if (!known || confidence > known.confidence) found.set(path, { file, missing: path, support, confidence });
    }
  }
  return [...found.values()].sort(
    (a, b) => b.confidence - a.confidence || b.support - a.support || (a.missing < b.missing ? -1 : 1),
  );
}

/**
 * The share of the file's last commits that changed the other one too; undefined if that is not nearly always, or if
 * the other one often changes alone. The limits are those at which nine of ten warnings were right in replays.
 */
export function togetherShare(
  touchesOf: (path: string) => readonly Touch[],
  file: string,
  other: string,
): number | undefined {
  const last = touchesOf(file).slice(0, MORE_COMMITS);
  const back = touchesOf(other).slice(0, LAST_COMMITS);
  const share = shareOf(last, other);
  const always = shareOf(last.slice(0, LAST_COMMITS), other) === 1;
  return always && share >= MIN_SHARE && shareOf(back, file) >= MIN_SHARE ? share : undefined;
}

function shareOf(touches: readonly Touch[], path: string): number {
  return touches.filter(({ files }) => files.includes(path)).length / Math.max(1, touches.length);
}
