import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAt, daysBetween, scaleOf, ticksOf } from "./scale.ts";

const EVENTS = [{ time: "2026-03-10T08:00:00.000Z" }, { time: "2025-11-05T10:00:00.000Z" }];

test("a day leads to its place and back", () => {
  const scale = scaleOf(EVENTS, 1000);
  assert.equal(scale.first, "2025-11-05");
  assert.equal(scale.last, "2026-03-10");
  assert.equal(scale.x("2025-11-05T00:00:00Z"), 0);
  for (const day of ["2025-11-05", "2025-12-31", "2026-03-10"]) {
    assert.equal(scale.dayOfX(scale.x(`${day}T12:00:00Z`)), day);
  }
  assert.equal(scale.dayOfX(1000), "2026-03-10");
  assert.equal(dayAt(scale.first, daysBetween(scale.first, "2026-01-01")), "2026-01-01");
});

test("labels name months, and January by its year", () => {
  const scale = scaleOf(EVENTS, 1000);
  assert.deepEqual(
    ticksOf(scale, 1000).map(({ label }) => label),
    ["Dec", "2026", "Feb", "Mar"],
  );
  const narrow = ticksOf(scaleOf(EVENTS, 200), 200).map(({ at }) => at);
  for (const [index, at] of narrow.entries()) assert.ok(index === 0 || at - (narrow[index - 1] ?? 0) >= 60);
});

test("one event alone has an axis of one day", () => {
  const scale = scaleOf([{ time: "2026-01-05T10:00:00Z" }], 500);
  assert.equal(scale.dayOfX(0), "2026-01-05");
  assert.equal(scale.dayOfX(500), "2026-01-05");
  assert.deepEqual(ticksOf(scale, 500), []);
});
