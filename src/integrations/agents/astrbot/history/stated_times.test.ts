/** Times that prompts of AstrBot state in local time. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "../../../../kernel/json.ts";
import { statedTimes } from "./stated_times.ts";

function prompt(clock: string, zone = "CST"): JsonObject {
  const reminder = `<system_reminder>User ID: 1, Nickname: ada\nCurrent datetime: 2026-07-01 ${clock} (${zone}), Weekday: Wednesday</system_reminder>`;
  return {
    role: "user",
    content: [
      { type: "text", text: "hello" },
      { type: "text", text: reminder },
    ],
  };
}

const CREATED = "2026-06-30T17:52:24.657Z";

function times(records: JsonObject[], updated: string, created = CREATED): (string | undefined)[] {
  const found = statedTimes(records, created, updated);
  return records.map((record) => found.get(record));
}

it("the offset is the same at the first prompt and at the last one", () => {
  const answer = { role: "assistant", content: "Hello." };
  const records = [prompt("01:52"), answer, prompt("02:30"), answer];
  assert.deepEqual(times(records, "2026-06-30T18:34:00.000Z"), [
    "2026-06-30T17:52:00.000Z",
    undefined,
    "2026-06-30T18:30:00.000Z",
    undefined,
  ]);
  // A zone with a quarter of an hour.
  const nepal = times([prompt("23:37", "+0545")], "2026-07-01T17:53:00.000Z", "2026-07-01T17:52:24.000Z");
  assert.deepEqual(nepal, ["2026-07-01T17:52:00.000Z"]);
});

it("no time is taken if the two differ, or if one is not known", () => {
  // The conversation was begun an hour before its first prompt.
  assert.deepEqual(times([prompt("02:52")], "2026-06-30T18:53:00.000Z"), [undefined]);
  // The first prompts were dropped.
  assert.deepEqual(times([prompt("03:59"), prompt("04:30")], "2026-06-30T20:31:00.000Z"), [undefined, undefined]);
  // It was saved again much later.
  assert.deepEqual(times([prompt("01:52")], "2026-07-02T09:00:00.000Z"), [undefined]);
  assert.deepEqual(times([prompt("01:52")], "not a time"), [undefined]);
  assert.deepEqual(times([prompt("99:99")], CREATED), [undefined]);
  assert.deepEqual(times([{ role: "user", content: "Current datetime: 2026-07-01 01:52" }], CREATED), [undefined]);
  assert.equal(statedTimes([prompt("01:52")], undefined, CREATED).size, 0);
});
