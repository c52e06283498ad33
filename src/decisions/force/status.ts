/**
 * The status of decisions: a proposal of a conversation is accepted once a later commit touches its files; a revert
 * reverts the decisions of its commit; later words against a decision supersede it; a decision whose names are gone
 * from the code is historic; and a user's verdict overrides all of that.
 */
import { revertedCommit } from "../../history/trailers.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { Verdict } from "../../store/state/recorded.ts";
import { type Decision, isOfCommit } from "../decision.ts";
import { choiceIn } from "./choices.ts";
import { mergeDuplicates } from "./duplicates.ts";
import { choicesOfDecision, laterChoiceAgainst, laterCommits } from "./later.ts";
import { namesReliedOn, occurs } from "./names.ts";

/** A commit later than this is most likely about something else. */
const MAX_COMMIT_DELAY_MS = 14 * 86_400_000;

/**
 * Facts about the current code. Callers that cannot wait for them leave them out, and then no decision becomes
 * historic.
 */
export interface CodeToday {
  /** The names that occur in the working tree; undefined if it is too large to tell. */
  names(wanted: Iterable<string>): ReadonlySet<string> | undefined;
  dependency(name: string): boolean;
  /** Whether the file exists. */
  file(path: string): boolean;
}

export function settleStatuses(
  found: readonly Decision[],
  history: HistoryReader,
  verdicts: ReadonlyMap<string, Verdict>,
  today?: CodeToday,
): Decision[] {
  const merged = mergeDuplicates(found);
  const commits = today ? laterCommits(history) : { choices: [], reverted: new Set<string>() };
  const reverted = new Set(history.reverts().map(({ body }) => revertedCommit(body)?.slice(0, 7)));
  for (const sha of commits.reverted) reverted.add(sha.slice(0, 7));
  const accepted = merged.map((each): Decision => {
    if (isOfCommit(each) && reverted.has(each.owner.slice(0, 7))) return { ...each, status: "reverted" };
    return each.status === "proposed" && each.origin === "conversation" && wasCarriedOut(each, history)
      ? { ...each, status: "accepted" }
      : each;
  });
  const inOrder = accepted.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1));
  const later = [...inOrder.flatMap(choicesOfDecision), ...commits.choices];
  const current = inOrder.map((each) => superseded(each, later));
  const settled = today ? withoutHistoric(current, today, history.recent(1)[0]?.time ?? 0) : current;
  return settled.map((each) => withVerdict(each, verdicts.get(each.id)));
}

/**
 * Whether a sentence from another source can outdate the decision. A record, and a person's decision, change only
 * explicitly.
 */
function canBecomeOutdated({ shown, status, origin }: Decision): boolean {
  return shown && (status === "accepted" || status === "proposed") && origin !== "user" && origin !== "adr";
}

function wasCarriedOut({ files, time }: Decision, history: HistoryReader): boolean {
  return files.some((file) =>
    history.commitsOf(file, 20).some((commit) => commit.time >= time && commit.authored <= time + MAX_COMMIT_DELAY_MS),
  );
}

function superseded(decision: Decision, later: Parameters<typeof laterChoiceAgainst>[1]): Decision {
  // A comment in the current code is always current.
  if (!canBecomeOutdated(decision) || decision.origin === "marker") return decision;
  const against = laterChoiceAgainst(decision, later);
  return against ? { ...decision, status: "superseded", superseded_by: against.by } : decision;
}

/** A proposal so recent that the code cannot have its names yet. */
function isTooNew({ status, time }: Decision, lastCommit: number): boolean {
  return status === "proposed" && lastCommit <= time + MAX_COMMIT_DELAY_MS;
}

/** One pass over the tree for the names of all decisions. */
function withoutHistoric(decisions: readonly Decision[], today: CodeToday, lastCommit: number): Decision[] {
  const relied = new Map(
    decisions
      .filter((each) => canBecomeOutdated(each) && each.origin !== "marker" && !isTooNew(each, lastCommit))
      .map((each) => [each, namesReliedOn(each)]),
  );
  const seen = today.names(new Set([...relied.values()].flat()));
  return decisions.map((each) => {
    const names = relied.get(each);
    if (names === undefined) return each;
    const gone = (seen !== undefined && !occurs(each.text, names, seen)) || hasOnlyDeletedFiles(each, today);
    return gone || isUndone(each, today) ? { ...each, status: "historic" } : each;
  });
}

/**
 * Whether the decision's commit changed only files that no longer exist. (A breaking change may have removed them
 * itself.)
 */
function hasOnlyDeletedFiles({ origin, files }: Decision, today: CodeToday): boolean {
  return origin === "commit" && files.length > 0 && !files.some((file) => today.file(file));
}

/** Whether the project depends on the dropped package again, and no longer on the adopted one. */
function isUndone({ text }: Decision, today: CodeToday): boolean {
  const { adopts, drops } = choiceIn(text) ?? {};
  return drops !== undefined && adopts !== undefined && today.dependency(drops) && !today.dependency(adopts);
}

function withVerdict(decision: Decision, verdict: Verdict | undefined): Decision {
  if (!verdict) return decision;
  const { status, by } = verdict;
  return { ...decision, status, superseded_by: by ?? decision.superseded_by, shown: status !== "rejected" };
}
