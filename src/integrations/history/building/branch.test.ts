import assert from "node:assert/strict";
import { test } from "node:test";
import { branchesByParents } from "./branch.ts";

test("the conversation ends with the last record, and each branch that was left names the one it leaves", () => {
  const { branches, joined } = branchesByParents([-1, 0, 1, 1, 3, 0, 4]);
  assert.deepEqual(branches, [
    { positions: [0, 1, 3, 4, 6] },
    { positions: [5], from: 0 },
    { positions: [2], from: 0 },
  ]);
  assert.deepEqual(joined, [1, 3]);
});

test("a hundred thousand branches take no longer than as many records", () => {
  const middle = 50_000;
  const { branches } = branchesByParents([...Array.from({ length: 100_000 }, () => -1), middle]);
  assert.equal(branches.length, 100_000);
  assert.deepEqual(branches[0]?.positions, [middle, 100_000]);
});
