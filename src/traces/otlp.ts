/**
 * A row as an OpenTelemetry span, sent to a collector as OTLP/HTTP JSON. The attribute names are those of the GenAI
 * semantic conventions for retrieval, which are still in development, so only this file uses them.
 */
import { hash } from "node:crypto";
import { VERSION } from "../version.ts";
import type { Trace } from "./trace.ts";

const DATA_SOURCE = "dex";
const CLIENT = 3;
const ERROR = 2;
const TIMEOUT_MS = 1000;

type Value =
  | { stringValue: string }
  | { doubleValue: number }
  | { intValue: string }
  | { arrayValue: { values: Value[] } }
  | { kvlistValue: { values: Attribute[] } };

interface Attribute {
  key: string;
  value: Value;
}

/** Never waits and never throws. The request times out after a second, so it delays the end of the process no longer. */
export function exportTrace(trace: Trace, endpoint: string, traceparent: string | undefined): void {
  // Do not follow redirects: they could lead to another machine.
  fetch(tracesUrl(endpoint), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(toOtlp(trace, traceparent)),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
    .then((response) => response.body?.cancel())
    .catch(() => {});
}

function tracesUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url;
}

/** `traceparent` comes from the calling agent: the span joins the agent's own trace. */
export function toOtlp(trace: Trace, traceparent?: string): object {
  const own = hash("sha256", trace.trace_id);
  const parent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "");
  const start = BigInt(Date.parse(trace.ts)) * 1_000_000n;
  const span = {
    traceId: parent?.[1] ?? own.slice(0, 32),
    spanId: own.slice(32, 48),
    ...(parent ? { parentSpanId: parent[2] } : {}),
    name: `retrieval ${DATA_SOURCE}`,
    kind: CLIENT,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(Math.round(trace.duration_ms * 1e6))),
    attributes: attributesOf(trace),
    ...(trace.error ? { status: { code: ERROR, message: trace.error.message } } : {}),
  };
  const resource = { attributes: [text("service.name", "dex"), text("service.version", VERSION)] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "dex", version: VERSION }, spans: [span] }] }] };
}

function attributesOf(trace: Trace): Attribute[] {
  const limit = trace.budgets.limit ?? trace.args.limit;
  const documents = trace.ranking.map(({ id, score }) => ({
    kvlistValue: { values: [text("id", id), ...(score === undefined ? [] : [double("score", score)])] },
  }));
  return [
    text("gen_ai.operation.name", "retrieval"),
    text("gen_ai.data_source.id", DATA_SOURCE),
    text("dex.command", trace.command),
    text("dex.trace_id", trace.trace_id),
    ...(typeof limit === "number" ? [integer("gen_ai.retrieval.top_k", limit)] : []),
    { key: "gen_ai.retrieval.documents", value: { arrayValue: { values: documents } } },
    ...(trace.query === undefined ? [] : [text("gen_ai.retrieval.query.text", trace.query)]),
    ...(trace.session === null ? [] : [text("gen_ai.conversation.id", trace.session)]),
    ...(trace.error ? [text("error.type", trace.error.code)] : []),
    ...trace.stages.map(({ name, ms }) => double(`dex.stage.${name}.ms`, ms)),
  ];
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } };
}

function double(key: string, value: number): Attribute {
  return { key, value: { doubleValue: value } };
}

function integer(key: string, value: number): Attribute {
  return { key, value: { intValue: String(Math.trunc(value)) } };
}
