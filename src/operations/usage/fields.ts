/** Fields that the verbs about usage share. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { parseDate } from "../../kernel/time.ts";
import { toFilter } from "../../search/filters/filter.ts";
import type { ConversationFilter } from "../../store/ports.ts";
import { type Zone, zoneOf } from "../../usage/zone.ts";

const DAY = 86_400_000;

export const usageFilterFields = {
  since: z.string().max(100).optional().describe("First day: 2026-01-31, today, 7d"),
  until: z.string().max(100).optional().describe("Last day"),
  timezone: z.string().max(100).optional().describe("Time zone of the days: Europe/Berlin, UTC (default: yours)"),
  project: z.string().optional().describe("Part of the project path, or . for this project"),
};

/** Tokens as the agents recorded them: `total` is input, cache and output together. */
const tokensField = z.object({
  input: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  /** The part of `cache_write` that is kept for an hour. */
  cache_write_1h: z.number(),
  output: z.number(),
  /** The part of `output` that is reasoning, where the agent says so. */
  reasoning: z.number(),
  total: z.number(),
});

export const amountFields = {
  conversations: z.number(),
  requests: z.number(),
  tokens: tokensField,
  /** Dollars at the prices of the API. A lower bound if `cost_complete` is false. */
  cost_usd: z.number(),
  cost_complete: z.boolean(),
  /** Models without a price; an empty name: the agent did not record the model. */
  unpriced: z.array(z.string()),
  /** Conversations without recorded tokens, and the tokens of their texts, which have no price. */
  estimated: z.object({ conversations: z.number(), input: z.number(), output: z.number() }),
};

export interface Span {
  zone: Zone;
  /** Days in the time zone, the first and the last included. */
  days: { since?: string; until?: string };
  /** A filter of the store that includes all of these days, and a margin around them. */
  filter: ConversationFilter;
}

interface SpanInput {
  since?: string | undefined;
  until?: string | undefined;
  timezone?: string | undefined;
  project?: string | undefined;
  source?: string | undefined;
}

export function spanOf(dex: Dex, { since, until, timezone, project, source }: SpanInput): Span {
  const zone = zoneOf(timezone ?? dex.settings.usage.timezone);
  const now = dex.now();
  const days = {
    ...(since === undefined ? {} : { since: dayIn(zone, since, now) }),
    ...(until === undefined ? {} : { until: dayIn(zone, until, now) }),
  };
  if (days.since !== undefined && days.until !== undefined && days.since > days.until) {
    throw new DexError("bad_date", `--since ${since} is after --until ${until}.`, { hint: "Swap the two dates." });
  }
  const filter = toFilter(dex, { ...(project ? { project } : {}), ...(source ? { source } : {}) });
  // Days of any time zone begin and end within a day of those of UTC.
  if (days.since !== undefined) filter.from = Date.parse(days.since) - DAY;
  if (days.until !== undefined) filter.to = Date.parse(days.until) + 2 * DAY;
  return { zone, days, filter };
}

/** A day as typed, also without dashes. */
function dayIn(zone: Zone, typed: string, now: number): string {
  const text = typed.trim().toLowerCase();
  const date = text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
  const start = parseDate(date, "start", new Date(now));
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  if (text === "today") return zone.dayOf(now);
  if (text === "yesterday") return new Date(Date.parse(zone.dayOf(now)) - DAY).toISOString().slice(0, 10);
  return zone.dayOf(Date.parse(start));
}
