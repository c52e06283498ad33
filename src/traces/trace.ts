/** What a trace says of one retrieval: what was asked, what was looked at, why the answer is what it is. */
import * as z from "zod";

/** One result. `score` and `why` only where something was ranked. */
const hit = z.object({
  id: z.string(),
  source: z.string().optional(),
  score: z.number().optional(),
  summary: z.string().optional(),
  why: z.record(z.string(), z.number()).optional(),
});

const counts = z.record(z.string(), z.number());

/** A row, as it is kept and given. */
export const traceSchema = z.object({
  trace_id: z.string().regex(/^T-[0-9a-f]{12}$/),
  /** When it began. */
  ts: z.string(),
  command: z.string(),
  args: z.record(z.string(), z.unknown()),
  query: z.string().optional(),
  /** In place of the query, where its text is not to be kept. */
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
  /** Fields that are not whole: shortened, or with a secret taken out. */
  partial: z.array(z.string()).optional(),
});

export type Trace = z.output<typeof traceSchema>;

export interface TraceHit {
  id: string;
  source?: string;
  score?: number;
  /** A title, never the text of a message. Cut to 120 characters. */
  summary?: string;
  /** What made the score, by name: the rank in a list, a contribution, a boost. */
  why?: Readonly<Record<string, number>>;
}

export interface TraceStage {
  name: string;
  ms: number;
  in?: number;
  out?: number;
}

/** Facts a running operation gives. Given several times they add up: maps are merged, lists grow, a later word wins. */
export interface TraceDetails {
  /** What was searched for, where no input field says it; its text is kept or hashed as the settings say. */
  query?: string;
  /** How much there was to look at: conversations, messages, candidates. */
  inputs?: Readonly<Record<string, number>>;
  /** Best first. */
  ranking?: readonly TraceHit[];
  /** The limits that held: `limit`, `max_tokens`. */
  budgets?: Readonly<Record<string, number>>;
  /** What the limits cut: how many results, messages or tokens. */
  truncation?: Readonly<Record<string, number>>;
  stages?: readonly TraceStage[];
  dropped?: readonly { id: string; reason: string }[];
  /** The conversation the retrieval was limited to, or was made from. */
  session?: string;
}
