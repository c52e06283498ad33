/** The events of a timeline: commits, conversations and decisions. */
import * as z from "zod";
import type { Decision } from "../../decisions/decision.ts";
import type { Dex } from "../../dex.ts";
import { compareText } from "../../kernel/text.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { originFields } from "../../search/results/result_schema.ts";
import type { CommitInfo, FileCommit } from "../../store/history_records.ts";
import { linkOutput } from "./fields.ts";

export const historyEvent = z.object({
  kind: z.enum(["commit", "conversation", "decision"]),
  time: z.string(),
  /** The commit, the message as id#index, or the decision's id. */
  ref: z.string(),
  text: z.string(),
  author: z.string().optional(),
  /** Lines added and deleted, in the file or in all files of the commit. */
  added: z.number().optional(),
  deleted: z.number().optional(),
  /** With a project: how many files the commit changed. */
  files: z.number().optional(),
  /** Its old name, when the commit renamed it. */
  renamed_from: z.string().optional(),
  /** The symbols of the file that the commit changed. */
  symbols: z.array(z.string()).optional(),
  conversation: linkOutput.optional(),
  /** How the conversation touched it. */
  how: z.enum(["edited", "read", "mentioned"]).optional(),
  source: z.string().optional(),
  /** With a project: when the conversation began, and its number of messages. */
  started: z.string().optional(),
  messages: z.number().optional(),
  status: z.string().optional(),
  because: z.string().optional(),
  ...originFields,
});

export type HistoryEvent = z.output<typeof historyEvent>;

/** Milliseconds, both included. */
export interface TimeSpan {
  from: number;
  to: number;
}

export function spanOf(dex: Dex, input: { from?: string; to?: string }): TimeSpan {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = toFilter(dex, { from: input.from, to: input.to });
  return { from, to };
}

export function isWithin({ from, to }: TimeSpan, time: number): boolean {
  return time >= from && time <= to;
}

export function latestFirst(events: readonly HistoryEvent[]): HistoryEvent[] {
  return events.toSorted((a, b) => compareText(b.time, a.time) || compareText(a.ref, b.ref));
}

/** A commit, with its change to the file that was asked about. */
export type TouchingCommit = CommitInfo & Partial<Pick<FileCommit, "old" | "added" | "deleted">>;

export function commitEvent(commit: TouchingCommit, link: z.output<typeof linkOutput> | undefined): HistoryEvent {
  return {
    kind: "commit",
    time: new Date(commit.time).toISOString(),
    ref: commit.sha,
    text: commit.subject,
    author: commit.author,
    ...(typeof commit.added === "number" ? { added: commit.added, deleted: commit.deleted ?? 0 } : {}),
    ...(commit.old ? { renamed_from: commit.old } : {}),
    ...(link ? { conversation: link } : {}),
  };
}

export function decisionEvent({ id, time, text, status, because }: Decision): HistoryEvent {
  return {
    kind: "decision",
    time: new Date(time).toISOString(),
    ref: id,
    text,
    status,
    ...(because === null ? {} : { because }),
  };
}
