/** Suggests past conversations that worked on the same files or had a similar prompt. */

import { isBelow } from "../../kernel/files/paths.ts";
import type { TextHit } from "../../ranking/hits.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { ConversationRow } from "../../store/ports.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { conversationAddress } from "../origins.ts";
import { workInWords } from "../past_work.ts";
import { chanceOfLead, leadsOf } from "../scale.ts";
import { ageInWords } from "../text.ts";

const HALF_LIFE_MS = 30 * 86_400_000;
const MAX_FOCUS = 3;
const MAX_TOUCHING = 8;
/** A similar conversation in another project is worth less. */
const OTHER_PROJECT_SHARE = 0.7;
const MIN_CHANCE = 0.05;

export function pastConversations(view: ProjectView): Candidate[] {
  return [...touching(view), ...asked(view)];
}

function touching(view: ProjectView): Candidate[] {
  const { focus, links, history, now, index } = view;
  return focus.files.slice(0, MAX_FOCUS).flatMap(({ path, share }) => {
    const names = [
      ...new Set([path, ...history.commitsOf(path, 50).flatMap(({ path: at, old }) => (old ? [at, old] : [at]))]),
    ];
    return links
      .touching(names)
      .filter(({ row, how }) => how !== "mentioned" && !focus.own.has(row.no))
      .slice(0, MAX_TOUCHING)
      .flatMap(({ row, how, first }): Candidate[] => {
        const whole = index.byNo(row.no);
        if (!whole) return [];
        const kind = how === "edited" ? "conversation_edited" : "conversation_read";
        const strength = 0.5 ** (Math.max(0, now - row.updated) / HALF_LIFE_MS);
        const reason = `${how === "edited" ? "edited" : "read"} ${path} ${ageInWords(row.updated, now)}`;
        return [candidate(view, whole, first, { kind, strength, share, reason })];
      });
  });
}

function asked(view: ProjectView): Candidate[] {
  const { focus, index } = view;
  if (!focus.question) return [];
  const hits = view.near();
  const leads = leadsOf(hits.map(({ score }) => score));
  return hits.flatMap((hit, i): Candidate[] => {
    const row = index.byNo(hit.no);
    if (!row) return [];
    const chance = chanceOfLead(leads[i] ?? 0, likenessOf(hit));
    if (chance < MIN_CHANCE) return [];
    const share = isHere(view, row) ? 1 : OTHER_PROJECT_SHARE;
    const evidence: Evidence = {
      kind: "conversation_asked",
      strength: chance,
      share,
      reason: "asked or did much the same",
    };
    return [candidate(view, row, hit.index, evidence)];
  });
}

function likenessOf({ parts }: TextHit): number | null {
  return parts.reduce<number | null>(
    (most, { cosine }) => (cosine === null ? most : Math.max(most ?? 0, cosine)),
    null,
  );
}

function isHere({ repository }: ProjectView, { project }: ConversationRow): boolean {
  return project !== null && repository.roots.some((root) => isBelow(root, project));
}

function candidate(view: ProjectView, row: ConversationRow, message: number | null, evidence: Evidence): Candidate {
  const about = view.focus.files.map(({ path }) => path);
  const address = conversationAddress(row, message);
  return {
    type: "conversation",
    entityId: `conversation:${row.source}:${row.id}`,
    title: `Conversation: ${quoteLine(row.title, 80)}`,
    summary: () => workInWords(view, row, about),
    actionUrl: address,
    origin: () => ({ from: `${row.source} conversation`, address }),
    time: row.updated,
    evidence: [evidence],
  };
}
