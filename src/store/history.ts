/**
 * The port of the store of a repository's history: its commits, and the decisions and test outcomes found in commits
 * and conversations. Everything is derived and may be deleted at any time.
 */
import type {
  CommandRun,
  CommitInfo,
  CommitRecord,
  FileChange,
  FileChurn,
  FileCommit,
  FoundDecision,
  LineCounts,
  Replaced,
  ScanMark,
  SeenEdit,
  SeenOutcome,
  SessionRecord,
  Touch,
  UndoneEdit,
} from "./history_records.ts";

export interface HistoryReader {
  getValue(key: string): string | undefined;
  commitCount(): number;
  /** Commits whose id begins with this, at most `limit`. */
  byPrefix(prefix: string, limit: number): CommitInfo[];
  /** The latest first. */
  recent(limit: number): CommitInfo[];
  /** Commits after this one in the order they were read. */
  newer(no: number): Iterable<CommitInfo>;
  /** Commits that touched the file under any of its names, the latest first. */
  commitsOf(path: string, limit: number): FileCommit[];
  /** Commits that touched files below the folder, the latest first, with the lines that they changed there. */
  commitsBelow(folder: string, limit: number): (CommitInfo & Pick<FileCommit, "added" | "deleted">)[];
  countOf(path: string): number;
  /** Of every file, by its current path. */
  churn(): Map<string, FileChurn>;
  /** Whether the file was ever part of the repository. */
  hasPath(path: string): boolean;
  /** The id of the oldest commit without parents; the same in every clone, except in a shallow one. */
  firstCommit(): string | undefined;
  /** The time of the commit at which a shallow clone begins. */
  boundaryTime(): number | undefined;
  /** When it was last touched; undefined: never. */
  lastTouch(path: string): { time: number; sha: string } | undefined;
  filesOf(no: number): FileChange[];
  /** The name that the file has today; a name that no commit knows is returned as it is. */
  nameToday(path: string): string;
  /**
   * Commits of at most `maxFiles` files that changed the file together with others, the latest first. Excludes merges,
   * and the first commit, whose files have nothing in common but their presence.
   */
  touches(path: string, maxFiles: number, limit: number): Touch[];
  /** The latest commits within these limits, with their files under their names at that time. */
  latestTouches(maxFiles: number, limit: number): Touch[];
  /** The number of such commits of at most `MAX_COCHANGE_FILES` files that touched each of these. */
  touchCounts(paths: readonly string[]): Map<string, number>;
  /** Whether git counted no lines when the file last changed. */
  isBinary(path: string): boolean;
  lineCounts(path: string): LineCounts | undefined;
  /** Every path that a commit touched. */
  allPaths(): string[];
  /** Paths that are this one or end in it. */
  pathsLike(path: string, limit: number): string[];
  /** Commits that revert another one, by git's own message. */
  reverts(): { sha: string; body: string }[];
  /** With their files under the names of today. */
  decisions(): FoundDecision[];
  outcomes(): SeenOutcome[];
  /** Runs of the command, the latest first. */
  runsOf(command: string, limit: number): CommandRun[];
  /** Changes of the file that were taken back, the latest first. */
  undoneOf(path: string, limit: number): UndoneEdit[];
  /** The prepared list of files that belong with the file, as JSON. */
  neighboursOf(path: string): string | undefined;
  sessionOf(owner: string): SessionRecord | undefined;
  edits(): SeenEdit[];
  /** Changes with every change of the outcomes. */
  outcomeRevision(): number;
  marks(kind: string): Map<string, ScanMark>;
  close(): void;
}

/** The suffix of a list's key that gives the key of the index of its words. */
export const TERMS_OF_LIST = "_terms";

/** Key of the stamp of a cached list. Without its stamp, dex finds the list again. */
export function stampKey(key: string): string {
  return `${key}_stamp`;
}

/** Key of the cached decisions of a project. Those of commits and conversations have their own table. */
export const CACHED_DECISIONS = "decisions_kept";

export interface HistoryWriter extends HistoryReader {
  setValue(key: string, value: string): void;
  addCommit(commit: CommitRecord): void;
  removeCommits(shas: readonly string[]): void;
  /** Call it after commits were added or removed: it maps each file to its current name, and counts its commits. */
  followRenames(): void;
  clear(): void;
  addDecisions(decisions: readonly FoundDecision[]): void;
  removeDecisions(owner: string): void;
  addOutcomes(outcomes: readonly SeenOutcome[]): void;
  removeOutcomes(owner: string): void;
  addRuns(runs: readonly CommandRun[]): void;
  addUndone(undone: readonly UndoneEdit[]): void;
  addReplacements(replacements: readonly Replaced[]): void;
  /** Finds again the edits that a later conversation undid with the opposite edit, unless somebody made them again. */
  findOpposites(): void;
  /** Replaces all prepared lists. */
  setNeighbours(lists: readonly (readonly [path: string, list: string])[]): void;
  setLineCounts(counts: readonly LineCounts[]): void;
  setSession(session: SessionRecord): void;
  /** Removes runs, undone edits and the session of a conversation. */
  removeWork(owner: string): void;
  /** Removes runs and undone edits that are older than these times. */
  removeWorkBefore(runs: number, undone: number): void;
  /** Removes the undone edits that come from commits. */
  removeReverted(): void;
  addEdits(edits: readonly SeenEdit[]): void;
  removeEdits(owner: string): void;
  setMark(kind: string, mark: ScanMark): void;
  removeMark(kind: string, owner: string): void;
  /** Removes everything found in a conversation, and returns the number of decisions and outcomes removed. */
  forget(owner: string): number;
  /** Removes quotations of a conversation from the lists that are cached for quick answers, and the words of such lists. */
  forgetKept(quotes: (text: string) => boolean): void;
  /** Rewrites the file to erase everything that was removed from the disk. */
  purge(): void;
  commit(): void;
}
