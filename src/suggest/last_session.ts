/**
 * The last session in a project, as the next one should know it: what it was about, did and left open, and decisions
 * made in it. A refresh derives the lines from the finished conversation.
 */
import type { Decision } from "../decisions/decision.ts";
import type { Dex } from "../dex.ts";
import type { Repository } from "../history/repository.ts";
import { agentName } from "../integrations/registry.ts";
import type { HistoryReader } from "../store/history.ts";
import type { TrailConversation } from "../store/trails.ts";
import { clip } from "../text/clip.ts";
import type { Fact, FactGroup } from "./facts.ts";

const MAX_DECISIONS = 2;
const MAX_TITLE_CHARS = 90;
/** So many sessions are searched for one that is neither a subagent's nor the new one. */
const MAX_LOOKED_AT = 20;

/** Conversations of people in the project, the latest first, without the new one. */
export function pastSessions(dex: Dex, repository: Repository, session: string | undefined): TrailConversation[] {
  return dex.store.trail
    .conversationsIn(repository.roots, MAX_LOOKED_AT)
    .filter(({ id, subagent, title }) => !subagent && title !== "" && id !== session);
}

/** Empty if only the title is known, which the list of recent conversations already has. */
export function lastSession(
  last: TrailConversation | undefined,
  history: HistoryReader,
  decisions: readonly Decision[],
): FactGroup {
  const group = { title: "Last session here", facts: [] };
  if (!last) return group;
  const { id, source, title, updated } = last;
  const known = history.sessionOf(`${source}:${id}`);
  const decided = decisions.filter(({ place }) => place.startsWith(`${id}#`)).slice(0, MAX_DECISIONS);
  if (!known || (known.did === "" && known.open === "" && decided.length === 0)) return group;
  const fact = (entityId: string, text: string, place = id): Fact => ({
    entityId,
    text,
    source: place,
    time: updated,
    content: text,
  });
  return {
    ...group,
    facts: [
      fact(
        `conversation:${id}`,
        `${clip(title, MAX_TITLE_CHARS)} (${agentName(source)})${known.did === "" ? "" : `: ${known.did}`}`,
      ),
      ...(known.open === "" ? [] : [fact(`open:${id}`, `left open: ${known.open}`)]),
      ...decided.map(({ id: decision, text, place }) => ({
        ...fact(`decision:${decision}`, `decided: ${text}`, place),
        content: "",
      })),
    ],
  };
}
