import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/** A process has one time zone: each is asked in a process of its own. */
function inZone(zone: string, code: string): unknown {
  const path = join(import.meta.dirname, "time.ts");
  const text = `const t = await import(${JSON.stringify(path)}); console.log(JSON.stringify(${code}));`;
  const args = ["--input-type=module", "--no-warnings", "-e", text];
  return JSON.parse(execFileSync(process.execPath, args, { env: { ...process.env, TZ: zone }, encoding: "utf8" }));
}

test("a moment is formatted in the zone of TZ, with the offset of that season", () => {
  const winter = `t.localTime(Date.parse("2026-01-13T03:30:05Z"))`;
  assert.deepEqual(inZone("America/New_York", winter), { date: "2026-01-12", clock: "22:30:05", offset: "-05:00" });
  const both = `[t.fullTime("2026-07-13T18:35:00Z"), t.fullTime("2026-01-13T18:35:00Z"), t.dayOf(Date.parse("2026-01-13T18:35:00Z"))]`;
  assert.deepEqual(inZone("America/New_York", both), [
    "2026-07-13 14:35:00 -04:00",
    "2026-01-13 13:35:00 -05:00",
    "2026-01-13",
  ]);
  assert.deepEqual(inZone("Asia/Kolkata", both), [
    "2026-07-14 00:05:00 +05:30",
    "2026-01-14 00:05:00 +05:30",
    "2026-01-14",
  ]);
  assert.deepEqual(inZone("UTC", both), ["2026-07-13 18:35:00 UTC", "2026-01-13 18:35:00 UTC", "2026-01-13"]);
});

test("the date is said where a day begins, in that zone", () => {
  const days = `(() => { const c = new t.DayClock(); return ["2026-01-13T18:00:00Z", "2026-01-13T18:35:00Z", null, "2026-01-13T19:00:00Z"].map((x) => c.next(x)); })()`;
  assert.deepEqual(inZone("Asia/Kolkata", days), [
    { day: "2026-01-13 (+05:30)", clock: "23:30:00" },
    { day: "2026-01-14 (+05:30)", clock: "00:05:00" },
    { clock: "" },
    { clock: "00:30:00" },
  ]);
});

test("a month is the user's own, from its first to its last moment", () => {
  const edges = (typed: string): string =>
    `["start", "end"].map((edge) => t.parseDate(${JSON.stringify(typed)}, edge, new Date("2026-11-19T12:00:00Z")))`;
  assert.deepEqual(inZone("America/New_York", edges("2026-03")), [
    "2026-03-01T05:00:00.000Z",
    "2026-04-01T03:59:59.999Z",
  ]);
  assert.deepEqual(inZone("UTC", edges("2026-12")), ["2026-12-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z"]);
  const refused = `(() => { try { return t.parseDate("2026-13", "start", new Date()); } catch (e) { return e.code; } })()`;
  assert.equal(inZone("UTC", refused), "bad_date");
});
