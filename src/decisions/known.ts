/**
 * The decisions of a project that are available at once: saved ones, records in the usual folders, and those found in
 * commits and conversations before. Nothing is scanned, and git is not started.
 */
import type { Repository } from "../history/repository.ts";
import { agentName } from "../integrations/registry.ts";
import type { HistoryReader } from "../store/history.ts";
import type { FoundDecision } from "../store/history_records.ts";
import type { OwnDecision, Verdict } from "../store/state/recorded.ts";
import type { Decision } from "./decision.ts";
import { settleStatuses } from "./force/status.ts";
import { readDecisionRecords, recordsInUsualFolders } from "./sources/records.ts";
import { MIN_SHOWN_SCORE } from "./wording/cues.ts";

/** The place of a saved decision that no conversation states: there is no source to open. */
export const SAVED_DECISION_PLACE = "dex decide";

/** The recorder of a decision that no conversation states, by name. */
export function recorderOf({ by }: Pick<Decision, "by">): string {
  if (by === undefined) return SAVED_DECISION_PLACE;
  return by === "agent" ? "an agent" : agentName(by);
}

export function knownDecisions(
  repository: Repository,
  history: HistoryReader,
  notes: { own: readonly OwnDecision[]; verdicts: ReadonlyMap<string, Verdict> },
): Decision[] {
  const found = [
    ...notes.own.map(ownDecision),
    ...readDecisionRecords(repository, recordsInUsualFolders(repository.root), history),
    ...history.decisions().map(storedDecision),
  ];
  return settleStatuses(found, history, notes.verdicts);
}

export function ownDecision(each: OwnDecision): Decision {
  return {
    ...each,
    origin: "user",
    owner: "",
    place: each.place ?? SAVED_DECISION_PLACE,
    score: 10,
    status: "accepted",
    superseded_by: null,
    shown: true,
  };
}

/** A decision found in commits or conversations. */
export function storedDecision(each: FoundDecision): Decision {
  return { ...each, superseded_by: null, shown: each.score >= MIN_SHOWN_SCORE };
}
