import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTrace, MAX_ROW_BYTES, serialize, type TracedRun } from "./build.ts";
import { type TraceDetails, traceSchema } from "./trace.ts";

const rules = { redact: (text: string) => text.replaceAll("hunter2hunter2", "[REDACTED:password]") };

function run(
  details: TraceDetails[],
  { query, ...input }: { query?: string; [name: string]: unknown } = {},
  error?: TracedRun["error"],
): TracedRun {
  return {
    command: "search",
    query,
    input,
    started: Date.UTC(2026, 0, 2),
    duration: 1.23456,
    details,
    session: undefined,
    revision: "17",
    ...(error ? { error } : {}),
  };
}

test("a row holds the query separately from the other arguments", () => {
  const row = buildTrace(run([], { query: "why", limit: 3, file: undefined, from: "7d" }), rules);
  assert.match(row.trace_id, /^T-[0-9a-f]{12}$/);
  assert.equal(row.ts, "2026-01-02T00:00:00.000Z");
  assert.equal(row.query, "why");
  assert.deepEqual(row.args, { from: "7d", limit: 3 });
  assert.equal(row.state_revision, "17");
  assert.equal(row.duration_ms, 1.235);
  assert.equal(row.partial, undefined);
  assert.deepEqual(traceSchema.parse(JSON.parse(serialize(row).toString())), row);
});

test("details given in several calls add up", () => {
  const row = buildTrace(
    run([
      { inputs: { a: 1 }, stages: [{ name: "one", ms: 1 }], ranking: [{ id: "x" }] },
      { inputs: { b: 2 }, stages: [{ name: "two", ms: 2 }], ranking: [{ id: "y", score: Number.NaN }], session: "s" },
    ]),
    rules,
  );
  assert.deepEqual(row.inputs, { a: 1, b: 2 });
  assert.deepEqual(
    row.stages.map(({ name }) => name),
    ["one", "two"],
  );
  assert.deepEqual(row.ranking, [{ id: "x" }, { id: "y", score: 0 }]);
  assert.equal(row.session, "s");
});

test("the text of a hashed query is nowhere in the row, not even in its error", () => {
  const hashing = { ...rules, hash: () => "0123" };
  const row = buildTrace(run([], { query: "private words" }, { code: "bad", message: 'No "private words".' }), hashing);
  assert.equal(row.query, undefined);
  assert.equal(row.query_hash, "0123");
  assert.ok(!serialize(row).includes("private words"));
});

test("secrets in queries, arguments and errors are redacted, and the row says so", () => {
  const secret = "hunter2hunter2";
  const row = buildTrace(
    run(
      [],
      { query: `${"x".repeat(2990)} ${secret}`, file: secret, expand: { a: [secret] } },
      { code: "c", message: secret },
    ),
    rules,
  );
  assert.ok(!serialize(row).includes("hunter2"));
  assert.deepEqual(row.partial, ["args", "query"]);
});

test("no row exceeds its limit, whatever the details", () => {
  for (const character of ["a", '"', "\\", "\u0001", "\n", "語", "😀", "\ud800"]) {
    const long = character.repeat(100_000);
    const many = Array.from({ length: 500 }, (_, i) => `${i}${long}`);
    const counts = Object.fromEntries(many.slice(0, 50).map((name, i) => [name, i]));
    const row = buildTrace(
      {
        ...run(
          [
            {
              query: long,
              inputs: counts,
              budgets: counts,
              truncation: counts,
              ranking: many.map((id) => ({ id, source: long, score: 1, summary: long, why: counts })),
              stages: many.map((name) => ({ name, ms: 1, in: 1, out: 1 })),
              dropped: many.map((id) => ({ id, reason: long })),
              session: long,
            },
          ],
          { query: long, ids: many, [long]: { a: { b: { c: { d: long } } } } },
          { code: long, message: long },
        ),
        command: long,
        revision: long,
      },
      rules,
    );
    const line = serialize(row);
    assert.ok(line.length <= MAX_ROW_BYTES, `${JSON.stringify(character)}: ${line.length} bytes`);
    assert.equal(line.indexOf(10), line.length - 1, "one line");
    assert.ok(traceSchema.safeParse(JSON.parse(line.toString())).success);
    assert.ok(row.partial?.includes("ranking") && row.partial.includes("query") && row.partial.includes("args"));
    assert.ok(row.dropped.length <= 20);
    assert.ok(row.ranking.every(({ summary }) => (summary?.length ?? 0) <= 120));
  }
});
