/**
 * The status of decisions: a proposal of a conversation is accepted once a later commit touches its files; a revert
 * reverts the decisions of its commit; a newer decision that contradicts an older one supersedes it; and a user's
 * verdict overrides all of that.
 */
import { revertedCommit } from "../history/trailers.ts";
import type { HistoryReader, Verdict } from "../store/history.ts";
import type { Decision } from "./decision.ts";

/** Only this many of the newest decisions are compared in pairs. */
const MAX_COMPARED = 1000;
/** A later commit is about something else. */
const MAX_COMMIT_DELAY_MS = 14 * 86_400_000;

export function settleStatuses(
  found: readonly Decision[],
  history: HistoryReader,
  verdicts: ReadonlyMap<string, Verdict>,
): Decision[] {
  const merged = mergeSame(found);
  const reverted = new Set(history.reverts().map(({ body }) => revertedCommit(body)?.slice(0, 7)));
  const stood = merged.map((each): Decision => {
    if (isOfCommit(each) && reverted.has(each.owner.slice(0, 7))) return { ...each, status: "reverted" };
    return each.status === "proposed" && each.origin === "conversation" && wasDone(each, history)
      ? { ...each, status: "accepted" }
      : each;
  });
  const turned = supersede(stood.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1)));
  return turned.map((each) => withVerdict(each, verdicts.get(each.id)));
}

function isOfCommit({ origin }: Decision): boolean {
  return origin === "commit" || origin === "trailer" || origin === "breaking";
}

/** The same words in several places are one decision: the most reliable source wins, then the earliest. */
function mergeSame(found: readonly Decision[]): Decision[] {
  const byId = new Map<string, Decision>();
  for (const each of found) {
    const known = byId.get(each.id);
    if (!known) byId.set(each.id, each);
    else if (each.score > known.score || (each.score === known.score && each.time < known.time))
      byId.set(each.id, each);
  }
  return [...byId.values()];
}

function wasDone({ files, time }: Decision, history: HistoryReader): boolean {
  return files.some((file) =>
    history.commitsOf(file, 20).some((commit) => commit.time >= time && commit.authored <= time + MAX_COMMIT_DELAY_MS),
  );
}

/**
 * A newer decision supersedes an older one if it rejects the older choice, and either takes the older one's rejected
 * alternative or is about the same symbol.
 */
function supersede(newestFirst: readonly Decision[]): Decision[] {
  const result = [...newestFirst];
  const compared = result.filter(({ shown, status }) => shown && status !== "rejected").slice(0, MAX_COMPARED);
  for (const [i, newer] of compared.entries()) {
    if (newer.alternatives.length === 0) continue;
    for (const older of compared.slice(i + 1)) {
      if (older.status === "superseded" || older.status === "reverted" || !contradicts(newer, older)) continue;
      const at = result.indexOf(older);
      if (at >= 0) result[at] = { ...older, status: "superseded", superseded_by: newer.id };
    }
  }
  return result;
}

function contradicts(newer: Decision, older: Decision): boolean {
  const dropped = newer.alternatives.map(plain).filter((text) => text.length > 2);
  const chosenBefore = chosenText(older);
  if (!dropped.some((text) => containsWords(chosenBefore, text))) return false;
  const takenNow = chosenText(newer);
  const droppedBefore = older.alternatives.map(plain).filter((text) => text.length > 2);
  return (
    droppedBefore.some((text) => containsWords(takenNow, text)) ||
    older.symbols.some((name) => newer.symbols.includes(name))
  );
}

/** The text without the rejected alternatives. */
function chosenText({ text, alternatives }: Decision): string {
  let rest = ` ${plain(text)} `;
  for (const each of alternatives) rest = rest.replace(plain(each), " ");
  return rest;
}

function containsWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function withVerdict(decision: Decision, verdict: Verdict | undefined): Decision {
  if (!verdict) return decision;
  const { status, by } = verdict;
  return { ...decision, status, superseded_by: by ?? decision.superseded_by, shown: status !== "rejected" };
}
