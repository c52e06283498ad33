/**
 * Chooses the moments of a project's past that a replay asks about: the latest commits and the latest finished
 * sessions.
 */
import type { Dex } from "../../dex.ts";
import type { OpenRepository } from "../../project/repository.ts";
import type { ConversationRow } from "../../store/ports.ts";
import type { PastCommit } from "./questions.ts";

/** The most moments of each kind. Older ones tell less about the current project. */
export const MAX_COMMITS = 80;
export const MAX_SESSIONS = 80;
/** A session counts as finished after this time without activity. */
const MIN_QUIET_MS = 3_600_000;

export interface Moment {
  /** Names the moment without naming the conversation. */
  name: string;
  time: number;
  commit?: PastCommit;
  session?: ConversationRow;
}

/** The latest first. */
export function momentsOf(
  dex: Dex,
  { history, links }: Pick<OpenRepository, "history" | "links">,
  most = { commits: MAX_COMMITS, sessions: MAX_SESSIONS },
): Moment[] {
  const commits = history
    .recent(2 * most.commits)
    .filter(({ parents }) => parents < 2)
    .slice(0, most.commits)
    .map(
      (commit): Moment => ({
        name: `c${commit.time}`,
        time: commit.time,
        commit: { ...commit, files: history.filesOf(commit.no) },
      }),
    );
  const sessions = links
    .latest(2 * most.sessions)
    .filter(({ subagent, updated }) => !subagent && updated < dex.now() - MIN_QUIET_MS)
    .slice(0, most.sessions)
    .flatMap(({ no }): Moment[] => {
      const session = dex.store.byNo(no);
      return session ? [{ name: `s${session.created}`, time: session.created, session }] : [];
    });
  return [...commits, ...sessions].sort((a, b) => b.time - a.time);
}
