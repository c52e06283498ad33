import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestRow, UsageRow } from "../store/usage.ts";
import { costOf, Sum } from "./amounts.ts";
import { blocksOf } from "./blocks.ts";
import { PRICE_TABLE } from "./price_table.ts";
import { Prices, plainName } from "./prices.ts";
import { weekOf, zoneOf } from "./zone.ts";

const PRICES = new Prices({});
const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 1, 9, 40);

function row(more: Partial<UsageRow> = {}): RequestRow {
  return {
    no: 1,
    time: START,
    model: "claude-opus-5",
    size: 0,
    input: 0,
    cache_read: 0,
    cache_write: 0,
    cache_write_1h: 0,
    output: 0,
    reasoning: 0,
    requests: 1,
    cost: null,
    ...more,
  };
}

test("names of models as agents and providers spell them", () => {
  const spelled: Record<string, readonly string[]> = {
    "claude-sonnet-4-5": [
      "claude-sonnet-4-5-20250929",
      "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "anthropic/claude-sonnet-4.5",
      "claude-sonnet-4-5@20250929",
      "claude-4.5-sonnet-thinking",
      "claude-sonnet-4-5[1m]",
      "Claude Sonnet 4.5 (Thinking)",
    ],
    "claude-3-5-haiku": ["claude-3-5-haiku-20241022", "claude-3.5-haiku"],
    "claude-sonnet-4": ["claude-4-sonnet", "claude-sonnet-4-20250514"],
    "gpt-5": ["gpt-5-2025-08-07", "openai/gpt-5", "gpt-5-high"],
    "gpt-5.1-codex-max": ["gpt-5.1-codex-max", "gpt-5.1-codex-max-xhigh"],
    "gemini-3-pro": ["models/gemini-3-pro-preview", "google/gemini-3-pro", "Gemini 3 Pro (High)"],
    "grok-4-fast": ["xai/grok-4-fast-non-reasoning"],
    "kimi-k2": ["moonshotai/kimi-k2-thinking-preview"],
  };
  for (const [plain, names] of Object.entries(spelled)) {
    assert.ok(PRICE_TABLE.has(plain), plain);
    for (const name of names) {
      const found = PRICE_TABLE.get(plainName(name));
      assert.deepEqual(found, PRICE_TABLE.get(plain), `${name} is ${plainName(name)}`);
    }
  }
  assert.equal(PRICES.cost("acme-coder-9", 0, row({ input: 1e6 })), undefined, "no price is guessed");
});

test("prices: cache, an hour of cache, large inputs, the user's own", () => {
  const million = { input: 1e6, output: 1e6, cache_read: 1e6, cache_write: 2e6, cache_write_1h: 1e6, reasoning: 5e5 };
  // 5 + 25 + 0.5 + 6.25 + 10: reasoning is a part of the output.
  assert.equal(PRICES.cost("claude-opus-5", 0, million), 46.75);
  assert.equal(PRICES.cost("gpt-5.4", 4, row({ input: 1e6 })), 2.5, "up to 272,000 tokens");
  assert.equal(PRICES.cost("gpt-5.4", 5, row({ input: 1e6 })), 5, "beyond");
  assert.equal(PRICES.cost("qwen3-coder-plus", 2, row({ output: 1e6 })), 15, "the second of three tiers");
  const own = new Prices({
    "claude-opus-5": { input: 1, output: 2 },
    "acme/coder": { input: 1, output: 2, cache_read: 0.5, tiers: [{ above: 200_000, input: 10, output: 20 }] },
  });
  assert.equal(own.cost("claude-opus-5-20260801", 0, row({ cache_read: 1e6 })), 1, "the cache costs the input");
  assert.equal(own.cost("coder", 3, row({ input: 1e6 })), 10);
  assert.equal(own.cost("coder", 2, row({ input: 1e6, cache_read: 1e6 })), 1.5);
});

