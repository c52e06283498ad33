/** What is being worked on, and what may be worth knowing about it before it is asked for. */

/** What somebody does right now, as far as dex was told. Paths as they were given: absolute, or from the folder. */
export interface Activity {
  /** A folder of the project. */
  folder: string;
  file?: string;
  line?: number;
  symbol?: string;
  /** What the agent was asked to do. */
  prompt?: string;
  /** Other files of the last minutes, the latest first. */
  recent: readonly string[];
  /** The agent's own id of the conversation that this is for. */
  session?: string;
}

export const TRIGGERS = ["file_change", "symbol_focus", "activity", "time"] as const;

/** What made dex look. */
export interface Trigger {
  type: (typeof TRIGGERS)[number];
  /** The file, symbol or event. */
  source: string;
}

export const ITEM_TYPES = ["decision", "change", "doc", "related_code", "warning", "conversation"] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export interface SuggestionItem {
  type: ItemType;
  title: string;
  summary: string;
  /** The estimated chance that it is of use, from 0 to 1. */
  relevanceScore: number;
  /** What it is about, the same for the same thing each time: `file:src/a.ts`, `decision:<id>`, `commit:<sha>`, … */
  entityId: string;
  /** An address that a verb of dex or an editor opens: a path with a line, `id#index`, a commit, a section. */
  actionUrl: string;
  /** Why it is suggested, in words. */
  reason: string;
  /** When it came about or changed last; null where that has no meaning. */
  time: number | null;
}

/** Of a whole suggestion; an item that was used makes it used. */
export const SUGGESTION_STATUSES = ["pending", "shown", "used", "dismissed"] as const;

export interface Suggestion {
  id: string;
  sessionId: string | null;
  /** The repository that all its worktrees share, or the folder. */
  projectId: string;
  createdAt: number;
  trigger: Trigger;
  suggestions: SuggestionItem[];
  status: (typeof SUGGESTION_STATUSES)[number];
}

/** What changed in a project since the last batch; a save, a checkout of thousands of files, a commit: one batch each. */
export interface ChangeBatch {
  folder: string;
  time: number;
  /** From the project's root, with `/`. */
  changed: readonly string[];
  removed: readonly string[];
  /** The branch or commit that is checked out changed. */
  head: boolean;
  /** Conversations of agents grew. */
  conversations: boolean;
  /** A test report was written. */
  tests: boolean;
}
