/** Suggests past conversations that worked on the same files or had a similar prompt. */
import { agentName } from "../../integrations/registry.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import type { TextHit } from "../../ranking/hits.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { conversationBaseRate } from "../base_rates.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { conversationAddress, ownerOf } from "../origins.ts";
import { editedBy, elsewhereInWords, readBy, workInWords } from "../past_work.ts";
import { fullness } from "../prompt_content.ts";
import { chanceOfLead, leadFeature, leadsOf } from "../scale.ts";
import { ageInWords } from "../text.ts";

const HALF_LIFE_MS = 30 * 86_400_000;
const MAX_FOCUS = 3;
const MAX_TOUCHING = 8;
/**
 * The project's own history cannot show whether a conversation of another project would have helped, so such a
 * conversation never becomes likely enough to be pushed.
 */
const ELSEWHERE_SHARE = 0.4;
/**
 * Less likely conversations of other projects are left out even for callers that ask: some message is always slightly
 * similar.
 */
const MIN_ELSEWHERE_CHANCE = 0.05;

export function pastConversations(view: ProjectView): Candidate[] {
  return [...touching(view), ...asked(view)];
}

function touching(view: ProjectView): Candidate[] {
  const { focus, links, history, now, index } = view;
  return focus.files.slice(0, MAX_FOCUS).flatMap(({ path, share }) => {
    const names = [
      ...new Set([path, ...history.commitsOf(path, 50).flatMap(({ path: at, old }) => (old ? [at, old] : [at]))]),
    ];
    const all = links
      .touching(names)
      .filter(({ row, how }) => how !== "mentioned" && !row.abandoned && !focus.own.has(row.no));
    const those = all.map(({ row }) => row.no);
    return all.slice(0, MAX_TOUCHING).flatMap(({ row, how, first }): Candidate[] => {
      const whole = view.isChosen(row) ? index.byNo(row.no) : undefined;
      if (!whole) return [];
      const kind = how === "edited" ? "conversation_edited" : "conversation_read";
      const reason = `${how === "edited" ? "edited" : "read"} ${path} ${ageInWords(row.updated, now)}`;
      const features = workOf(view, whole, those);
      return [candidate(view, whole, first, { kind, strength: 0, features, share, reason })];
    });
  });
}

function asked(view: ProjectView): Candidate[] {
  const { focus, index } = view;
  if (!focus.question) return [];
  const hits = view.near();
  const leads = leadsOf(hits.map(({ score }) => score));
  const share = fullness(view.activity.prompt ?? "");
  return hits.flatMap((hit, i): Candidate[] => {
    const row = index.byNo(hit.no);
    // An abandoned branch can be found by a search, but is never suggested.
    if (!row || row.parent_kind === "abandoned" || !view.isChosen(row)) return [];
    const reason = "one of its messages is similar to the prompt";
    const lead = leads[i] ?? 0;
    if (!isHere(view, row)) {
      const evidence = {
        kind: "conversation_elsewhere",
        strength: chanceOfLead(lead, likenessOf(hit)),
        share: ELSEWHERE_SHARE * share,
        reason,
      } as const;
      if (evidence.strength * evidence.share < MIN_ELSEWHERE_CHANCE) return [];
      return [{ ...candidate(view, row, hit.index, evidence), summary: () => elsewhereInWords(view, row) }];
    }
    const features = { ...workOf(view, row), lead: leadFeature(lead) };
    return [candidate(view, row, hit.index, { kind: "conversation_asked", strength: 0, features, share, reason })];
  });
}

/** Features of its work in this project. */
function workOf(view: ProjectView, row: ConversationRow, among: readonly number[] = []): Record<string, number> {
  const edited = editedBy(view, row);
  const files = edited.length > 0 ? edited : readBy(view, row);
  return {
    recent: 0.5 ** (Math.max(0, view.now - row.updated) / HALF_LIFE_MS),
    breadth: Math.min(1, Math.log2(1 + files.length) / 5),
    usual: conversationBaseRate(view, files, row.no, edited.length > 0 ? "edited" : "opened", among),
  };
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
    title: () => `Conversation: ${quoteLine(row.title, 80)}`,
    summary: () => workInWords(view, row, about),
    actionUrl: address,
    origin: () => ({ from: `${agentName(row.source)} conversation${ownerOf(row)}`, address }),
    time: row.updated,
    ...(row.team ? { team: row.team } : {}),
    evidence: [evidence],
  };
}
