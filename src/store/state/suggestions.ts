/** The port of the log of suggestions: the items offered to sessions, and their outcomes. */

export interface SuggestionRow {
  id: string;
  /** Empty: unknown. */
  session_id: string;
  project_id: string;
  created_at: string;
  trigger_json: string;
  suggestions_json: string;
  status: string;
  used_item_index: number | null;
  latency_ms: number;
  surface: string;
  /** The session was searched for uses up to this message; -1: not yet, WATCHED: as far as it counts. */
  watched_to: number;
}

/** The outcome of an item. Ignored: the session continued for long enough and never used it. */
export type ItemOutcome = "used" | "dismissed" | "ignored";

/** Stands for the suggestion as a whole, if the item is unknown. */
export const WHOLE = -1;

/** Later messages do not count. */
export const WATCHED = 2 ** 31 - 1;

export interface FeedbackRow {
  suggestion_id: string;
  item_index: number;
  project_id: string;
  type: string;
  /** The score as shown, and before feedback changed it. */
  score: number;
  base: number;
  action: ItemOutcome;
  how: "explicit" | "implicit";
  at: string;
}

export interface FeedbackCount {
  project_id: string;
  type: string;
  action: ItemOutcome;
  count: number;
  /** The sum of their scores before feedback: the expected number of uses. */
  expected: number;
}

export interface SuggestionLog {
  add(row: Omit<SuggestionRow, "used_item_index" | "watched_to">, now: number): void;
  /** As part of an open transaction. */
  put(row: Omit<SuggestionRow, "used_item_index" | "watched_to">): void;
  get(id: string): SuggestionRow | undefined;
  /** The newest first. */
  recent(project: string | undefined, limit: number): SuggestionRow[];
  /** Suggestions whose session may still use them, the newest first. */
  unwatched(session: string | undefined, limit: number): SuggestionRow[];
  /** Explicit feedback overrides observations. */
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
