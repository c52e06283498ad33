/** The trail of some of the conversations: those of the team, or of one member. */
import type { ConversationFilter, ConversationRow, FileRow } from "../ports.ts";
import type { TrailReader } from "../trails.ts";

/** More than a home and a team have of one project. */
const MAX_CONVERSATIONS = 1_000_000;

export interface TrailIndex {
  trail: TrailReader;
  files(no: number): FileRow[];
  byNo(no: number): ConversationRow | undefined;
}

/** `home`: the member that owns the conversations of this home. */
export function chosenTrail(
  index: TrailIndex,
  { origin, owner }: Pick<ConversationFilter, "origin" | "owner">,
  home: string | undefined,
): TrailIndex {
  if (origin === undefined && owner === undefined) return index;
  const { trail } = index;
  const isChosen = ({ team }: Pick<ConversationRow, "team">): boolean =>
    (origin === undefined || origin === (team ? "team" : "local")) &&
    (owner === undefined || owner === (team?.owner ?? home));
  const conversation: TrailReader["conversation"] = (no) => {
    const row = trail.conversation(no);
    return row && isChosen(row) ? row : undefined;
  };
  const ofChosen = ({ no }: { no: number }): boolean => conversation(no) !== undefined;
  return {
    files: (no) => index.files(no),
    byNo: (no) => {
      const row = index.byNo(no);
      return row && isChosen(row) ? row : undefined;
    },
    trail: {
      conversation,
      conversationsIn: (roots, limit, since) =>
        trail.conversationsIn(roots, MAX_CONVERSATIONS, since).filter(isChosen).slice(0, limit),
      commitsMade: () => trail.commitsMade().filter(ofChosen),
      touching: (paths) => trail.touching(paths).filter(ofChosen),
      ownersPlace: (no) => trail.ownersPlace(no),
    },
  };
}
