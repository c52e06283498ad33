/** What the rest of dex may ask of the log of suggestions: what was offered to sessions, and what became of it. */

export interface SuggestionRow {
  id: string;
  /** Empty: nobody said. */
  session_id: string;
  project_id: string;
  created_at: string;
  trigger_json: string;
  suggestions_json: string;
  status: string;
  used_item_index: number | null;
  latency_ms: number;
  surface: string;
  /** Up to which message the session was looked through for a use; -1: not yet, WATCHED: as far as it counts. */
  watched_to: number;
}

/** What became of an item. Ignored: the session went on for long enough and never came to it. */
export type Outcome = "used" | "dismissed" | "ignored";

/** Of a suggestion as a whole, where nobody said which item. */
export const WHOLE = -1;

/** Nothing that comes after counts. */
export const WATCHED = 2 ** 31 - 1;

export interface FeedbackRow {
  suggestion_id: string;
  item_index: number;
  project_id: string;
  type: string;
  /** As it was shown, and as it was before feedback moved it. */
  score: number;
  base: number;
  action: Outcome;
  how: "explicit" | "implicit";
  at: string;
}

export interface FeedbackCount {
  project_id: string;
  type: string;
  action: Outcome;
  count: number;
  /** The sum of their scores before feedback: how many uses were to be expected. */
  expected: number;
}

export interface SuggestionLog {
  add(row: Omit<SuggestionRow, "used_item_index" | "watched_to">, now: number): void;
  /** As part of a transaction that is open. */
  put(row: Omit<SuggestionRow, "used_item_index" | "watched_to">): void;
  get(id: string): SuggestionRow | undefined;
  /** The newest first. */
  recent(project: string | undefined, limit: number): SuggestionRow[];
  /** Suggestions whose session may still use them, the newest first. */
  unwatched(session: string | undefined, limit: number): SuggestionRow[];
  /** Explicit feedback overrides what was observed. */
  judge(rows: readonly FeedbackRow[]): void;
  /** The session was searched for uses up to this message. */
  watched(id: string, message: number): void;
  feedback(id: string): FeedbackRow[];
  allFeedback(project: string | undefined): FeedbackRow[];
  /** How often each outcome was seen, by type and project. */
  counts(): FeedbackCount[];
  /** Removes the rows that are too old or too many. */
  prune(now: number, most?: number): void;
}
