/**
 * Collects the cases of one question of a replay: each item that dex would have suggested, and whether it was useful.
 */
import { isOfCommit } from "../../decisions/decision.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import type { ItemType } from "../model.ts";
import { recentChanges } from "../providers/changes.ts";
import { pastConversations } from "../providers/conversations.ts";
import { relatedDecisions } from "../providers/decisions.ts";
import { relatedDocuments } from "../providers/documents.ts";
import { relatedCode } from "../providers/related.ts";
import type { Diffs } from "./diffs.ts";
import { isUseful } from "./outcomes.ts";
import type { PastCommit, Question } from "./questions.ts";

export interface ReplayedCase {
  type: ItemType;
  evidence: Pick<Evidence, "kind" | "strength" | "share" | "features">[];
  useful: boolean;
}

const PROVIDERS = [recentChanges, relatedDocuments, relatedDecisions, relatedCode, pastConversations];
const COMMIT = "commit:";
const DECISION = "decision:";
const SITTING_MS = 2 * 3_600_000;

/** `commit`: the commit that the question is about. */
export async function casesOf(
  view: ProjectView,
  { later }: Question,
  commit: PastCommit | undefined,
  diffs: Diffs,
): Promise<ReplayedCase[]> {
  const found = merged(PROVIDERS.flatMap((provide) => provide(view))).filter(
    ({ entityId }) => !commit || !isSameSitting(entityId, view, commit),
  );
  const changes = found.flatMap(({ entityId }) => (entityId.startsWith(COMMIT) ? [entityId.slice(COMMIT.length)] : []));
  if (commit && later.about.size > 0) await diffs.load(changes);
  const work = { ...later, diff: commit && diffs.of(commit.sha) };
  return found.flatMap((candidate): ReplayedCase[] => {
    // The project's history shows no outcome for conversations of other projects.
    const evidence = candidate.evidence
      .filter(({ kind }) => kind !== "conversation_elsewhere")
      .map(({ reason: _, ...rest }) => rest);
    if (evidence.length === 0) return [];
    return [{ type: candidate.type, evidence, useful: isUseful(candidate, view, work, diffs) }];
  });
}

/** Whether the item is the author's own commit of the two hours before, or a decision in it, which the author knows. */
function isSameSitting(entityId: string, view: ProjectView, { author, time }: PastCommit): boolean {
  const sha = commitOf(entityId, view);
  const [known] = sha === undefined ? [] : view.history.byPrefix(sha, 1);
  return known !== undefined && known.author === author && time - known.time < SITTING_MS;
}

/** The commit that an item is, or that made the decision. */
function commitOf(entityId: string, view: ProjectView): string | undefined {
  if (entityId.startsWith(COMMIT)) return entityId.slice(COMMIT.length);
  if (!entityId.startsWith(DECISION)) return undefined;
  const id = entityId.slice(DECISION.length);
  const made = view.decisions().find((each) => each.id === id);
  return made && isOfCommit(made) ? made.owner : undefined;
}

/** One case per entity, with all its evidence, as an answer has one item. */
function merged(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const each of candidates) {
    const known = found.get(each.entityId);
    found.set(each.entityId, known ? { ...known, evidence: [...known.evidence, ...each.evidence] } : each);
  }
  return [...found.values()];
}
