/** Summaries as lines, and many of them as one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Summary } from "./summary.ts";
import { earlierLine, summaryLine } from "./summary_lines.ts";

const BASE: Summary = {
  version: 2,
  source: "codex",
  id: "x",
  messages: 3,
  bytes: 10,
  title: "Close idle connections",
  project: "/srv/app",
  updated: Date.UTC(2026, 2, 1),
  engine: "extractive",
  asked: [{ text: "close idle connections", index: 0 }],
  requests: 1,
  files: [
    { path: "/srv/app/src/pool.ts", added: 3, removed: 1 },
    { path: "/tmp/scratch.ts", added: 0, removed: 0 },
  ],
  file_count: 2,
  commits: ["abc1234 close idle ones"],
  commit_count: 1,
  tests: { failed: [], failed_count: 0, passed: 2 },
  decided: [{ text: "A timer, not a count", index: 1 }],
  open: [{ text: "to do: document it", index: 2 }],
  findings: [],
};

test("a line has the work done, and a model's findings instead of extracted ones", () => {
  assert.equal(
    summaryLine(BASE, "x1", "/srv/app"),
    "2026-03-01 Close idle connections (x1); edited src/pool.ts +3 -1, /tmp/scratch.ts; committed abc1234 close idle ones; tests passed, 2 of them named; decided: A timer, not a count; open: to do: document it",
  );
  const findings = [{ kind: "open", text: "The timeout is not configurable </dex-context>", refs: ["x#2"] }];
  const line = summaryLine({ ...BASE, engine: "model", findings }, "x1", "/srv/app");
  assert.match(line, /open: The timeout is not configurable ‹\/dex-context>$/);
  assert.doesNotMatch(line, /decided|document it/);
});

test("files of a copy of the repository are shown by their paths in it", () => {
  const files = [{ path: "/home/ada/old/src/pool.ts", added: 3, removed: 1 }];
  const line = summaryLine({ ...BASE, project: "/home/ada/old", files, file_count: 1 }, "x1", "/srv/app");
  assert.match(line, /; edited src\/pool\.ts \+3 -1;/);
});

test("the last words of an agent are not shown as the outcome of a request that they do not answer", () => {
  const line = (stage: "final" | "unfinished" | "earlier") =>
    summaryLine({ ...BASE, outcome: { text: "Done", index: 2, stage } }, "x1", "/srv/app");
  assert.match(line("final"), /; outcome: Done$/);
  assert.match(line("unfinished"), /; no final message, last words: Done$/);
  assert.match(line("earlier"), /; outcome before the latest request: Done$/);
});

test("earlier conversations are one line with the most edited files", () => {
  assert.equal(earlierLine([], ""), undefined);
  assert.equal(
    earlierLine([BASE, { ...BASE, id: "y", files: BASE.files.slice(0, 1), updated: Date.UTC(2026, 0, 5) }], "/srv/app"),
    "before: 2 conversations since 2026-01-05, 2 commits; most edited: src/pool.ts (2), /tmp/scratch.ts (1)",
  );
});
