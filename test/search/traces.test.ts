/** Traces of the built program: what each retrieval leaves behind, and what becomes of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import type { Trace } from "../../src/traces/trace.ts";
import { TestHome } from "../support/program/dex.ts";
import { otherUser } from "../support/program/other_user.ts";

interface Replayed {
  trace: Trace;
  replay: { changed: boolean; changes: { id: string; change: string }[]; error?: { code: string } };
}

function synced(vars: Record<string, string> = {}): TestHome {
  const home = new TestHome({ samples: true, vars });
  assert.equal(home.run("sync").status, 0);
  return home;
}

function traces(home: TestHome): Trace[] {
  return home.json<{ traces: Trace[] }>("traces", "--tail", "100").traces;
}

function last(home: TestHome): Trace {
  const row = traces(home).at(-1);
  assert.ok(row, "there is a trace");
  return row;
}

function firstHit(home: TestHome, query: string): { id: string; message_index: number } {
  const hit = home.json<{ results: { id: string; message_index: number }[] }>("search", query).results[0];
  assert.ok(hit);
  return hit;
}

function importLines(home: TestHome, lines: object[]): void {
  const file = join(home.home, "history.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assert.equal(home.run("import", file).status, 0);
}

test("each retrieval leaves a row with its facts", () => {
  const home = synced({ DEX_SESSION: "session-of-the-caller" });
  const results = home.json<{ results: { id: string; source: string; title: string }[]; total: number }>(
    "search",
    "refresh tokens",
    "--limit",
    "1",
  );
  const [hit] = results.results;
  assert.ok(hit);
  const search = last(home);
  assert.equal(search.command, "search");
  assert.equal(search.query, "refresh tokens");
  assert.equal(search.args.limit, 1);
  assert.equal(search.args.query, undefined);
  assert.deepEqual(
    search.ranking.map(({ id, source, summary }) => ({ id, source, summary })),
    [{ id: hit.id, source: hit.source, summary: hit.title }],
  );
  assert.equal(search.budgets.limit, 1);
  assert.equal(search.truncation.results, results.total - 1);
  assert.ok(search.stages.length > 0);
  assert.equal(search.session, "session-of-the-caller");
  assert.match(search.state_revision ?? "", /^\d+$/);
  assert.ok(search.duration_ms > 0);

  home.run("show", hit.id, "--max-tokens", "200");
  const show = last(home);
  assert.equal(show.command, "show");
  assert.deepEqual(show.args.ids, [hit.id]);
  assert.equal(show.budgets.max_tokens, 200);
  assert.ok((show.truncation.messages ?? 0) > 0);
  home.run("timeline", `${hit.id}#2`, "--before", "1", "--after", "1");
  const timeline = last(home);
  assert.equal(timeline.command, "timeline");
  assert.equal(timeline.session, hit.id);
  assert.deepEqual(
    timeline.ranking.map(({ id }) => id),
    [1, 2, 3].map((index) => `${hit.id}#${index}`),
  );
  home.run("message", `${hit.id}#0`, "--head", "5");
  const get = last(home);
  assert.equal(get.command, "message");
  assert.equal(get.budgets.head, 5);
  assert.deepEqual(
    get.ranking.map(({ id }) => id),
    [`${hit.id}#0`],
  );
  home.run("reindex");
  assert.equal(last(home).command, "reindex");
  assert.equal(last(home).inputs.conversations, 4);

  const count = traces(home).length;
  for (const verb of ["list", "stats", "traces"]) home.run(verb);
  assert.equal(traces(home).length, count, "only retrievals are traced");
});

test("a failure leaves a row with its code; a mistake in the call leaves none", () => {
  const home = synced();
  assert.equal(home.run("show", "ffff9999").status, 2);
  assert.equal(last(home).error?.code, "unknown_id");
  assert.match(last(home).error?.message ?? "", /ffff9999/);
  assert.equal(home.run("search", "  ").status, 2);
  assert.equal(last(home).error?.code, "empty_query");
  assert.equal(home.run("search", "x", "--limit", "-1").status, 2);
  assert.equal(traces(home).length, 2);
});

test("no message text and no secret is in the traces", () => {
  const home = synced();
  const hit = firstHit(home, "refresh tokens");
  const { message } = home.json<{ message: { content: string } }>("message", `${hit.id}#1`);
  home.run("show", hit.id, "--format", "full");
  home.run("timeline", `${hit.id}#1`);
  home.run("search", "password=Xk29fjwpQ0vn3LmZ8rTy");
  assert.match(last(home).query ?? "", /REDACTED/);
  const folder = join(home.dexHome, "traces");
  const kept = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
  assert.ok(message.content.length > 20);
  assert.ok(!kept.includes(JSON.stringify(message.content.slice(0, 40)).slice(1, -1)));
  assert.ok(!kept.includes("Xk29fjwpQ0vn3LmZ8rTy"));
  assert.equal(statSync(folder).mode & 0o077, 0);
});

test("a query of 100 KB leaves a small row", () => {
  const home = synced();
  home.run("search", "lengthy words ".repeat(7500));
  const row = last(home);
  assert.ok((row.query?.length ?? 0) <= 3000);
  assert.deepEqual(row.partial, ["query"]);
  const replay = home.run("trace", row.trace_id, "--replay");
  assert.equal(replay.status, 2);
  assert.match(replay.stderr, /The query of T-\S+ is incomplete/);
});

test("with traces.query: false only a hash is kept, and a replay says so", () => {
  const home = synced();
  writeFileSync(join(home.dexHome, "config.yaml"), "traces:\n  query: false\n");
  home.run("search", "refresh tokens");
  home.run("search", "refresh tokens");
  const [first, second] = traces(home);
  assert.equal(first?.query, undefined);
  assert.match(first?.query_hash ?? "", /^[0-9a-f]{32}$/);
  assert.equal(first?.query_hash, second?.query_hash);
  const replay = home.run("trace", first?.trace_id ?? "", "--replay");
  assert.equal(replay.status, 2);
  assert.match(replay.stderr, /only the hash/);
  for (const verb of ["fix", "how"]) home.run(verb, "unlikely words");
  assert.equal(traces(home).length, 4);
  assert.ok(!JSON.stringify(traces(home)).includes("unlikely words"));
});

test("traces.enabled: false writes none", () => {
  const home = synced({ DEX_TRACES_ENABLED: "false" });
  home.run("search", "refresh tokens");
  assert.equal(home.run("traces").status, 1);
  assert.match(home.run("traces").stdout, /traces.enabled is false/);
});

test("a replay finds no change at once, and the new result after an import", () => {
  const home = synced();
  firstHit(home, "refresh tokens");
  const { trace_id } = last(home);
  const before = home.json<Replayed>("trace", trace_id, "--replay");
  assert.equal(before.trace.trace_id, trace_id);
  assert.equal(before.replay.changed, false);
  assert.ok(before.replay.changes.length > 0);
  assert.ok(before.replay.changes.every(({ change }) => change === "same"));
  importLines(home, [
    { conversation: "imported-1", role: "user", text: "refresh tokens refresh tokens", title: "Refresh tokens again" },
    { conversation: "imported-1", role: "assistant", text: "The refresh tokens are refreshed." },
  ]);
  const now = home.json<Replayed>("trace", trace_id, "--replay");
  assert.equal(now.replay.changed, true);
  assert.deepEqual(
    now.replay.changes.filter(({ change }) => change === "new").map(({ id }) => id),
    ["imported-1"],
  );
  assert.match(home.run("trace", trace_id, "--replay").stdout, /the answer has changed[\s\S]*new\s+\d\s+imported-1/);
  assert.equal(traces(home).length, 1, "a replay leaves no trace");
});

test("verbs that ask by another name are replayed, too", () => {
  const home = synced();
  for (const verb of ["fix", "how"]) {
    home.run(verb, "npm test failed");
    const row = last(home);
    assert.equal(row.command, verb);
    assert.equal(row.query, "npm test failed");
    assert.equal(home.json<Replayed>("trace", row.trace_id, "--replay").replay.changed, false);
  }
});

test("a failure is replayed, too; what writes is not", () => {
  const home = synced();
  home.run("show", "imported-2");
  const failed = last(home).trace_id;
  assert.equal(home.json<Replayed>("trace", failed, "--replay").replay.changed, false);
  importLines(home, [{ conversation: "imported-2", role: "user", text: "hello" }]);
  const { replay } = home.json<Replayed>("trace", failed, "--replay");
  assert.equal(replay.changed, true);
  assert.equal(replay.error, undefined);
  home.run("reindex");
  const refused = home.run("trace", last(home).trace_id, "--replay");
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /cannot be replayed/);
});

test("people see rows aligned; an unknown id gets the nearest", () => {
  const home = synced();
  firstHit(home, "refresh tokens");
  const { trace_id } = last(home);
  assert.match(home.run("traces").stdout, new RegExp(`${trace_id}.*search.*refresh tokens`));
  const shown = home.run("trace", trace_id).stdout;
  for (const part of [/^query {11}refresh tokens$/m, /^state revision {2}\d+$/m, /^stage +time/m, /^rank +id/m]) {
    assert.match(shown, part);
  }
  const wrong = `${trace_id.slice(0, -1)}${trace_id.endsWith("0") ? "1" : "0"}`;
  const unknown = home.run("trace", wrong);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, new RegExp(`no trace "${wrong}"[\\s\\S]*Did you mean ${trace_id}`));
});

test("a few digits of a trace's id suggest none", () => {
  const home = synced();
  firstHit(home, "login");
  const { trace_id } = last(home);
  const short = home.run("trace", trace_id.slice(2, 3));
  assert.equal(short.status, 2);
  assert.doesNotMatch(short.stderr, /Did you mean/);
  assert.match(home.run("trace", trace_id.slice(2, 8)).stderr, new RegExp(`Did you mean ${trace_id}`));
});

test("a forgotten conversation is in no trace", () => {
  const home = synced();
  const { id } = firstHit(home, "refresh tokens");
  home.run("list");
  assert.equal(home.run("forget", id, "--yes").status, 0);
  const folder = join(home.dexHome, "traces");
  for (const name of readdirSync(folder)) assert.ok(!readFileSync(join(folder, name), "utf8").includes(id));
});

test("a home that cannot be written does not fail the command", (t) => {
  const other = otherUser();
  if (typeof other === "string") return t.skip(other);
  const home = synced();
  const folder = join(home.dexHome, "traces");
  writeFileSync(folder, "a file in the way");
  assert.equal(home.run("search", "refresh tokens").status, 0);
  assert.equal(home.run("search", "refresh tokens").stderr, "");
  rmSync(folder);
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  for (const path of [home.home, home.dexHome]) chmodSync(path, 0o755);
  for (const name of readdirSync(home.dexHome, { recursive: true, encoding: "utf8" })) {
    const path = join(home.dexHome, name);
    if (path !== folder) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  }
  const env = { HOME: home.home, DEX_HOME: home.dexHome, PATH: process.env.PATH ?? "" };
  const run = other.run(["search", "refresh tokens", "--no-sync"], env);
  assert.equal(run.status, 0, run.stderr);
  assert.deepEqual(readdirSync(folder), []);
  chmodSync(folder, 0o755);
});

test("rows go to a collector on this machine, and to another only when allowed", async () => {
  const received: { url: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ url: request.url, body });
      response.end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const home = synced({ DEX_TRACES_OTLP: `http://127.0.0.1:${port}` });
    // On a busy machine sending may take longer than dex waits.
    for (let attempt = 0; attempt < 5 && received.length === 0; attempt += 1) {
      const [status] = await once(home.start("search", "refresh tokens"), "exit");
      assert.equal(status, 0);
    }
    assert.equal(received.length, 1);
    assert.equal(received[0]?.url, "/v1/traces");
    assert.ok(received[0]?.body.includes(last(home).trace_id));
    assert.match(received[0]?.body ?? "", /"gen_ai.operation.name","value":\{"stringValue":"retrieval"\}/);
  } finally {
    server.close();
  }
  const remote = new TestHome({ vars: { DEX_TRACES_OTLP: "http://collector.example.com:4318" } });
  const refused = remote.run("search", "x");
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /traces\.otlp is on another machine/);
});

test("a collector that is not there, or never answers, neither fails nor holds the command", async () => {
  const silent = createServer(() => {});
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  try {
    for (const address of [`http://127.0.0.1:${port}`, "http://127.0.0.1:1"]) {
      const home = synced({ DEX_TRACES_OTLP: address });
      // Without its own time limit the program would wait forever for the silent one, and this test with it.
      const [status] = await once(home.start("search", "refresh tokens"), "exit");
      assert.equal(status, 0);
      assert.equal(traces(home).length, 1);
    }
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
