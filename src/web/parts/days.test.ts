import assert from "node:assert/strict";
import { after, test } from "node:test";
import { scaleOf } from "../views/timeline/scale.ts";
import { dayOfTime, localMs } from "./days.ts";

const zone = process.env.TZ;
process.env.TZ = "America/Los_Angeles";
after(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("an evening west of Greenwich belongs to the day that the person saw", () => {
  assert.equal(dayOfTime("2026-07-14T02:30:00.000Z"), "2026-07-13");
  assert.equal(dayOfTime("2026-01-14T07:59:00.000Z"), "2026-01-13");
  assert.equal(dayOfTime("2026-07-13"), "2026-07-13");
  assert.equal(dayOfTime("not a time"), "");
  assert.equal(localMs("2026-07-13T07:00:00.000Z"), localMs("2026-07-13"));
});

test("the axis begins and ends with days of the person", () => {
  const scale = scaleOf([{ time: "2026-07-14T02:30:00.000Z" }, { time: "2026-07-10T06:00:00.000Z" }], 500);
  assert.deepEqual([scale.first, scale.last], ["2026-07-09", "2026-07-13"]);
  assert.equal(scale.dayOfX(scale.x("2026-07-14T02:30:00.000Z")), "2026-07-13");
});
