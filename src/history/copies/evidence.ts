/** Judges the evidence that a folder is a copy of the repository. A folder's name alone never decides. */
import type { CopyEvidence } from "./copies.ts";

/** Ids are short: three of them do not match by chance. */
const MIN_SHOWN = 3;
/** By how the folder is named: the fewest files that only this repository is likely to have, and their least share. */
const MIN_FILES = { exact: 3, begins: 5 } as const;
const MIN_SHARE = { exact: 0.5, begins: 0.6 } as const;
/**
 * A folder that has commits, none of them in this repository, is more likely another repository with the same files.
 */
const MAX_UNKNOWN_COMMITS = 2;
const MANY_FILES = 20;

export interface Judged {
  named: "exact" | "begins" | undefined;
  evidence: CopyEvidence;
  /** Files that another repository is unlikely to have at the same place. */
  telling: number;
  /** Commits made there, here or not. */
  made: number;
}

export function judgeCopy({ named, evidence, telling, made }: Judged): "joined" | "unsure" | undefined {
  const { confirmed, first_commit, commits, shown, files, files_of, remote } = evidence;
  if (confirmed || first_commit) return "joined";
  const share = files / Math.max(1, files_of);
  // The files must agree, or there must be none to compare: the conversation may have left its folder to commit.
  const agrees = files_of === 0 ? named !== undefined : files > 0 || named === "exact";
  if (commits > 0 && agrees) return "joined";
  if (named === undefined) return commits > 0 ? "unsure" : undefined;
  if ((remote || shown >= MIN_SHOWN) && agrees) return "joined";
  const isForeign = made > MAX_UNKNOWN_COMMITS && telling < MANY_FILES;
  if (!isForeign && telling >= MIN_FILES[named] && share >= MIN_SHARE[named]) return "joined";
  return files + shown > 0 || named === "exact" ? "unsure" : undefined;
}
