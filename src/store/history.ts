/**
 * The port of the store of a repository's history: its commits, and the decisions and test outcomes found in commits
 * and conversations. Everything is derived and may be deleted at any time.
 */
import type { FileUse } from "./ports.ts";

export interface FileChange {
  path: string;
  /** Its earlier name, if the commit renamed it. */
  old?: string;
  /** Lines; absent for binary files and uncounted ones. */
  added?: number;
  deleted?: number;
}

/** A commit as it is read. Times are milliseconds. */
export interface CommitRecord {
  sha: string;
  parents: number;
  authored: number;
  time: number;
  author: string;
  email: string;
  subject: string;
  body: string;
  files: FileChange[];
  /** The number of all files, even if too many to store. */
  file_count: number;
  /** Its parents are missing (a shallow clone): its changes are unknown. */
  boundary: boolean;
}

export interface CommitInfo extends Omit<CommitRecord, "files"> {
  no: number;
}

/** A commit that touched a file, with its change to the file. */
export interface FileCommit extends CommitInfo {
  path: string;
  old: string | null;
  added: number | null;
  deleted: number | null;
}

/** The files of one commit under their current names. */
export interface Touch {
  time: number;
  files: string[];
}

export type DecisionStatus = "proposed" | "accepted" | "superseded" | "reverted" | "historic" | "rejected";

/** A decision, as stated in a commit or a conversation. */
export interface FoundDecision {
  /** Hash of the text: equal statements are one decision. */
  id: string;
  origin: "trailer" | "breaking" | "commit" | "conversation";
  /** The commit, or `source:id`. */
  owner: string;
  /** `id#index`, or the commit. */
  place: string;
  text: string;
  because: string | null;
  alternatives: string[];
  files: string[];
  symbols: string[];
  /** The confidence that it is a decision. */
  score: number;
  time: number;
  status: DecisionStatus;
}

export type TestStatus = "passed" | "failed" | "skipped";

/** How a test ended. `name` is null for a run as a whole, which is `skipped` if its result is unknown. */
export interface TestOutcome {
  runner: string;
  file: string | null;
  name: string | null;
  status: TestStatus;
  message: string | null;
  /** The number of tests in the run, if stated. */
  total: number | null;
}

export interface SeenOutcome extends TestOutcome {
  /** `id#index`, or the file that was imported. */
  place: string;
  /** `source:id`; empty for an import. */
  owner: string;
  time: number;
  /** The folder that the run was started in, if known. */
  folder?: string;
  /** The tests that a run was limited to (see `outcomes/commands.ts`); absent or null: not limited. */
  scope?: string | null;
}

/** The last edit of a file in a conversation. */
export interface SeenEdit {
  owner: string;
  /** `id#index` */
  place: string;
  /** Absolute; empty for a command that changed the working tree in an unknown way. */
  path: string;
  time: number;
}

/** A run of a command in a conversation. */
export interface CommandRun {
  /** `source:id`. */
  owner: string;
  /** `id#index`. */
  place: string;
  /** The name under which runs are compared. */
  command: string;
  failed: boolean;
  /** The conversation edited a file after this run. */
  edited: boolean;
  /** The line of the output that reports the error. */
  message: string | null;
  time: number;
}

/** A change of a file that was taken back. */
export interface UndoneEdit {
  /** `source:id`, or the reverting commit. */
  owner: string;
  /** `id#index`, or the reverting commit. */
  place: string;
  /**
   * `restored`: by `git restore` in the conversation that had made it. `opposite`: by the opposite edit in a later
   * conversation.
   */
  kind: "reverted" | "restored" | "opposite";
  /** Relative to the root. */
  path: string;
  /** Milliseconds until it was taken back; null if unknown. */
  after: number | null;
  /** The subject of the reverted commit, or the request before the edit was taken back. */
  text: string;
  time: number;
}

/** A text that a conversation replaced with another one. */
export interface Replaced {
  /** `source:id`. */
  owner: string;
  /** `id#index`. */
  place: string;
  /** Relative to the root. */
  path: string;
  /** Hashes of the texts. */
  before: string;
  after: string;
  /** The user's words before it. */
  request: string;
  time: number;
}

/** The work of a conversation, and its open ends, in a line each; empty if nothing is known. */
export interface SessionRecord {
  owner: string;
  /** The number of messages that were read. */
  messages: number;
  did: string;
  open: string;
}

