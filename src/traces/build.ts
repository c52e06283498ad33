/** From a finished run to its row. Whatever the run was given, the row is small, and holds no secret and no message. */
import type { Json, JsonObject } from "../kernel/json.ts";
import { boundWhole } from "../text/clip.ts";
import type { Trace, TraceDetails, TraceHit, TraceStage } from "./trace.ts";

/** No row is longer than this in bytes, so that one write appends it and a reader may refuse more. */
export const LONGEST_ROW = 16 << 10;

const MOST_HITS = 20;
const MOST_DROPPED = 20;
const MOST_STAGES = 20;
const MOST_COUNTS = 20;
const MOST_REASONS = 8;
const LONGEST_SUMMARY = 120;
/** A pasted stack trace mostly fits, and can then be replayed. */
const LONGEST_QUERY = 3000;
const SHORT_QUERY = 500;
const LONGEST_TEXT = 300;
const LONGEST_NAME = 60;
const LONGEST_ID = 160;
const MOST_ITEMS = 50;
const DEEPEST_ARGS = 3;
/** Characters searched for secrets: many more than are kept. */
const EXAMINED = 20_000;

export interface TracedRun {
  command: string;
  /** What was searched for, where something was. */
  query: string | undefined;
  /** The rest of the operation's input. */
  input: Readonly<Record<string, unknown>>;
  started: number;
  duration: number;
  details: readonly TraceDetails[];
  session: string | undefined;
  revision: string | undefined;
  error?: { code: string; message: string };
}

export interface TraceRules {
  /** Where it is given, the hash of a query is kept in place of its text. */
  hash?(text: string): string;
  redact(text: string): string;
}

export function buildTrace(run: TracedRun, rules: TraceRules): Trace {
  const partial = new Set<string>();
  const facts = merge(run.details);
  const query = run.query ?? facts.query;
  const hits = facts.ranking ?? [];
  if (hits.length > MOST_HITS) partial.add("ranking");
  const dropped = facts.dropped ?? [];
  if (dropped.length > MOST_DROPPED) partial.add("dropped");
  const trace: Trace = {
    trace_id: newId(),
    ts: new Date(run.started).toISOString(),
    command: short(run.command, LONGEST_NAME),
    args: boundArgs(run.input, rules, partial),
    ...(query === undefined ? {} : boundQuery(query, rules, partial)),
    inputs: boundCounts(facts.inputs),
    ranking: hits.slice(0, MOST_HITS).map(boundHit),
    budgets: boundCounts(facts.budgets),
    truncation: boundCounts(facts.truncation),
    stages: (facts.stages ?? []).slice(0, MOST_STAGES).map(boundStage),
    dropped: dropped
      .slice(0, MOST_DROPPED)
      .map(({ id, reason }) => ({ id: short(id, LONGEST_ID), reason: short(reason, LONGEST_SUMMARY) })),
    state_revision: run.revision === undefined ? null : short(run.revision, LONGEST_NAME),
    session: run.session === undefined ? null : short(run.session, LONGEST_ID),
    duration_ms: round(run.duration),
  };
  if (facts.session !== undefined) trace.session = short(facts.session, LONGEST_ID);
  if (run.error) {
    // A message may repeat what was asked.
    const hidden = rules.hash !== undefined && query !== undefined;
    const message = hidden ? "" : safe(run.error.message, rules, LONGEST_TEXT).text;
    trace.error = { code: short(run.error.code, LONGEST_NAME), message };
  }
  return shrink(trace, partial);
}

/** Only has to differ from the others; to load the cryptographic kind takes longer than most commands run. */
function newId(): string {
  const digits = Math.floor(Math.random() * 2 ** 48).toString(16);
  return `T-${digits.padStart(12, "0")}`;
}

function merge(all: readonly TraceDetails[]): TraceDetails {
  const merged: TraceDetails = {};
  for (const one of all) {
    for (const key of ["inputs", "budgets", "truncation"] as const) merged[key] = { ...merged[key], ...one[key] };
    merged.ranking = [...(merged.ranking ?? []), ...(one.ranking ?? [])];
    merged.stages = [...(merged.stages ?? []), ...(one.stages ?? [])];
    merged.dropped = [...(merged.dropped ?? []), ...(one.dropped ?? [])];
    if (one.query !== undefined) merged.query = one.query;
    if (one.session !== undefined) merged.session = one.session;
  }
  return merged;
}

