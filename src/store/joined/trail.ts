/** The trail of the conversations of this home and of a team as one. */
import type { TrailConversation, TrailReader } from "../trails.ts";

/** `shift` is added to the number of each shared conversation. */
export function joinedTrail(local: TrailReader, team: TrailReader, shift: number): TrailReader {
  const shifted = <T extends { no: number }>(rows: readonly T[]): T[] =>
    rows.map((row) => ({ ...row, no: row.no + shift }));
  return {
    conversationsIn: (roots, limit, updatedSince) =>
      [
        ...local.conversationsIn(roots, limit, updatedSince),
        ...shifted(team.conversationsIn(roots, limit, updatedSince)),
      ]
        .sort((a, b) => b.updated - a.updated || (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    conversation: (no): TrailConversation | undefined => {
      if (no < shift) return local.conversation(no);
      const found = team.conversation(no - shift);
      return found && { ...found, no };
    },
    commitsMade: () => [...local.commitsMade(), ...shifted(team.commitsMade())],
    touching: (paths) => [...local.touching(paths), ...shifted(team.touching(paths))],
    ownersPlace: (no) => (no < shift ? undefined : team.ownersPlace(no - shift)),
  };
}
