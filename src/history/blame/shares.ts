/** Sums up counted lines by agent, conversation and age. */
import type { CommitInfo, LineCounts } from "../../store/history_records.ts";
import type { CommitLink } from "../links.ts";
import { agentNamedBy } from "./agents.ts";

export interface AgentShare {
  /** The source's id, the name of an agent without one, `people` or `unknown`. */
  agent: string;
  lines: number;
  /** Lines of commits that a conversation made, probably made, or that only name the agent. */
  made: number;
  probable: number;
  named: number;
}

export interface ConversationShare {
  link: CommitLink;
  lines: number;
  /** The lines among them from commits that it probably made. */
  probable: number;
}

export interface Shares {
  lines: number;
  agents: AgentShare[];
  conversations: ConversationShare[];
  /** The oldest first, before them `unknown`; a period without lines is left out. */
  ages: { period: string; lines: number }[];
}

export const PEOPLE = "people";
export const UNKNOWN = "unknown";
const DAY_MS = 86_400_000;
/** Up to this age of the oldest line, lines are counted by month, then by quarter, then by year. */
const MAX_DAYS_BY_MONTH = 2 * 366;
const MAX_DAYS_BY_QUARTER = 8 * 366;

export function sharesOf(
  files: readonly LineCounts[],
  commitOf: (sha: string) => CommitInfo | undefined,
  linkOf: (commit: CommitInfo) => CommitLink | undefined,
): Shares {
  const bySha = new Map<string, number>();
  for (const { commits } of files) {
    for (const [sha, count] of Object.entries(commits)) bySha.set(sha, (bySha.get(sha) ?? 0) + count);
  }
  const agents = new Map<string, AgentShare>();
  const conversations = new Map<string, ConversationShare>();
  const times: { time: number; lines: number }[] = [];
  let lines = 0;
  let undated = 0;
  for (const [sha, count] of bySha) {
    lines += count;
    const known = commitOf(sha);
    // The clone is shallow and begins with this commit, so its lines may be by anybody and older.
    const commit = known?.boundary ? undefined : known;
    const link = commit && linkOf(commit);
    const named = commit && agentNamedBy(commit);
    const agent = link?.source ?? named ?? (commit ? PEOPLE : UNKNOWN);
    const share = agents.get(agent) ?? { agent, lines: 0, made: 0, probable: 0, named: 0 };
    share.lines += count;
    if (link) share[link.by === "files" ? "probable" : "made"] += count;
    else if (named !== undefined) share.named += count;
    agents.set(agent, share);
    if (link) {
      const key = `${link.source}:${link.id}`;
      const shared = conversations.get(key) ?? { link, lines: 0, probable: 0 };
      shared.lines += count;
      if (link.by === "files") shared.probable += count;
      conversations.set(key, shared);
    }
    if (commit) times.push({ time: commit.authored, lines: count });
    else undated += count;
  }
  const bySize = (a: { lines: number }, b: { lines: number }): number => b.lines - a.lines;
  return {
    lines,
    agents: [...agents.values()].sort((a, b) => bySize(a, b) || (a.agent < b.agent ? -1 : 1)),
    conversations: [...conversations.values()].sort((a, b) => bySize(a, b) || (a.link.id < b.link.id ? -1 : 1)),
    ages: [...(undated > 0 ? [{ period: UNKNOWN, lines: undated }] : []), ...agesOf(times)],
  };
}

function agesOf(times: readonly { time: number; lines: number }[]): Shares["ages"] {
  const [first, last] = times.reduce(
    ([low, high], { time }) => [Math.min(low, time), Math.max(high, time)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const days = (last - first) / DAY_MS;
  const periods = new Map<string, number>();
  for (const { time, lines } of times) {
    const period = periodOf(time, days);
    periods.set(period, (periods.get(period) ?? 0) + lines);
  }
  return [...periods].sort(([a], [b]) => (a < b ? -1 : 1)).map(([period, lines]) => ({ period, lines }));
}

/** `2026-03`, `2026-Q1` or `2026`, by the days that all lines span. */
function periodOf(time: number, days: number): string {
  const date = new Date(time).toISOString();
  if (days <= MAX_DAYS_BY_MONTH) return date.slice(0, 7);
  if (days > MAX_DAYS_BY_QUARTER) return date.slice(0, 4);
  return `${date.slice(0, 4)}-Q${Math.floor((Number(date.slice(5, 7)) - 1) / 3) + 1}`;
}
