import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { countOutcome, readOutcomes } from "./outcome_counts.ts";

const home = mkdtempSync(join(tmpdir(), "dex-counts-"));
after(() => rmSync(home, { recursive: true }));
const NOON = new Date(2026, 10, 15, 12).getTime();
const DAY_MS = 86_400_000;

test("counts by day and host, the latest first; damaged lines and older days are skipped", () => {
  const path = join(home, "a.counts");
  assert.deepEqual(readOutcomes(path, 7, NOON), []);
  countOutcome(path, "claude", "late", NOON - 8 * DAY_MS);
  countOutcome(path, "claude", "answered", NOON - DAY_MS);
  for (const outcome of ["answered", "answered", "late", "silent"] as const) countOutcome(path, "codex", outcome, NOON);
  appendFileSync(path, "2026-11-15 codex late many\n\0\0\n");
  countOutcome(path, "claude", "failed", NOON);
  assert.deepEqual(readOutcomes(path, 7, NOON), [
    { day: "2026-11-15", host: "claude", answered: 0, silent: 0, late: 0, failed: 1 },
    { day: "2026-11-15", host: "codex", answered: 2, silent: 1, late: 1, failed: 0 },
    { day: "2026-11-14", host: "claude", answered: 1, silent: 0, late: 0, failed: 0 },
  ]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("the file stays small, and no count is lost when it is compacted", () => {
  const path = join(home, "b.counts");
  for (let i = 0; i < 3000; i += 1) countOutcome(path, "claude", i % 3 === 0 ? "late" : "answered", NOON);
  assert.ok(statSync(path).size < 40_000);
  assert.deepEqual(readOutcomes(path, 1, NOON), [
    { day: "2026-11-15", host: "claude", answered: 2000, silent: 0, late: 1000, failed: 0 },
  ]);
});

test("a home that does not exist is not created", () => {
  const path = join(home, "none", "c.counts");
  countOutcome(path, "claude", "late", NOON);
  assert.deepEqual(readOutcomes(path, 7, NOON), []);
});
