/** Builds the trace row of a finished run. Whatever the input, the row is small and holds no secrets and no messages. */
import { defined } from "../kernel/defined.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import { withoutControls } from "../text/clean.ts";
import { boundWhole } from "../text/clip.ts";
import type { Trace, TraceDetails, TraceHit, TraceStage } from "./trace.ts";

/** Small enough to append with one write; readers skip longer lines. */
export const MAX_ROW_BYTES = 16 << 10;

const MAX_HITS = 20;
const MAX_DROPPED = 20;
const MAX_STAGES = 20;
const MAX_COUNTS = 20;
const MAX_REASONS = 8;
const MAX_SUMMARY_CHARS = 120;
/** A pasted stack trace mostly fits, and can then be replayed. */
const MAX_QUERY_CHARS = 3000;
const MAX_SHRUNK_QUERY_CHARS = 500;
const MAX_TEXT_CHARS = 300;
const MAX_NAME_CHARS = 60;
const MAX_ID_CHARS = 160;
const MAX_ITEMS = 50;
const MAX_ARGS_DEPTH = 3;
/** Characters scanned for secrets: many more than are stored. */
const MAX_SCANNED_CHARS = 20_000;

export interface TracedRun {
  command: string;
  /** The query, if the operation has one. */
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
  /** If set, the row holds a hash of the query instead of its text. */
  hash?(text: string): string;
  redact(text: string): string;
}

export function buildTrace(run: TracedRun, rules: TraceRules): Trace {
  const partial = new Set<string>();
  const facts = merge(run.details);
  const query = run.query ?? facts.query;
  const hits = facts.ranking ?? [];
  if (hits.length > MAX_HITS) partial.add("ranking");
  const dropped = facts.dropped ?? [];
  if (dropped.length > MAX_DROPPED) partial.add("dropped");
  const trace: Trace = {
    trace_id: newId(),
    ts: new Date(run.started).toISOString(),
    command: short(run.command, MAX_NAME_CHARS),
    args: boundArgs(run.input, rules, partial),
    ...(query === undefined ? {} : boundQuery(query, rules, partial)),
    inputs: boundCounts(facts.inputs),
    ranking: hits.slice(0, MAX_HITS).map(boundHit),
    budgets: boundCounts(facts.budgets),
    truncation: boundCounts(facts.truncation),
    stages: (facts.stages ?? []).slice(0, MAX_STAGES).map(boundStage),
    dropped: dropped
      .slice(0, MAX_DROPPED)
      .map(({ id, reason }) => ({ id: short(id, MAX_ID_CHARS), reason: short(reason, MAX_SUMMARY_CHARS) })),
    state_revision: run.revision === undefined ? null : short(run.revision, MAX_NAME_CHARS),
    session: run.session === undefined ? null : short(run.session, MAX_ID_CHARS),
    duration_ms: round(run.duration),
  };
  if (facts.session !== undefined) trace.session = short(facts.session, MAX_ID_CHARS);
  if (run.error) {
    // An error message may repeat the query.
    const hidden = rules.hash !== undefined && query !== undefined;
    const message = hidden ? "" : safe(run.error.message, rules, MAX_TEXT_CHARS).text;
    trace.error = { code: short(run.error.code, MAX_NAME_CHARS), message };
  }
  return shrink(trace, partial);
}

/** Must only be unique; loading node:crypto takes longer than most commands run. */
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
  const { text, whole } = safe(query, rules, MAX_QUERY_CHARS);
  if (!whole) partial.add("query");
  return { query: text };
}

function boundArgs(input: Readonly<Record<string, unknown>>, rules: TraceRules, partial: Set<string>): Trace["args"] {
  const bound = (value: unknown, depth: number): Json => {
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value === "string") {
      const { text, whole } = safe(value, rules, MAX_TEXT_CHARS);
      if (!whole) partial.add("args");
      return text;
    }
    if (typeof value !== "object" || depth >= MAX_ARGS_DEPTH) {
      partial.add("args");
      return null;
    }
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) partial.add("args");
      return value.slice(0, MAX_ITEMS).map((item) => bound(item, depth + 1));
    }
    return members(value, depth);
  };
  const members = (object: object, depth: number): JsonObject => {
    const given = Object.entries(object).filter(([, value]) => value !== undefined);
    if (given.length > MAX_ITEMS) partial.add("args");
    const kept = given.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_ITEMS);
    return Object.fromEntries(kept.map(([key, value]) => [short(key, MAX_NAME_CHARS), bound(value, depth + 1)]));
  };
  return members(input, 0);
}

/** Redacts and truncates a text. `whole`: nothing was changed. */
function safe(text: string, rules: TraceRules, most: number): { text: string; whole: boolean } {
  const kept = short(rules.redact(boundWhole(text, MAX_SCANNED_CHARS)), most);
  return { text: kept, whole: kept === text };
}

function boundHit(hit: TraceHit): Trace["ranking"][number] {
  const { id, source, score, summary, why } = hit;
  return defined({
    id: short(id, MAX_ID_CHARS),
    source: source === undefined ? undefined : short(source, MAX_NAME_CHARS),
    score: score === undefined ? undefined : round(score),
    summary: summary === undefined ? undefined : short(summary.replace(/\s+/g, " "), MAX_SUMMARY_CHARS),
    why: why && boundCounts(why, MAX_REASONS),
  });
}

function boundStage(stage: TraceStage): Trace["stages"][number] {
  return {
    name: short(stage.name, MAX_NAME_CHARS),
    ms: round(stage.ms),
    ...(stage.in === undefined ? {} : { in: round(stage.in) }),
    ...(stage.out === undefined ? {} : { out: round(stage.out) }),
  };
}

function boundCounts(counts: Readonly<Record<string, number>> | undefined, most = MAX_COUNTS): Record<string, number> {
  const kept = Object.entries(counts ?? {}).filter(([, count]) => Number.isFinite(count));
  return Object.fromEntries(kept.slice(0, most).map(([name, count]) => [short(name, MAX_NAME_CHARS), round(count)]));
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0;
}

/** Truncates to well-formed text, whose JSON has at most three bytes per character. */
function short(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return withoutControls(cut).toWellFormed();
}

/** Drops the least informative parts first, until the row is short enough. */
function shrink(trace: Trace, partial: Set<string>): Trace {
  const steps: [field: keyof Trace, (trace: Trace) => Partial<Trace>][] = [
    ["dropped", ({ dropped }) => ({ dropped: dropped.slice(0, 5) })],
    ["ranking", ({ ranking }) => ({ ranking: ranking.map(({ why, ...hit }) => hit) })],
    ["args", () => ({ args: {} })],
    ["query", ({ query }) => (query === undefined ? {} : { query: short(query, MAX_SHRUNK_QUERY_CHARS) })],
    ["ranking", ({ ranking }) => ({ ranking: ranking.slice(0, 5) })],
    ["stages", () => ({ stages: [] })],
    ["inputs", () => ({ inputs: {}, budgets: {}, truncation: {} })],
  ];
  let row = trace;
  const finish = (): Trace => (partial.size === 0 ? row : { ...row, partial: [...partial].sort() });
  for (const [field, step] of steps) {
    if (serialize(finish()).length <= MAX_ROW_BYTES) break;
    partial.add(field);
    row = { ...row, ...step(row) };
  }
  return finish();
}

/** The line to append. */
export function serialize(trace: Trace): Buffer {
  return Buffer.from(`${JSON.stringify(trace)}\n`);
}
