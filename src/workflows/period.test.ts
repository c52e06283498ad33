import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePeriod, spanText } from "./period.ts";

const NOW = new Date(2026, 10, 15, 12).getTime();
const day = (year: number, month: number, date: number): number => new Date(year, month - 1, date).getTime();

test("a day is that day, a month that month, a range ends with its last day", () => {
  assert.deepEqual(parsePeriod("2026-01-13", NOW), { from: day(2026, 1, 13), to: day(2026, 1, 14) - 1 });
  assert.deepEqual(parsePeriod("2026-02", NOW), { from: day(2026, 2, 1), to: day(2026, 3, 1) - 1 });
  assert.deepEqual(parsePeriod("2025-12", NOW), { from: day(2025, 12, 1), to: day(2026, 1, 1) - 1 });
  assert.deepEqual(parsePeriod("2026-01-08..2026-01-15", NOW), { from: day(2026, 1, 8), to: day(2026, 1, 16) - 1 });
  assert.deepEqual(parsePeriod("2026-01..2026-02", NOW), { from: day(2026, 1, 1), to: day(2026, 3, 1) - 1 });
  assert.deepEqual(parsePeriod("..2026-01-15", NOW), { to: day(2026, 1, 16) - 1 });
  assert.deepEqual(parsePeriod("yesterday", NOW), { from: day(2026, 11, 14), to: day(2026, 11, 15) - 1 });
  assert.deepEqual(parsePeriod("3d", NOW), { from: NOW - 3 * 86_400_000, to: NOW });
  assert.deepEqual(parsePeriod("all", NOW), {});
});

test("words that do not name a period are refused", () => {
  for (const typed of ["someday", "2026-13", "2026-02-31", "..", "a..b", "2026-01-01..2026-01-02..2026-01-03"])
    assert.throws(() => parsePeriod(typed, NOW), /is not a (?:period|date)/, typed);
  assert.throws(() => parsePeriod("2026-02-01..2026-01-01", NOW), /ends before it begins/);
});

test("a period is formatted in words", () => {
  const said = (typed: string): string => spanText(parsePeriod(typed, NOW));
  assert.equal(said("2026-01-13"), "on 13 January 2026");
  assert.equal(said("week"), "from 8 to 15 November 2026");
  assert.equal(said("2026-02"), "from 1 to 28 February 2026");
  assert.equal(said("2026-04-30..2026-05-02"), "from 30 April to 2 May 2026");
  assert.equal(said("2025-12-30..2026-01-02"), "from 30 December 2025 to 2 January 2026");
  assert.equal(said("2026-05-01.."), "since 1 May 2026");
  assert.equal(said("all"), "");
});
