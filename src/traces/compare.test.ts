import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTrace } from "./build.ts";
import { compareRankings } from "./compare.ts";
import type { Trace } from "./trace.ts";

function ranking(...ids: string[]): Trace {
  return buildTrace(
    {
      command: "search",
      query: undefined,
      input: {},
      started: 0,
      duration: 0,
      details: [{ ranking: ids.map((id) => ({ id, source: "codex" })) }],
      session: undefined,
      revision: undefined,
    },
    { redact: (text) => text },
  );
}

function brief(before: Trace, now: Trace): string[] {
  return compareRankings(before, now).map(({ id, change, before: was, after: is }) => `${id} ${change} ${was}>${is}`);
}

test("reports new, removed, moved and unchanged results", () => {
  assert.deepEqual(brief(ranking("a", "b", "c", "d"), ranking("a", "c", "e", "b")), [
    "a same 1>1",
    "c moved 3>2",
    "e new null>3",
    "b moved 2>4",
    "d gone 4>null",
  ]);
});

test("repeated results of one conversation are compared in order", () => {
  assert.deepEqual(brief(ranking("a", "a"), ranking("a", "b", "a")), ["a same 1>1", "b new null>2", "a moved 2>3"]);
});

test("a truncated ranking is compared as far as it goes", () => {
  const long = ranking(...Array.from({ length: 30 }, (_, i) => `id${i}`));
  assert.ok(long.partial?.includes("ranking"));
  const changes = compareRankings({ ...long, ranking: long.ranking.slice(0, 5) }, long);
  assert.equal(changes.length, 5);
  assert.ok(changes.every(({ change }) => change === "same"));
});