test("a sum of money that leaves something out says so; an agent's own sum counts unless the user has a price", () => {
  const sum = new Sum();
  const rows = [row({ input: 1e6 }), row({ model: "acme", input: 5 }), row({ model: "acme", cost: 0.25, no: 2 })];
  for (const each of rows) sum.add(each, costOf(each, PRICES));
  const amount = sum.amount();
  assert.deepEqual([amount.cost_usd, amount.cost_complete, amount.unpriced], [5.25, false, ["acme"]]);
  assert.deepEqual([amount.conversations, amount.requests, amount.tokens.total], [2, 3, 1e6 + 5]);
  const own = new Prices({ acme: { input: 1, output: 1 } });
  assert.equal(costOf(row({ model: "acme", input: 1e6, cost: 0.25 }), own), 1);
  const estimated = new Sum();
  estimated.estimate({ no: 3, time: START, input: 100, output: 50 });
  assert.equal(estimated.amount().cost_complete, false);
  assert.equal(estimated.amount().tokens.total, 0, "an estimate is not a recorded amount");
});

test("days of a time zone, with both changes of the clock; weeks begin on Monday", () => {
  const berlin = zoneOf("Europe/Berlin");
  // On 29 March 2026, 2:00 becomes 3:00; on 25 October, 3:00 becomes 2:00.
  assert.equal(berlin.dayOf(Date.UTC(2026, 2, 28, 22, 59)), "2026-03-28");
  assert.equal(berlin.dayOf(Date.UTC(2026, 2, 28, 23, 0)), "2026-03-29");
  assert.equal(berlin.dayOf(Date.UTC(2026, 2, 29, 21, 59)), "2026-03-29");
  assert.equal(berlin.dayOf(Date.UTC(2026, 2, 29, 22, 0)), "2026-03-30");
  assert.equal(berlin.dayOf(Date.UTC(2026, 9, 25, 22, 59)), "2026-10-25");
  assert.equal(berlin.dayOf(Date.UTC(2026, 9, 25, 23, 0)), "2026-10-26");
  assert.equal(zoneOf("Asia/Kathmandu").dayOf(Date.UTC(2026, 0, 1, 18, 15)), "2026-01-02", "an offset of 5:45");
  assert.deepEqual(["2026-03-01", "2026-03-02", "2027-01-01"].map(weekOf), ["2026-02-23", "2026-03-02", "2026-12-28"]);
  assert.throws(() => zoneOf("Mars/Olympus"), { code: "bad_timezone" });
});

test("days of the user's own zone, also where the clock changes at midnight", () => {
  const before = process.env.TZ;
  try {
    for (const zone of ["America/Sao_Paulo", "Pacific/Apia", "Europe/Berlin"]) {
      process.env.TZ = zone;
      const named = zoneOf(zone);
      const own = zoneOf(undefined);
      // In 2011 Apia left out a day, and Sao Paulo had no midnight on the day its summer time began.
      for (let i = 0; i < 4 * 24 * 400; i += 7) {
        const time = Date.UTC(2011, 0, 1) + (i % 2 === 0 ? i : 4 * 24 * 400 - i) * (HOUR / 4);
        assert.equal(own.dayOf(time), named.dayOf(time), `${zone} ${time}`);
      }
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test("blocks of five hours: from the full hour, until the end or a pause; rate and projection of the active one", () => {
  const at = (hours: number): number => START + hours * HOUR;
  const requests = [0, 1, 4.9, 5.4, 20].map((hours) => row({ time: at(hours), input: 1000, output: 1000 }));
  const now = at(20.5);
  const blocks = blocksOf(requests, 5, now, PRICES);
  assert.deepEqual(
    blocks.map(({ start, requests: count, active }) => [new Date(start).toISOString().slice(11, 16), count, active]),
    [
      ["09:00", 2, false],
      // 4.9 hours after 9:40 is 14:34, beyond the block that began at 9:00.
      ["14:00", 2, false],
      ["05:00", 1, true],
    ],
  );
  assert.equal(blocks[0]?.rate?.tokens_per_minute, Math.round(4000 / 60));
  assert.equal(blocks[2]?.rate, undefined, "one request has no rate");
  const running = blocksOf(
    [at(0), at(1)].map((time) => row({ time, output: 6000 })),
    5,
    at(2),
    PRICES,
  )[0];
  assert.deepEqual(running?.projection, { minutes_left: 140, tokens: 40_000, cost_usd: 1 });
  assert.deepEqual(blocksOf([], 5, now, PRICES), []);
});
