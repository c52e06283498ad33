import assert from "node:assert/strict";
import { test } from "node:test";
import { leadingThatFit } from "./leading.ts";

test("the leading items that fit are kept; a smaller one after them is not", () => {
  const cost = (item: number): number => item;
  assert.deepEqual(leadingThatFit([3, 4, 2], 7, cost), { items: [3, 4], used: 7 });
  assert.deepEqual(leadingThatFit([3, 9, 2], 7, cost), { items: [3], used: 3 });
  assert.deepEqual(leadingThatFit([9], 7, cost), { items: [], used: 0 });
  assert.deepEqual(leadingThatFit([], 0, cost), { items: [], used: 0 });
});
