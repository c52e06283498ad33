/** A conversation's summary as it is kept: short, bounded, with the message that each statement is from. */
import * as z from "zod";
import type { ConversationRow } from "../store/ports.ts";
import { clip } from "../text/clip.ts";
import type { Account } from "./account.ts";

/** Raised when summaries change their meaning: older ones are then made anew. */
const VERSION = 1;

const told = z.object({ text: z.string(), index: z.number() });

export const summarySchema = z.object({
  version: z.literal(VERSION),
  source: z.string(),
  id: z.string(),
  /** What it was made from: a conversation that went on or was rewritten has other numbers. */
  messages: z.number(),
  bytes: z.number(),
  title: z.string(),
  project: z.string(),
  updated: z.number(),
  engine: z.enum(["extractive", "model"]),
  model: z.string().optional(),
  asked: z.array(told),
  requests: z.number(),
  files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number() })),
  file_count: z.number(),
  commits: z.array(z.string()),
  commit_count: z.number(),
  tests: z.object({ failed: z.array(z.string()), failed_count: z.number(), passed: z.number() }),
  decided: z.array(told),
  open: z.array(told),
  outcome: told.optional(),
  /** What a model found, each with the messages that say so. */
  findings: z.array(z.object({ kind: z.string(), text: z.string(), refs: z.array(z.string()).min(1) })),
});

export type Summary = z.output<typeof summarySchema>;
export type Finding = Summary["findings"][number];

const MOST_ASKED = 4;
const MOST_FILES = 20;
const MOST_COMMITS = 10;
const MOST_TESTS = 10;
const MOST_DECIDED = 10;
const MOST_OPEN = 10;
const MOST_FAILING = 3;
const MOST_FINDINGS = 60;
const LONGEST = 300;

export function extractive(row: ConversationRow, account: Account): Summary {
  const short = ({ text, index }: { text: string; index: number }) => ({ text: clip(text, LONGEST), index });
  const root = row.project ?? "";
  const outside = ({ path }: { path: string }): number => (isOutside(path, root) ? 1 : 0);
  const byChange = account.files.toSorted(
    (a, b) => outside(a) - outside(b) || b.added + b.removed - a.added - a.removed || b.edits - a.edits,
  );
  const { requests, outcome } = account;
  return {
    version: VERSION,
    ...stampOf(row),
    title: clip(row.title, 200),
    project: row.project ?? "",
    updated: row.updated,
    engine: "extractive",
    asked: [...requests.slice(0, 1), ...requests.slice(1).slice(1 - MOST_ASKED)].map(short),
    requests: account.request_count,
    files: byChange.slice(0, MOST_FILES).map(({ path, added, removed }) => ({ path, added, removed })),
    file_count: account.files.length,
    commits: account.commits.slice(-MOST_COMMITS).map(({ sha, subject }) => `${sha.slice(0, 9)} ${subject}`),
    commit_count: account.commits.length,
    tests: {
      failed: account.tests.failed.slice(0, MOST_TESTS).map(({ name }) => clip(name, 120)),
      failed_count: account.tests.failed.length,
      passed: account.tests.passed,
    },
    decided: account.decided.slice(-MOST_DECIDED).map(short),
    open: openPoints(account).slice(0, MOST_OPEN).map(short),
    ...(outcome ? { outcome: short(outcome) } : {}),
    findings: [],
  };
}

/** What is left to do: the agent's own list, tests and commands that failed last, a question nobody answered. */
export function openPoints(account: Account): { text: string; index: number }[] {
  const last = account.outcome?.index ?? 0;
  const todo = account.todos
    .filter(({ status }) => status === "open" || status === "doing")
    .map(({ text, status }) => ({ text: `to do${status === "doing" ? ", begun" : ""}: ${text}`, index: last }));
  const tests = account.tests.failed.map(({ name, index }) => ({ text: `test fails: ${name}`, index }));
  const commands = account.failing
    .slice(-MOST_FAILING)
    .map(({ text, index }) => ({ text: `last run failed: ${text}`, index }));
  const { outcome, requests } = account;
  const unanswered = outcome && /[?？]["')\]]*$/.test(outcome.text) && (requests.at(-1)?.index ?? -1) < outcome.index;
  const question = unanswered ? [{ text: `asked and not answered: ${lastSentence(outcome.text)}`, index: last }] : [];
  return [...todo, ...question, ...tests, ...commands];
}

/** A scratch file of the moment, or another project's. */
export function isOutside(path: string, root: string): boolean {
  return (
    root !== "" && /^(?:[\\/~]|[A-Za-z]:)/.test(path) && !path.startsWith(`${root}/`) && !path.startsWith(`${root}\\`)
  );
}

function lastSentence(text: string): string {
  return text.split(/(?<=[.!?])\s+/).at(-1) ?? text;
}

export function withFindings(summary: Summary, model: string, findings: readonly Finding[]): Summary {
  return { ...summary, engine: "model", model, findings: findings.slice(-MOST_FINDINGS) };
}

export function stampOf(row: ConversationRow): Pick<Summary, "source" | "id" | "messages" | "bytes"> {
  return { source: row.source, id: row.id, messages: row.messages, bytes: row.archive_bytes };
}

export function isOf(summary: Summary, row: ConversationRow): boolean {
  return summary.messages === row.messages && summary.bytes === row.archive_bytes;
}