/** The number of lines that each commit has in a file of HEAD. */
export interface LineCounts {
  path: string;
  /** The content, and the last commit that touched the file: with others, the counts are outdated. */
  blob: string;
  last: string;
  /** By the commit's id. */
  commits: Record<string, number>;
}

/** How far a conversation was scanned, for one purpose. */
export interface ScanMark {
  owner: string;
  messages: number;
  /** Changes when the conversation was rewritten or grew. */
  bytes: number;
}

/** A commit of more files says nothing about any two of them. */
export const MAX_COCHANGE_FILES = 30;

/** The commits that changed a file under any of its names. */
export interface FileChurn {
  commits: number;
  added: number;
  deleted: number;
  /** The time of the latest. */
  last: number;
}

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
  countOf(path: string): number;
  /** Of every file, by its current path. */
  churn(): Map<string, FileChurn>;
  /** Whether the file was ever part of the repository. */
  hasPath(path: string): boolean;
  /** The id of the oldest commit without parents; the same in every clone, except in a shallow one. */
  firstCommit(): string | undefined;
  /** When it was last touched; undefined: never. */
  lastTouch(path: string): { time: number; sha: string } | undefined;
  filesOf(no: number): FileChange[];
  /** The name that the file has today; a name that no commit knows is returned as it is. */
  nameToday(path: string): string;
  /**
   * Commits that changed the file together with others: of at most this many files, without merges, latest first.
   */
  touches(path: string, mostFiles: number, limit: number): Touch[];
  /** Of the latest commits, those within these limits, with their files under the names they had. */
  latestTouches(mostFiles: number, limit: number): Touch[];
  /** The number of such commits of at most `MAX_COCHANGE_FILES` files that touched each of these. */
  touchCounts(paths: readonly string[]): Map<string, number>;
  /** Whether git counted no lines when the file last changed. */
  isBinary(path: string): boolean;
  lineCounts(path: string): LineCounts | undefined;
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
  /** Another one after every change of the outcomes. */
  outcomeRevision(): number;
  marks(kind: string): Map<string, ScanMark>;
  close(): void;
}

/** The end of the key of an index of the words in a cached list, after the key of the list. */
export const TERMS_OF_LIST = "_terms";

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
  /** Finds the edits again that a later conversation took back with the opposite edit, and that nobody made again. */
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

/** A decision that a person recorded with `dex decide`. */
export interface OwnDecision {
  id: string;
  repository: string;
  text: string;
  because: string | null;
  alternatives: string[];
  files: string[];
  symbols: string[];
  time: number;
  /** The conversation it was made in, if known. */
  place?: string;
}

/** A person's verdict on a decision. */
export interface Verdict {
  id: string;
  repository: string;
  status: "accepted" | "rejected" | "superseded";
  /** The decision that replaces it. */
  by: string | null;
  time: number;
}

/** The decisions and verdicts that people recorded. */
export interface DecisionNotes {
  own(repository: string): OwnDecision[];
  add(decision: OwnDecision): void;
  /** By the id of the decision. */
  verdicts(repository: string): Map<string, Verdict>;
  judge(verdict: Verdict): void;
}

/** Test results that people imported. */
export interface TestNotes {
  /** The last result of each test. A run as a whole has an empty name. */
  all(repository: string): SeenOutcome[];
  /** Another one after every change of the results; empty without any. */
  revision(repository: string): string;
  put(repository: string, outcomes: readonly SeenOutcome[]): void;
}

/** The traces of conversations in a repository. */
export interface TrailReader {
  /**
   * Conversations that ran in one of these folders or below, the latest first, without abandoned branches; `updatedSince`
   * leaves out older ones.
   */
  conversationsIn(roots: readonly string[], limit: number, updatedSince?: number): TrailConversation[];
  conversation(no: number): TrailConversation | undefined;
  /** Commits that conversations made, by git's own output. */
  commitsMade(): { no: number; first: number; sha: string; subject: string }[];
  /** Work of conversations on files that they named by one of these paths. */
  touching(paths: readonly string[]): { no: number; path: string; how: FileUse; first: number }[];
}

export interface TrailConversation {
  no: number;
  source: string;
  id: string;
  title: string;
  project: string;
  created: number;
  updated: number;
  messages: number;
  archive: string;
  archive_bytes: number;
  /** Started by an agent: its user messages are that agent's words. */
  subagent: boolean;
  /** The person went back to before it: nothing in it was decided or done. */
  abandoned: boolean;
}
