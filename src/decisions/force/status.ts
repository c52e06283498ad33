/**
 * The status of decisions: a proposal of a conversation is accepted once a later commit touches its files; a revert
 * reverts the decisions of its commit; later words against a decision supersede it; a decision whose names are gone
 * from the code is historic; and a user's verdict overrides all of that.
 */
import { revertedCommit } from "../../history/trailers.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { Verdict } from "../../store/state/recorded.ts";
import { type Decision, isOfCommit } from "../decision.ts";
import { mergeDoubles } from "./doubles.ts";
import { laterCommits, turnAgainst, turnOfDecision } from "./later.ts";
import { namesReliedOn, occurs } from "./names.ts";
import { turnOf } from "./turns.ts";

/** A later commit is about something else. */
const MAX_COMMIT_DELAY_MS = 14 * 86_400_000;

/** Questions to today's code. An answer that cannot wait does without it, and then no decision is historic. */
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
  const merged = mergeDoubles(found);
  const commits = today ? laterCommits(history) : { turns: [], reverted: new Set<string>() };
  const reverted = new Set(history.reverts().map(({ body }) => revertedCommit(body)?.slice(0, 7)));
  for (const sha of commits.reverted) reverted.add(sha.slice(0, 7));
  const stood = merged.map((each): Decision => {
    if (isOfCommit(each) && reverted.has(each.owner.slice(0, 7))) return { ...each, status: "reverted" };
    return each.status === "proposed" && each.origin === "conversation" && wasDone(each, history)
      ? { ...each, status: "accepted" }
      : each;
  });
  const inOrder = stood.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1));
  const later = [...inOrder.flatMap(turnOfDecision), ...commits.turns];
  const turned = inOrder.map((each) => superseded(each, later));
  const settled = today ? withoutHistoric(turned, today, history.recent(1)[0]?.time ?? 0) : turned;
  return settled.map((each) => withVerdict(each, verdicts.get(each.id)));
}

/** Decisions that a sentence of any other source can outdate. A record, and a person, say so themselves. */
function canEnd({ shown, status, origin }: Decision): boolean {
  return shown && (status === "accepted" || status === "proposed") && origin !== "user" && origin !== "adr";
}

function wasDone({ files, time }: Decision, history: HistoryReader): boolean {
  return files.some((file) =>
    history.commitsOf(file, 20).some((commit) => commit.time >= time && commit.authored <= time + MAX_COMMIT_DELAY_MS),
  );
}

function superseded(decision: Decision, later: Parameters<typeof turnAgainst>[1]): Decision {
  // A mark in the code is as new as the code.
  if (!canEnd(decision) || decision.origin === "marker") return decision;
  const against = turnAgainst(decision, later);
  return against ? { ...decision, status: "superseded", superseded_by: against.by } : decision;
}

/** A proposal too new to be carried out: the code cannot have its names yet. */
function isAhead({ status, time }: Decision, lastCommit: number): boolean {
  return status === "proposed" && lastCommit <= time + MAX_COMMIT_DELAY_MS;
}

/** One pass over the tree for the names of all decisions. */
function withoutHistoric(decisions: readonly Decision[], today: CodeToday, lastCommit: number): Decision[] {
  const relied = new Map(
    decisions
      .filter((each) => canEnd(each) && each.origin !== "marker" && !isAhead(each, lastCommit))
      .map((each) => [each, namesReliedOn(each)]),
  );
  const seen = today.names(new Set([...relied.values()].flat()));
  return decisions.map((each) => {
    const names = relied.get(each);
    if (names === undefined) return each;
    const gone = (seen !== undefined && !occurs(each.text, names, seen)) || isAboutNothing(each, today);
    return gone || isBack(each, today) ? { ...each, status: "historic" } : each;
  });
}

/** Its commit changed only files that are gone. A breaking change may have removed them itself. */
function isAboutNothing({ origin, files }: Decision, today: CodeToday): boolean {
  return origin === "commit" && files.length > 0 && !files.some((file) => today.file(file));
}

/** The dependency that it replaced is one again, and not only still one beside the chosen one. */
function isBack({ text }: Decision, today: CodeToday): boolean {
  const { takes, drops } = turnOf(text) ?? {};
  return drops !== undefined && takes !== undefined && today.dependency(drops) && !today.dependency(takes);
}

function withVerdict(decision: Decision, verdict: Verdict | undefined): Decision {
  if (!verdict) return decision;
  const { status, by } = verdict;
  return { ...decision, status, superseded_by: by ?? decision.superseded_by, shown: status !== "rejected" };
}
