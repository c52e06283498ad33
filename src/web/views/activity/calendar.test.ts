import assert from "node:assert/strict";
import { test } from "node:test";
import { levelsOf, weeksOf } from "./calendar.ts";

test("a year has all its days, each in the column of its week", () => {
  const days = weeksOf("2024");
  assert.equal(days.length, 366);
  assert.deepEqual(days[0], { day: "2024-01-01", week: 0, weekday: 0 });
  assert.deepEqual(days[7], { day: "2024-01-08", week: 1, weekday: 0 });
  assert.deepEqual(days.at(-1), { day: "2024-12-31", week: 52, weekday: 1 });
  assert.deepEqual(weeksOf("2023")[0], { day: "2023-01-01", week: 0, weekday: 6 });
  assert.deepEqual(weeksOf("2023")[1], { day: "2023-01-02", week: 1, weekday: 0 });
});

test("levels are quartiles of the days with activity", () => {
  const level = levelsOf([1, 2, 3, 4, 5, 6, 7, 800]);
  assert.deepEqual([0, 1, 3, 5, 7, 800].map(level), [0, 1, 2, 3, 4, 4]);
  assert.equal(levelsOf([])(0), 0);
  assert.equal(levelsOf([5])(5), 4);
});
