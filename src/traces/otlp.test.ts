import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTrace, type TracedRun } from "./build.ts";
import { toOtlp } from "./otlp.ts";

interface Exported {
  resourceSpans: {
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: { key: string; value: unknown }[];
        status?: { code: number };
      }[];
    }[];
  }[];
}

function spanOf(run: Partial<TracedRun>, hash?: () => string, traceparent?: string) {
  const trace = buildTrace(
    {
      command: "search",
      query: "why",
      input: { limit: 4 },
      started: 1_700_000_000_123,
      duration: 12.5,
      details: [{ ranking: [{ id: "a", score: 0.5 }, { id: "b" }] }],
      session: undefined,
      revision: undefined,
      ...run,
    },
    { redact: (text) => text, ...(hash ? { hash } : {}) },
  );
  const span = (toOtlp(trace, traceparent) as Exported).resourceSpans[0]?.scopeSpans[0]?.spans[0];
  assert.ok(span);
  return { span, attributes: new Map(span.attributes.map(({ key, value }) => [key, value])) };
}

test("a row is one retrieval span", () => {
  const { span, attributes } = spanOf({});
  assert.match(span.traceId, /^[0-9a-f]{32}$/);
  assert.match(span.spanId, /^[0-9a-f]{16}$/);
  assert.equal(span.parentSpanId, undefined);
  assert.equal(span.name, "retrieval dex");
  assert.equal(span.kind, 3);
  assert.equal(span.startTimeUnixNano, "1700000000123000000");
  assert.equal(span.endTimeUnixNano, "1700000000135500000");
  assert.deepEqual(attributes.get("gen_ai.operation.name"), { stringValue: "retrieval" });
  assert.deepEqual(attributes.get("gen_ai.data_source.id"), { stringValue: "dex" });
  assert.deepEqual(attributes.get("gen_ai.retrieval.top_k"), { intValue: "4" });
  assert.deepEqual(attributes.get("gen_ai.retrieval.query.text"), { stringValue: "why" });
  assert.deepEqual(attributes.get("gen_ai.retrieval.documents"), {
    arrayValue: {
      values: [
        {
          kvlistValue: {
            values: [
              { key: "id", value: { stringValue: "a" } },
              { key: "score", value: { doubleValue: 0.5 } },
            ],
          },
        },
        { kvlistValue: { values: [{ key: "id", value: { stringValue: "b" } }] } },
      ],
    },
  });
  assert.equal(attributes.has("error.type"), false);
});

test("a hashed query is not sent, but a failure is", () => {
  const { span, attributes } = spanOf({ error: { code: "empty_query", message: "x" } }, () => "00");
  assert.equal(attributes.has("gen_ai.retrieval.query.text"), false);
  assert.deepEqual(attributes.get("error.type"), { stringValue: "empty_query" });
  assert.equal(span.status?.code, 2);
});

test("the span joins the caller's trace if its id is valid", () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const { span } = spanOf({}, undefined, `00-${trace}-b7ad6b7169203331-01`);
  assert.equal(span.traceId, trace);
  assert.equal(span.parentSpanId, "b7ad6b7169203331");
  assert.equal(spanOf({}, undefined, "00-nonsense").span.parentSpanId, undefined);
});
