/** `dex usage blocks`: the blocks of five hours in which subscriptions count usage. */
import * as z from "zod";
import { blocksOf } from "../../usage/blocks.ts";
import { PRICES_OF } from "../../usage/price_table.ts";
import { Prices } from "../../usage/prices.ts";
import { defineOperation } from "../operation.ts";
import { limitField } from "../shared/fields.ts";
import { amountFields, spanOf, usageFilterFields } from "./fields.ts";

const { estimated: _estimated, ...recordedFields } = amountFields;

const block = z.object({
  start: z.string(),
  end: z.string(),
  /** The first and the last request. */
  first: z.string(),
  last: z.string(),
  active: z.boolean(),
  models: z.array(z.string()),
  ...recordedFields,
  rate: z.object({ tokens_per_minute: z.number(), cost_per_hour: z.number() }).optional(),
  /** Of the active block: the sums at its end if the rate stays the same. */
  projection: z.object({ minutes_left: z.number(), tokens: z.number(), cost_usd: z.number() }).optional(),
  /** Shares of the limit; 1 is the limit. */
  limit: z.object({ used: z.number(), projected: z.number().optional() }).optional(),
});

export const usageBlocks = defineOperation({
  name: "dex_usage_blocks",
  verb: "usage blocks",
  summary: "Show usage in blocks of five hours, with the rate, projection and limit of the active one",
  positionals: [],
  input: z.strictObject({
    ...usageFilterFields,
    source: z.string().default("claude_code").describe("Agent"),
    active: z.boolean().default(false).describe("Only the active block"),
    token_limit: z
      .string()
      .regex(/^(?:max|\d{1,12})$/, "must be a number of tokens, or max")
      .optional()
      .describe("Token limit of a block; max: the size of the largest earlier block"),
    hours: z.number().min(1).max(168).default(5).describe("Length of a block"),
    limit: limitField(20).describe("Maximum blocks, the latest"),
  }),
  output: z.object({
    timezone: z.string(),
    prices_of: z.string(),
    hours: z.number(),
    /** Only the active block was asked for. */
    active: z.boolean(),
    /** Tokens of the limit, if one is set. */
    token_limit: z.number().optional(),
    blocks: z.array(block),
    left_out: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "usage",
  aliases: { since: ["from"], until: ["to"] },
  flags: { source: "agent" },
  run: (dex, input) => {
    const { zone, days, filter } = spanOf(dex, input);
    const prices = new Prices(dex.settings.usage.prices);
    // A block may have begun on an earlier day than the first one asked for, so all requests are put into blocks.
    const { from: _from, to: _to, ...all } = filter;
    const every = blocksOf(dex.store.requests(all), input.hours, dex.now(), prices);
    const limit = tokenLimit(input.token_limit, dex.settings.usage.blockTokens, every);
    const wanted = every.filter(({ start, active }) => {
      const day = zone.dayOf(start);
      if (input.active && !active) return false;
      return (days.since === undefined || day >= days.since) && (days.until === undefined || day <= days.until);
    });
    const shown = wanted.slice(Math.max(0, wanted.length - input.limit));
    return {
      timezone: zone.name,
      prices_of: PRICES_OF,
      hours: input.hours,
      active: input.active,
      ...(limit === undefined ? {} : { token_limit: limit }),
      blocks: shown.map(({ start, end, first, last, estimated: _none, ...rest }) => ({
        start: iso(start),
        end: iso(end),
        first: iso(first),
        last: iso(last),
        ...rest,
        ...(limit === undefined ? {} : { limit: sharesOf(rest.tokens.total, rest.projection?.tokens, limit) }),
      })),
      left_out: wanted.length - shown.length,
    };
  },
  isEmpty: ({ blocks }) => blocks.length === 0,
});

function tokenLimit(
  typed: string | undefined,
  setting: number | undefined,
  blocks: readonly { active: boolean; tokens: { total: number } }[],
): number | undefined {
  if (typed !== "max") return typed === undefined ? setting : Math.max(1, Number(typed));
  const largest = Math.max(0, ...blocks.filter(({ active }) => !active).map(({ tokens }) => tokens.total));
  return largest > 0 ? largest : undefined;
}

function sharesOf(used: number, projected: number | undefined, limit: number): { used: number; projected?: number } {
  const share = (tokens: number): number => Math.round((tokens / limit) * 1000) / 1000;
  return { used: share(used), ...(projected === undefined ? {} : { projected: share(projected) }) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
