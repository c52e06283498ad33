import assert from "node:assert/strict";
import { test } from "node:test";
import { promptTime } from "./prompt.ts";

test("the time of a prompt is read from the words that Cursor puts before it", () => {
  const of = (words: string): string | undefined =>
    promptTime(`<timestamp>${words}</timestamp>\n<user_query>x</user_query>`);
  assert.equal(of("Sunday, Jul 26, 2026, 1:06 PM (UTC+3)"), "2026-07-26T10:06:00.000Z");
  assert.equal(of("Monday, Jan 5, 2026, 12:30 AM (UTC-5:30)"), "2026-01-05T06:00:00.000Z");
  assert.equal(of("Friday, December 25, 2026, 23:59:07 (UTC)"), "2026-12-25T23:59:07.000Z");
  assert.equal(of("yesterday"), undefined);
  assert.equal(promptTime("Sunday, Jul 26, 2026, 1:06 PM (UTC+3)"), undefined);
});
