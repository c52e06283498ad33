import assert from "node:assert/strict";
import { test } from "node:test";
import { ASK_RENDERERS } from "./ask.ts";
import type { Terminal } from "./terminal/terminal.ts";

const terminal = { width: 80, color: false, now: 0 } as Terminal;
const source = { ref: "S1", collection: "notes", document: "a.md" };
const usage = { tool_calls: 1, tokens_read: 10, tokens_returned: 2, saved: 8 };
const quoted = { answer: "Trays stack.", sources: [source], engine: "extractive" as const, usage };

test("a quotation that may not answer the question begins with that doubt; an answer and a refusal do not", () => {
  for (const how of [{}, { compact: true }, { boxes: true }]) {
    const rendered = (change: object): string =>
      ASK_RENDERERS.ask({ ...quoted, confidence: "low" as const, ...change }, { ...terminal, ...how });
    assert.match(rendered({}), /may not answer this[\s\S]*Trays stack\./);
    assert.doesNotMatch(rendered({ confidence: "medium" }), /may not answer/);
    assert.doesNotMatch(rendered({ answer: "The sources do not answer this.", sources: [] }), /may not answer/);
  }
});
