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
/** All of the file's last commits changed both, and so did nearly all of those before and of the partner's. */
const ALWAYS_COMMITS = 10;
const COMMITS = 40;
const MIN_SHARE = 0.85;
const PARTNER_COMMITS = 20;
const MIN_PARTNER_SHARE = 0.8;
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
  const touchesOf = (path: string): Touch[] => history.touches(path, MAX_COCHANGE_FILES, COMMITS);
  const found = new Map<string, Gap>();
  for (const file of changed.slice(0, MAX_CHANGED)) {
    for (const { path, support } of coChanges(history, file, MAX_PARTNERS)) {
      if (here.has(path) || support < MIN_SUPPORT) continue;
      const confidence = togetherShare(touchesOf, file, path, changed.length);
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
 * the other one often changes alone. `changed`: the number of files that are changed now. Only larger commits tell what
 * is missing from this one: two files of a release that change in commits of three are not missing from a change of
 * ten. Chosen on half of the commits of five repositories; docs/internals/quality/suggestions.md has the other half.
 */
export function togetherShare(
  touchesOf: (path: string) => readonly Touch[],
  file: string,
  other: string,
  changed: number,
): number | undefined {
  const own = touchesOf(file).slice(0, COMMITS);
  const larger = own.filter(({ files }) => files.length > changed);
  const partners = touchesOf(other).slice(0, PARTNER_COMMITS);
  const always = shareOf(own.slice(0, ALWAYS_COMMITS), other) === 1;
  const isSure = always && leastShare(larger, other) >= MIN_SHARE && leastShare(partners, file) >= MIN_PARTNER_SHARE;
  return isSure ? shareOf(own, other) : undefined;
}

function shareOf(touches: readonly Touch[], path: string): number {
  return touches.filter(({ files }) => files.includes(path)).length / Math.max(1, touches.length);
}

/** The lower end of Wilson's interval for the share, one standard deviation wide: few commits promise little. */
function leastShare(touches: readonly Touch[], path: string): number {
  const count = touches.length;
  const share = shareOf(touches, path);
  const spread = Math.sqrt((share * (1 - share) + 1 / (4 * count)) / count);
  return count === 0 ? 0 : (share + 1 / (2 * count) - spread) / (1 + 1 / count);
}
