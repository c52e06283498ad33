/** The trace of one retrieval: the query, the candidates, and the reasons for the ranking. */
import * as z from "zod";

/** One result. `score` and `why` exist only for ranked results. */
const hit = z.object({
  id: z.string(),
  source: z.string().optional(),
  score: z.number().optional(),
  summary: z.string().optional(),
  why: z.record(z.string(), z.number()).optional(),
});

const counts = z.record(z.string(), z.number());

/** A row, as stored and as returned. */
export const traceSchema = z.object({
  trace_id: z.string().regex(/^T-[0-9a-f]{12}$/),
  /** Start time. */
  ts: z.string(),
  command: z.string(),
  args: z.record(z.string(), z.unknown()),
  query: z.string().optional(),
  /** Replaces the query when the settings forbid storing its text. */
  query_hash: z.string().optional(),
  inputs: counts,
  ranking: z.array(hit),
  budgets: counts,
  truncation: counts,
  stages: z.array(
    z.object({ name: z.string(), ms: z.number(), in: z.number().optional(), out: z.number().optional() }),
  ),
  dropped: z.array(z.object({ id: z.string(), reason: z.string() })),
  /** When the index was last synced: two rows with the same revision saw the same index. */
  state_revision: z.string().nullable(),
  session: z.string().nullable(),
  duration_ms: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  /** Fields that were truncated or redacted. */
  partial: z.array(z.string()).optional(),
});

export type Trace = z.output<typeof traceSchema>;

export interface TraceHit {
  id: string;
  source?: string;
  score?: number;
  /** A title, never the text of a message. Truncated to 120 characters. */
  summary?: string;
  /** The parts of the score by name: the rank in a list, a contribution, a boost. */
  why?: Readonly<Record<string, number>>;
}

export interface TraceStage {
  name: string;
  ms: number;
  in?: number;
  out?: number;
}

/** Details from a running operation. Several calls add up: maps are merged, lists are joined, later values win. */
export interface TraceDetails {
  /** The query, when no input field holds it; stored as text or hash according to the settings. */
  query?: string;
  /** Sizes of the searched sets: conversations, messages, candidates. */
  inputs?: Readonly<Record<string, number>>;
  /** Best first. */
  ranking?: readonly TraceHit[];
  /** The limits that applied: `limit`, `max_tokens`. */
  budgets?: Readonly<Record<string, number>>;
  /** How many results, messages or tokens the limits cut. */
  truncation?: Readonly<Record<string, number>>;
  stages?: readonly TraceStage[];
  dropped?: readonly { id: string; reason: string }[];
  /** The conversation that the retrieval was limited to, or that made it. */
  session?: string;
}
