import assert from "node:assert/strict";
import { test } from "node:test";
import { type Affords, affordable } from "./time_budget.ts";

/** The least time that must be left for a step, in milliseconds. */
function leastFor(step: Parameters<Affords>[0]): number {
  let left = 0;
  const affords = affordable({ left: () => left });
  while (!affords(step)) left += 1;
  return left;
}

test("the team is looked at only if there is also time for the steps over one's own conversations", () => {
  const later = leastFor("similarConversations") + leastFor("likelyWith");
  assert.ok(leastFor("cachedTeam") > later);
});

test("a caller that waits has time for every step", () => {
  assert.ok(affordable({})("cachedTeam"));
});
