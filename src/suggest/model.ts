/** The data of proactive suggestions: an activity, the suggestion made for it, and a batch of changes. */
import type { TeamOrigin } from "../store/ports.ts";

/** The current work of a user or an agent, as far as dex knows. Paths are as given: absolute, or relative to the folder. */
export interface Activity {
  /** A folder of the project. */
  folder: string;
  file?: string;
  line?: number;
  symbol?: string;
  /** The prompt the agent received. */
  prompt?: string;
  /** Other recently opened files, the latest first. */
  recent: readonly string[];
  /** The agent's own id of the conversation the suggestion is for. */
  session?: string;
}

export const TRIGGERS = ["file_change", "symbol_focus", "activity", "time"] as const;

/** The event that caused a suggestion. */
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
  /** The estimated chance that it is useful, from 0 to 1. */
  relevanceScore: number;
  /** A stable id of its subject: `file:src/a.ts`, `decision:<id>`, `commit:<sha>`, … */
  entityId: string;
  /** An address that a dex command or an editor opens: a path with a line, `source:id#index`, a commit, a section. */
  actionUrl: string;
  /** Why it is suggested, in words. */
  reason: string;
  /** Its source in words: a conversation by its title, a commit. Empty if the address says it all. */
  from: string;
  /** When it was created or last changed; null if that has no meaning. */
  time: number | null;
  /** Of a conversation that a team shares. */
  team?: TeamOrigin;
}

/** Status of a whole suggestion; one used item makes it used. */
export const SUGGESTION_STATUSES = ["pending", "shown", "used", "dismissed"] as const;

export interface Suggestion {
  id: string;
  sessionId: string | null;
  /** The project key: the git directory all worktrees share, or the folder. */
  projectId: string;
  createdAt: number;
  trigger: Trigger;
  suggestions: SuggestionItem[];
  status: (typeof SUGGESTION_STATUSES)[number];
}

/** Changes in a project since the last batch. A save, a checkout of thousands of files or a commit is one batch. */
export interface ChangeBatch {
  folder: string;
  time: number;
  /** From the project's root, with `/`. */
  changed: readonly string[];
  removed: readonly string[];
  /** The checked-out branch or commit changed. */
  head: boolean;
  /** Agents' conversations have new messages. */
  conversations: boolean;
  /** A test report was written. */
  tests: boolean;
}