function boundQuery(query: string, rules: TraceRules, partial: Set<string>): Pick<Trace, "query" | "query_hash"> {
  if (rules.hash) return { query_hash: rules.hash(query) };
  const { text, whole } = safe(query, rules, LONGEST_QUERY);
  if (!whole) partial.add("query");
  return { query: text };
}

function boundArgs(input: Readonly<Record<string, unknown>>, rules: TraceRules, partial: Set<string>): Trace["args"] {
  const bound = (value: unknown, depth: number): Json => {
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value === "string") {
      const { text, whole } = safe(value, rules, LONGEST_TEXT);
      if (!whole) partial.add("args");
      return text;
    }
    if (typeof value !== "object" || depth >= DEEPEST_ARGS) {
      partial.add("args");
      return null;
    }
    if (Array.isArray(value)) {
      if (value.length > MOST_ITEMS) partial.add("args");
      return value.slice(0, MOST_ITEMS).map((item) => bound(item, depth + 1));
    }
    return members(value, depth);
  };
  const members = (object: object, depth: number): JsonObject => {
    const given = Object.entries(object).filter(([, value]) => value !== undefined);
    if (given.length > MOST_ITEMS) partial.add("args");
    const kept = given.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_ITEMS);
    return Object.fromEntries(kept.map(([key, value]) => [short(key, LONGEST_NAME), bound(value, depth + 1)]));
  };
  return members(input, 0);
}

/** Without secrets, and no longer than it may be. `whole`: nothing was changed. */
function safe(text: string, rules: TraceRules, most: number): { text: string; whole: boolean } {
  const kept = short(rules.redact(boundWhole(text, EXAMINED)), most);
  return { text: kept, whole: kept === text };
}

function boundHit(hit: TraceHit): Trace["ranking"][number] {
  return {
    id: short(hit.id, LONGEST_ID),
    ...(hit.source === undefined ? {} : { source: short(hit.source, LONGEST_NAME) }),
    ...(hit.score === undefined ? {} : { score: round(hit.score) }),
    ...(hit.summary === undefined ? {} : { summary: short(hit.summary.replace(/\s+/g, " "), LONGEST_SUMMARY) }),
    ...(hit.why === undefined ? {} : { why: boundCounts(hit.why, MOST_REASONS) }),
  };
}

function boundStage(stage: TraceStage): Trace["stages"][number] {
  return {
    name: short(stage.name, LONGEST_NAME),
    ms: round(stage.ms),
    ...(stage.in === undefined ? {} : { in: round(stage.in) }),
    ...(stage.out === undefined ? {} : { out: round(stage.out) }),
  };
}

function boundCounts(counts: Readonly<Record<string, number>> | undefined, most = MOST_COUNTS): Record<string, number> {
  const kept = Object.entries(counts ?? {}).filter(([, count]) => Number.isFinite(count));
  return Object.fromEntries(kept.slice(0, most).map(([name, count]) => [short(name, LONGEST_NAME), round(count)]));
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0;
}

/** Well-formed, so that its JSON has at most three bytes a character. */
function short(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replace(/(?![\t\n])\p{Cc}/gu, " ").toWellFormed();
}

/** Gives up the least telling parts first, until the row is short enough. */
function shrink(trace: Trace, partial: Set<string>): Trace {
  const steps: [field: keyof Trace, (trace: Trace) => Partial<Trace>][] = [
    ["dropped", ({ dropped }) => ({ dropped: dropped.slice(0, 5) })],
    ["ranking", ({ ranking }) => ({ ranking: ranking.map(({ why, ...hit }) => hit) })],
    ["args", () => ({ args: {} })],
    ["query", ({ query }) => (query === undefined ? {} : { query: short(query, SHORT_QUERY) })],
    ["ranking", ({ ranking }) => ({ ranking: ranking.slice(0, 5) })],
    ["stages", () => ({ stages: [] })],
    ["inputs", () => ({ inputs: {}, budgets: {}, truncation: {} })],
  ];
  let row = trace;
  const finish = (): Trace => (partial.size === 0 ? row : { ...row, partial: [...partial].sort() });
  for (const [field, step] of steps) {
    if (serialize(finish()).length <= LONGEST_ROW) break;
    partial.add(field);
    row = { ...row, ...step(row) };
  }
  return finish();
}

/** The line that is appended. */
export function serialize(trace: Trace): Buffer {
  return Buffer.from(`${JSON.stringify(trace)}\n`);
}
