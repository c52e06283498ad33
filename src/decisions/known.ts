/**
 * The decisions of a project that can be told at once: what people noted, records in the usual places, and what was read
 * out of commits and conversations before. Nothing is looked through, and git is not asked.
 */
import type { Repository } from "../history/repository.ts";
import type { FoundDecision, HistoryReader, OwnDecision, Verdict } from "../store/history.ts";
import { SHOWN } from "./cues.ts";
import type { Decision } from "./decision.ts";
import { readRecords, usualRecords } from "./records.ts";
import { settle } from "./status.ts";

/** The place of a decision that was said outright: there is none to open but the decision itself. */
export const SAID_OUTRIGHT = "dex decide";

export function knownDecisions(
  repository: Repository,
  history: HistoryReader,
  notes: { own: readonly OwnDecision[]; verdicts: ReadonlyMap<string, Verdict> },
): Decision[] {
  const found = [
    ...notes.own.map(ownDecision),
    ...readRecords(repository, usualRecords(repository.root), history),
    ...history.decisions().map(storedDecision),
  ];
  return settle(found, history, notes.verdicts);
}

export function ownDecision(each: OwnDecision): Decision {
  return {
    ...each,
    origin: "user",
    owner: "",
    place: each.place ?? SAID_OUTRIGHT,
    score: 10,
    status: "accepted",
    superseded_by: null,
    shown: true,
  };
}

/** As commits and conversations said it. */
export function storedDecision(each: FoundDecision): Decision {
  return { ...each, superseded_by: null, shown: each.score >= SHOWN };
}
