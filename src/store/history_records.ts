/** The records of a repository's history: commits, and the decisions, test outcomes and edits found in conversations. */

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
  files: readonly string[];
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

/** A commit of more files does not show that any two of them belong together. */
export const MAX_COCHANGE_FILES = 30;

/** The commits that changed a file under any of its names. */
export interface FileChurn {
  commits: number;
  added: number;
  deleted: number;
  /** The time of the latest. */
  last: number;
}
