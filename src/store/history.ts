/**
 * What the rest of dex may ask of the store of a repository's history: its commits, and what was read out of commits
 * and conversations about it. All of it is derived and may be deleted at any time.
 */
import type { FileUse } from "./ports.ts";

export interface FileChange {
  path: string;
  /** The name it had before, where the commit renamed it. */
  old?: string;
  /** Lines; absent for binary files and where nobody counted. */
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
  /** All of them, also where there are too many to keep. */
  file_count: number;
  /** Its parents are not here: what it changed cannot be told. */
  boundary: boolean;
}

export interface CommitInfo extends Omit<CommitRecord, "files"> {
  no: number;
}

/** A commit that touched a file, with what it did to it. */
export interface FileCommit extends CommitInfo {
  path: string;
  old: string | null;
  added: number | null;
  deleted: number | null;
}

/** The files of one commit under the names they have now. */
export interface Touch {
  time: number;
  files: string[];
}

export type DecisionStatus = "proposed" | "accepted" | "superseded" | "reverted" | "rejected";

/** Something decided, as a commit or a conversation says it. */
export interface FoundDecision {
  /** Of the text: the same said twice is one decision. */
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
  /** How surely it is one. */
  score: number;
  time: number;
  status: DecisionStatus;
}

export type TestStatus = "passed" | "failed" | "skipped";

/** How a test ended. `name` is null for a run as a whole. */
export interface TestOutcome {
  runner: string;
  file: string | null;
  name: string | null;
  status: TestStatus;
  message: string | null;
  /** Tests in the run, where it said so. */
  total: number | null;
}

export interface SeenOutcome extends TestOutcome {
  /** `id#index`, or the file that was imported. */
  place: string;
  /** `source:id`; empty for an import. */
  owner: string;
  time: number;
}

/** How far a conversation was looked through, for one purpose. */
export interface ScanMark {
  owner: string;
  messages: number;
  /** Changes when the conversation was rewritten or grew. */
  bytes: number;
}

export interface HistoryReader {
  getValue(key: string): string | undefined;
  commitCount(): number;
  /** Those whose id begins so, at most `limit`. */
  byPrefix(prefix: string, limit: number): CommitInfo[];
  /** The latest first. */
  recent(limit: number): CommitInfo[];
  /** Commits after this one in the order they were taken in. */
  newer(no: number): Iterable<CommitInfo>;
  /** Commits that touched the file under any name it had, the latest first. */
  commitsOf(path: string, limit: number): FileCommit[];
  countOf(path: string): number;
  /** When it was last touched; undefined: never. */
  lastTouch(path: string): { time: number; sha: string } | undefined;
  filesOf(no: number): FileChange[];
  /** What was touched together with the file, by commits of at most so many files that are no merges, latest first. */
  touches(path: string, mostFiles: number, limit: number): Touch[];
  /** Of the latest commits those that are such, with their files under the names they had. */
  latestTouches(mostFiles: number, limit: number): Touch[];
  /** How many such commits touched each of these. */
  touchCounts(paths: readonly string[], mostFiles: number): Map<string, number>;
  /** Paths that are this one or end in it. */
  pathsLike(path: string, limit: number): string[];
  /** Commits that take another one back, by git's own words. */
  reverts(): { sha: string; body: string }[];
  decisions(): FoundDecision[];
  outcomes(): SeenOutcome[];
  marks(kind: string): Map<string, ScanMark>;
  close(): void;
}

export interface HistoryWriter extends HistoryReader {
  setValue(key: string, value: string): void;
  addCommit(commit: CommitRecord): void;
  removeCommits(shas: readonly string[]): void;
  /** To be called after commits came or went: which name each file has now. */
  followRenames(): void;
  clear(): void;
  addDecisions(decisions: readonly FoundDecision[]): void;
  removeDecisions(owner: string): void;
  addOutcomes(outcomes: readonly SeenOutcome[]): void;
  removeOutcomes(owner: string): void;
  setMark(kind: string, mark: ScanMark): void;
  removeMark(kind: string, owner: string): void;
  /** Removes everything that was read out of a conversation, and says how many decisions and outcomes that were. */
  forget(owner: string): number;
  /** Takes what quotes a conversation out of the lists that are kept for quick answers. */
  forgetKept(quotes: (text: string) => boolean): void;
  /** Rewrites the file, so that nothing that was removed stays on disk. */
  purge(): void;
  commit(): void;
}

/** What a person decided with `dex decide`. */
export interface OwnDecision {
  id: string;
  repository: string;
  text: string;
  because: string | null;
  alternatives: string[];
  files: string[];
  symbols: string[];
  time: number;
  /** Where it was said, where that is known. */
  place?: string;
}

/** What a person said of a decision. */
export interface Verdict {
  id: string;
  repository: string;
  status: "accepted" | "rejected" | "superseded";
  /** The decision that takes its place. */
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
  put(repository: string, outcomes: readonly SeenOutcome[]): void;
}

/** What conversations did in a repository. */
export interface TrailReader {
  /** Conversations that ran in one of these folders or below. */
  conversationsIn(roots: readonly string[], limit: number): TrailConversation[];
  /** Commits that conversations made, by git's own answer. */
  commitsMade(): { no: number; first: number; sha: string; subject: string }[];
  /** What conversations did to files that they called by one of these paths. */
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
  /** Started by an agent: what its user says is that agent's word. */
  subagent: boolean;
}
