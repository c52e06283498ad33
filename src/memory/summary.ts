/** The stored summary of a conversation: short and bounded; each statement cites its message. */
import * as z from "zod";
import { closingOf } from "../conversations/activity/work.ts";
import type { ConversationRow } from "../store/ports.ts";
import { clip } from "../text/clip.ts";
import type { Recap } from "./recap.ts";

/** Raise it when the meaning of summaries changes: older ones are then made again. */
const VERSION = 2;

const citedText = z.object({ text: z.string(), index: z.number() });

export const summarySchema = z.object({
  version: z.literal(VERSION),
  source: z.string(),
  id: z.string(),
  /** The state it was made from: a conversation that has grown or was rewritten has other numbers. */
  messages: z.number(),
  bytes: z.number(),
  title: z.string(),
  project: z.string(),
  updated: z.number(),
  engine: z.enum(["extractive", "model"]),
  model: z.string().optional(),
  asked: z.array(citedText),
  requests: z.number(),
  files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
  file_count: z.number(),
  commits: z.array(z.string()),
  commit_count: z.number(),
  tests: z.object({ failed: z.array(z.string()), failed_count: z.number(), passed: z.number() }),
  decided: z.array(citedText),
  open: z.array(citedText),
  /** Earlier versions of dex stored no stage. */
  outcome: citedText.extend({ stage: z.enum(["final", "unfinished", "earlier"]).optional() }).optional(),
  /** Findings of a model, each with the messages that support it. */
  findings: z.array(z.object({ kind: z.string(), text: z.string(), refs: z.array(z.string()).min(1) })),
});

export type Summary = z.output<typeof summarySchema>;
export type SummaryFinding = Summary["findings"][number];

const MAX_ASKED = 4;
const MAX_FILES = 20;
const MAX_COMMITS = 10;
const MAX_TESTS = 10;
const MAX_DECIDED = 10;
const MAX_OPEN = 10;
const MAX_FAILING = 3;
const MAX_FINDINGS = 60;
const MAX_TEXT_CHARS = 300;

export function extractiveSummary(row: ConversationRow, recap: Recap): Summary {
  const short = ({ text, index }: { text: string; index: number }) => ({ text: clip(text, MAX_TEXT_CHARS), index });
  const root = row.project ?? "";
  const outside = ({ path }: { path: string }): number => (isOutside(path, root) ? 1 : 0);
  const byChange = recap.files.toSorted(
    (a, b) => outside(a) - outside(b) || b.added + b.removed - a.added - a.removed || b.edits - a.edits,
  );
  const { requests } = recap;
  const closing = closingOf(recap);
  return {
    version: VERSION,
    ...sourceState(row),
    title: clip(row.title, 200),
    project: row.project ?? "",
    updated: row.updated,
    engine: "extractive",
    asked: [...requests.slice(0, 1), ...requests.slice(1).slice(1 - MAX_ASKED)].map(short),
    requests: recap.request_count,
    files: byChange.slice(0, MAX_FILES).map(({ path, added, removed }) => ({ path, added, removed })),
    file_count: recap.files.length,
    commits: recap.commits.slice(-MAX_COMMITS).map(({ sha, subject }) => `${sha.slice(0, 9)} ${subject}`),
    commit_count: recap.commits.length,
    tests: {
      failed: recap.tests.failed.slice(0, MAX_TESTS).map(({ name }) => clip(name, 120)),
      failed_count: recap.tests.failed.length,
      passed: recap.tests.passed,
    },
    decided: recap.decided.slice(-MAX_DECIDED).map(short),
    open: openPoints(recap).slice(0, MAX_OPEN).map(short),
    ...(closing ? { outcome: { ...short(closing), stage: closing.stage } } : {}),
    findings: [],
  };
}

/** Open points: the agent's to-do list, tests and commands whose last run failed, an unanswered question. */
export function openPoints(recap: Recap): { text: string; index: number }[] {
  const last = recap.outcome?.index ?? 0;
  const todo = recap.todos
    .filter(({ status }) => status === "open" || status === "doing")
    .map(({ text, status }) => ({ text: `to do${status === "doing" ? ", in progress" : ""}: ${text}`, index: last }));
  const tests = recap.tests.failed.map(({ name, index }) => ({ text: `test fails: ${name}`, index }));
  const commands = recap.failing
    .slice(-MAX_FAILING)
    .map(({ text, index }) => ({ text: `last run failed: ${text}`, index }));
  const { outcome, requests } = recap;
  const unanswered = outcome && /[?？]["')\]]*$/.test(outcome.text) && (requests.at(-1)?.index ?? -1) < outcome.index;
  const question = unanswered
    ? [{ text: `question without an answer: ${lastSentence(outcome.text)}`, index: last }]
    : [];
  return [...todo, ...question, ...tests, ...commands];
}

/** A temporary file, or a file of another project. */
export function isOutside(path: string, root: string): boolean {
  return (
    root !== "" && /^(?:[\\/~]|[A-Za-z]:)/.test(path) && !path.startsWith(`${root}/`) && !path.startsWith(`${root}\\`)
  );
}

function lastSentence(text: string): string {
  return text.split(/(?<=[.!?])\s+/).at(-1) ?? text;
}

export function withFindings(summary: Summary, model: string, findings: readonly SummaryFinding[]): Summary {
  return { ...summary, engine: "model", model, findings: findings.slice(-MAX_FINDINGS) };
}

export function sourceState(row: ConversationRow): Pick<Summary, "source" | "id" | "messages" | "bytes"> {
  return { source: row.source, id: row.id, messages: row.messages, bytes: row.archive_bytes };
}

/** Whether the summary was made from the conversation's current state, and by this version of dex if that costs nothing. */
export function isUpToDate({ messages, bytes, engine, outcome }: Summary, row: ConversationRow): boolean {
  const isOld = engine === "extractive" && outcome !== undefined && outcome.stage === undefined;
  return messages === row.messages && bytes === row.archive_bytes && !isOld;
}
