/** The port of the records about a repository: decisions and verdicts of people, and imported test results. */
import type { SeenOutcome } from "../history_records.ts";

/** A decision that a person recorded with `dex decide`, or an agent with its tool. */
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
  /** Otherwise the agent that recorded it; `agent` if it is unknown which. */
  by?: string;
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
  /** Changes with every change of the results; empty if there are none. */
  revision(repository: string): string;
  put(repository: string, outcomes: readonly SeenOutcome[]): void;
}
