/** The port to the trail of conversations in a repository. */
import type { FileUse, TeamOrigin } from "./ports.ts";
import type { OwnersPlace } from "./shared/placing.ts";

/** The files and commits of a repository that conversations worked on. */
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
  /**
   * For a conversation of the team: its owner's folder of the project, to translate paths in its messages. The paths of
   * files above are already relative to the root of the project.
   */
  ownersPlace(no: number): OwnersPlace | undefined;
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
  /** The person went back to an earlier point, so nothing in it was decided or done. */
  abandoned: boolean;
  /** Of a conversation that a team shares. */
  team?: TeamOrigin;
}
