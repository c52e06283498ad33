import assert from "node:assert/strict";
import { test } from "node:test";
import { type Amount, costText, leftOutNotes, tokensText } from "./amount.ts";

function amount(total: number, guess: number, change: Partial<Amount> = {}): Amount {
  const parts = { input: total, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0 };
  const estimated = { conversations: guess > 0 ? 1 : 0, input: guess, output: 0 };
  const money = { cost_usd: 1234.5, cost_complete: guess === 0, unpriced: [] };
  return { conversations: 1, requests: total > 0 ? 1 : 0, tokens: { ...parts, total }, ...money, estimated, ...change };
}

test("estimated tokens are marked, for eyes and for ears", () => {
  assert.deepEqual(tokensText(amount(1200, 0)), { shown: "1.2k", spoken: "1.2k" });
  assert.deepEqual(tokensText(amount(0, 900)), { shown: "~900", spoken: "about 900, estimated" });
  assert.deepEqual(tokensText(amount(1200, 900)), { shown: "1.2k + ~900", spoken: "1.2k, and about 900 estimated" });
});

test("a sum of money that leaves something out is a lower bound, and the notes name it", () => {
  assert.equal(costText(amount(1200, 0)), "$1,234.50");
  assert.equal(costText(amount(1200, 900)), "at least $1,234.50");
  assert.equal(costText(amount(0, 900)), "unknown");
  assert.equal(costText(amount(1200, 0, { cost_usd: 0.001 })), "less than $0.01");
  assert.deepEqual(leftOutNotes(amount(1200, 0)), []);
  const notes = leftOutNotes(amount(1200, 900, { unpriced: ["own-model", ""] }));
  assert.match(notes[0] ?? "", /^2 models without a price: own-model, unknown /);
  assert.match(notes[1] ?? "", /^1 conversation without recorded tokens: ~ /);
});
