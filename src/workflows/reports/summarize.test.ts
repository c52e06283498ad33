import assert from "node:assert/strict";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { BatchResult, Facts } from "../workflow.ts";
import { summarize } from "./summarize.ts";

function facts(i: number): Facts {
  return {
    address: `conversation-${i}`,
    title: `Title ${i}`,
    project: `/p/${i % 3}`,
    source: "codex",
    date: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
    messages: 10,
    prompt: { text: "please make the thing work again ".repeat(6), ref: `conversation-${i}#0` },
    files: ["/tmp/scratch.ts", `/p/${i % 3}/src/a.ts`],
    commits: [],
    failing: [],
    fixed: [],
    passing: 2,
  };
}

function report(count: number, maxTokens: number): string {
  const results: BatchResult[] = [
    {
      engine: "extractive",
      facts: Array.from({ length: count }, (_, i) => facts(i)),
      findings: [],
      dropped: { refs: 0, findings: 0 },
    },
  ];
  return summarize("in January 2026", maxTokens).report(results);
}

test("a report fits its budget: the latest in full, others in a line, the rest counted", () => {
  for (const maxTokens of [300, 1000, 8000]) {
    const text = report(400, maxTokens);
    assert.ok(countTokens(text) <= maxTokens, `${countTokens(text)} over ${maxTokens}`);
    assert.match(text, /^400 conversations in 3 projects, 0 commits\./);
    assert.match(text, /Title 399/);
    assert.match(text, /conversations left out to fit; --max-tokens raises the limit/);
  }
  const some = report(400, 8000);
  assert.match(some, /### Title 399\n[\s\S]*- Asked: /);
  assert.match(some, /^- 2026-\d\d-\d\d Title \d+ \(`conversation-\d+`\)$/m);
});

test("shows all conversations if they fit, and the dates if there are none", () => {
  const text = report(5, 8000);
  assert.equal(text.match(/- Asked: /g)?.length, 5);
  assert.doesNotMatch(text, /left out/);
  assert.match(
    text,
    /^- Files: src\/a\.ts, \/tmp\/scratch\.ts$/m,
    "files of the project come first, by their path in it",
  );
  assert.equal(report(0, 8000), "No conversations in January 2026.");
});
