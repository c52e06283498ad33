/**
 * Blocks of five hours, in which Anthropic counts the usage of a subscription: a block begins at the full hour of its
 * first request, and the next one with the first request after its end, or after five hours without any.
 */
import type { RequestRow } from "../store/usage.ts";
import { type Amount, costOf, Sum } from "./amounts.ts";
import type { Prices } from "./prices.ts";

export interface Block extends Amount {
  start: number;
  end: number;
  /** The times of the first and the last request. */
  first: number;
  last: number;
  models: string[];
  /** The block that runs now. */
  active: boolean;
  /** Of a block with requests at different times. */
  rate?: { tokens_per_minute: number; cost_per_hour: number };
  /** Of the active block: its sums at its end if the rate stays the same. */
  projection?: { minutes_left: number; tokens: number; cost_usd: number };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Of requests in the order of their times. */
export function blocksOf(requests: readonly RequestRow[], hours: number, now: number, prices: Prices): Block[] {
  const length = hours * HOUR;
  const blocks: Block[] = [];
  let open: RequestRow[] = [];
  let start = 0;
  for (const request of requests) {
    const last = open.at(-1);
    if (last && (request.time - start > length || request.time - last.time > length)) {
      blocks.push(blockOf(open, start, length, now, prices));
      open = [];
    }
    if (open.length === 0) start = Math.floor(request.time / HOUR) * HOUR;
    open.push(request);
  }
  if (open.length > 0) blocks.push(blockOf(open, start, length, now, prices));
  return blocks;
}

function blockOf(requests: readonly RequestRow[], start: number, length: number, now: number, prices: Prices): Block {
  const sum = new Sum();
  for (const request of requests) sum.add(request, costOf(request, prices));
  const amount = sum.amount();
  const first = requests[0]?.time ?? start;
  const last = requests.at(-1)?.time ?? start;
  const end = start + length;
  const active = now - last < length && now < end;
  const models = [...new Set(requests.map(({ model }) => model))].sort();
  const minutes = (last - first) / MINUTE;
  const block: Block = { ...amount, start, end, first, last, models, active };
  if (!(minutes > 0)) return block;
  const tokensPerMinute = amount.tokens.total / minutes;
  const costPerHour = (amount.cost_usd / minutes) * 60;
  block.rate = { tokens_per_minute: Math.round(tokensPerMinute), cost_per_hour: cents(costPerHour) };
  if (!active) return block;
  const left = Math.max(0, (end - now) / MINUTE);
  block.projection = {
    minutes_left: Math.round(left),
    tokens: Math.round(amount.tokens.total + tokensPerMinute * left),
    cost_usd: cents(amount.cost_usd + (costPerHour / 60) * left),
  };
  return block;
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
