import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../conversations/model.ts";
import { PlausibleTimes } from "./times.ts";

const NOW = Date.UTC(2026, 5, 1);
const FILE = Date.UTC(2026, 4, 1);
const said = (time: string): Message => ({ role: "user", time, parts: [] });

test("implausible times are dropped, plausible ones stay", () => {
  const times = new PlausibleTimes(FILE, NOW);
  for (const time of ["1990-01-02T00:00:00.000Z", "2026-05-31T00:00:00.000Z", "2026-06-01T20:00:00.000Z"]) {
    assert.equal(times.ofMessage(said(time)).time, time);
  }
  for (const time of [
    "+275760-09-13T00:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "2026-06-03T00:00:00.000Z",
    "9999-99-99T99:99:99.999Z",
  ]) {
    assert.equal("time" in times.ofMessage(said(time)), false, time);
  }
  const meta = {
    id: "a",
    source: "codex",
    created: "2026-05-01T00:00:00.000Z",
    updated: "+275760-09-13T00:00:00.000Z",
  };
  assert.deepEqual(times.ofMeta(meta), { id: "a", source: "codex", created: "2026-05-01T00:00:00.000Z" });
});

test("a conversation with only implausible times gets the file's own time", () => {
  const times = new PlausibleTimes(FILE, NOW);
  const meta = { id: "a", source: "codex" };
  times.begin();
  times.ofMessage(said("+275760-09-13T00:00:00.000Z"));
  assert.deepEqual(times.ofFinished(meta), { ...meta, updated: new Date(FILE).toISOString() });
  times.ofMessage(said("2026-05-31T00:00:00.000Z"));
  assert.deepEqual(times.ofFinished(meta), meta);
  times.begin();
  assert.deepEqual(times.ofFinished(meta), meta, "an agent that gives no times is left as it is");
  const lost = new PlausibleTimes(Date.UTC(2500, 0), NOW);
  lost.ofMessage(said("1970-01-01T00:00:00.000Z"));
  assert.equal(lost.ofFinished(meta).updated, new Date(NOW).toISOString());
});
