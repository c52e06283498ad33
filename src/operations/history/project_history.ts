/** The timeline of a whole project. */
import type { Decision } from "../../decisions/decision.ts";
import { originIn } from "../../search/results/describe.ts";
import type { CommitInfo } from "../../store/history_records.ts";
import type { TrailConversation } from "../../store/trails.ts";
import type { OperationContext } from "../operation.ts";
import type { Chosen } from "./chosen.ts";
import { commitEvent, decisionEvent, type HistoryEvent, isWithin, latestFirst, type TimeSpan } from "./events.ts";
import { commitLink } from "./fields.ts";

const MAX_COMMITS = 100_000;

interface Page {
  span: TimeSpan;
  limit: number;
  offset: number;
}

export function projectHistory(
  chosen: Chosen,
  decided: readonly Decision[],
  { span, limit, offset }: Page,
  context: OperationContext,
): { events: HistoryEvent[]; total: number } {
  const { history, links, dex } = chosen;
  const commits = history.recent(MAX_COMMITS).filter(({ time }) => isWithin(span, time));
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  // A subagent's work belongs to the conversation that started it.
  const conversations = links.conversations.filter(
    ({ subagent, created, updated }) => !subagent && updated >= span.from && created <= span.to,
  );
  const events = latestFirst([
    ...commits.map((commit) => commitEvent(commit, undefined)),
    ...conversations.map((row) => ({ ...conversationEvent(row), ...originIn(dex.store.home, row) })),
    ...decided.filter(({ shown, time }) => shown && isWithin(span, time)).map(decisionEvent),
  ]);
  const shown = events.slice(offset, offset + limit).map((event) => {
    const commit = event.kind === "commit" ? bySha.get(event.ref) : undefined;
    return commit ? wholeCommit(chosen, commit) : event;
  });
  context.trace?.({
    inputs: { commits: commits.length, conversations: conversations.length, events: events.length },
    budgets: { limit },
    truncation: { results: events.length - shown.length },
    ranking: shown.map(({ ref, kind }) => ({ id: ref, source: kind })),
  });
  return { events: shown, total: events.length };
}

/** With its files and the conversation that made it: both cost a look-up, so only shown commits get them. */
function wholeCommit(chosen: Chosen, commit: CommitInfo): HistoryEvent {
  const files = chosen.history.filesOf(commit.no);
  // A partial clone has no counts, and a binary file has none.
  const isCounted = files.some(({ added }) => added !== undefined && added !== null);
  const sum = (of: "added" | "deleted"): number => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const link = commit.boundary ? undefined : commitLink(chosen, commit, chosen.dex.store.home);
  return {
    ...commitEvent(commit, link),
    files: commit.file_count,
    ...(isCounted ? { added: sum("added"), deleted: sum("deleted") } : {}),
  };
}

function conversationEvent({ id, source, title, created, updated, messages }: TrailConversation): HistoryEvent {
  return {
    kind: "conversation",
    time: new Date(updated).toISOString(),
    ref: `${id}#0`,
    text: title,
    source,
    started: new Date(created).toISOString(),
    messages,
  };
}
