/** `dex web`: who may use the API, what it offers, and which changes it reports. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { before, test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { until } from "../support/program/watch.ts";
import { TestRepository } from "../support/repository.ts";
import { WebServer } from "../support/servers/web.ts";

const GROWING = "dddddddd-0000-4000-8000-000000000004";
const TURNS = [{ user: "Why does the lighthouse blink twice?" }, { agent: "The lamp turns past two lenses." }];
const START = Date.now() - 60_000;
const home = new TestHome();
let web: WebServer;

function writeTurns(turns: Parameters<typeof writeDialogue>[2]): void {
  writeDialogue(home.home, GROWING, turns, { start: START, cwd: home.home });
}

before(async () => {
  writeTurns(TURNS);
  web = await WebServer.start(home);
});

/** The lines of a stream as they come. */
async function* linesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let rest = "";
  const decoder = new TextDecoder();
  assert.ok(response.body);
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
  }
}

test("dex reports the first sync, which the page starts, and a conversation that grows", async () => {
  const listening = new AbortController();
  const events = await fetch(`${web.origin}/api/events`, { headers: web.headers, signal: listening.signal });
  const seen: Record<string, unknown>[] = [];
  const reading = (async () => {
    for await (const line of linesOf(events)) seen.push(line);
  })().catch(() => undefined);
  const hello = await until("hello", () => seen.find(({ type }) => type === "hello"));
  assert.deepEqual([hello.conversations, hello.standing, hello.last_sync], [0, "empty", null]);
  const answer = await web.post("sync", {}, { Accept: "application/x-ndjson" });
  assert.match(answer.headers.get("content-type") ?? "", /^application\/x-ndjson/);
  const lines: Record<string, unknown>[] = [];
  for await (const line of linesOf(answer)) lines.push(line);
  const last = lines.at(-1) as { type: string; result: { new: number } };
  assert.deepEqual([lines[0]?.type, last.type, last.result.new], ["progress", "result", 1]);
  const told = (messages: number) =>
    until(`${messages} messages`, () =>
      seen.find((line) => line.type === "conversation" && line.messages === messages),
    );
  assert.equal((await told(2)).id, GROWING);
  writeTurns([...TURNS, { user: "And the other one?" }]);
  assert.equal((await told(3)).id, GROWING);
  listening.abort();
  await reading;
});

test("a check of dex's health reports its parts before the answer", async () => {
  const answer = await web.post("doctor", {}, { Accept: "application/x-ndjson" });
  const lines: { type: string; label?: string; done?: number; total?: number }[] = [];
  for await (const line of linesOf(answer)) lines.push(line as (typeof lines)[number]);
  const parts = lines.slice(0, -1);
  assert.equal(lines.at(-1)?.type, "result");
  assert.deepEqual(
    parts.map(({ done }) => done),
    [0, 1, 2, 3, 4],
  );
  assert.ok(parts.every(({ total, label = "" }) => total === 5 && /^Checking the /.test(label)));
});

interface Sent {
  headers?: Record<string, string>;
  path?: string;
  method?: string;
  body?: string;
}

/** Unlike fetch, it may send any Host. */
function status({ headers = {}, path = "/api/stats", method = "POST", body = "{}" }: Sent): Promise<number> {
  const { port } = new URL(web.origin);
  return new Promise((resolve, reject) => {
    const all = { ...web.headers, ...headers };
    const sent = request({ host: "127.0.0.1", port, path, method, headers: all }, (response) => {
      response.resume();
      assert.equal(response.headers["set-cookie"], undefined);
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : body);
  });
}

test("only this server's own page and programs with the token may ask", async () => {
  const { host, port } = new URL(web.origin);
  assert.equal(await status({}), 200);
  assert.equal(await status({ headers: { Host: `localhost:${port}`, Origin: `http://localhost:${port}` } }), 200);
  assert.equal(await status({ headers: { Origin: web.origin, "Sec-Fetch-Site": "same-origin" } }), 200);
  for (const Host of [
    "evil.example",
    "127.0.0.1",
    "localhost",
    `127.0.0.1.evil.example:${port}`,
    `127.0.0.1:${Number(port) + 1}`,
  ]) {
    assert.equal(await status({ headers: { Host } }), 403, Host);
    assert.equal(await status({ headers: { Host }, path: "/", method: "GET" }), 403, Host);
  }
  for (const Origin of ["https://evil.example", "null", `http://127.0.0.1:${Number(port) + 1}`, `https://${host}`]) {
    assert.equal(await status({ headers: { Origin } }), 403, Origin);
  }
  for (const site of ["cross-site", "same-site", "none"]) {
    assert.equal(await status({ headers: { "Sec-Fetch-Site": site } }), 403, site);
  }
  for (const Authorization of [
    "",
    "Bearer",
    `Bearer ${web.token}x`,
    `Bearer ${"x".repeat(43)}`,
    `Basic ${web.token}`,
  ]) {
    for (const path of ["/api/stats", "/api/nothing", "/api/events", "/api/openapi.json"]) {
      assert.equal(await status({ headers: { Authorization }, path }), 401, `${Authorization} ${path}`);
    }
  }
  assert.equal(await status({ headers: { Authorization: "", Cookie: `token=${web.token}` } }), 401);
});

test("JSON of limited size only, and only verbs that are offered", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    assert.equal(await status({ headers: { "Content-Type": type } }), 415, type);
  }
  assert.equal(await status({ body: JSON.stringify({ x: "x".repeat(2 << 20) }) }), 413);
  const chunked = { "Transfer-Encoding": "chunked" };
  assert.equal(await status({ headers: chunked, body: JSON.stringify({ x: "x".repeat(2 << 20) }) }), 413);
  for (const body of ["{", "[]", "null", '"x"']) assert.equal(await status({ body }), 400, body);
  assert.equal(await status({ method: "GET" }), 405);
  assert.equal((await fetch(`${web.origin}/api/stats`, { headers: web.headers })).headers.get("allow"), "POST");
  assert.equal((await fetch(web.origin, { method: "PUT" })).headers.get("allow"), "GET, HEAD");
  for (const path of ["/api/", "/api/nothing", "/api/stats/", "/api/Stats", "/api/../mcp-token"]) {
    assert.equal(await status({ path }), 404, path);
  }
  for (const verb of [
    "install",
    "import",
    "restore",
    "code index",
    "docs add",
    "reindex",
    "ask test",
    "batch collect",
  ]) {
    const refused = await web.post(verb);
    assert.equal(refused.status, 403, verb);
    const { code, hint } = (await refused.json()) as { code: string; hint: string };
    assert.deepEqual([code, hint], ["not_on_web", `Use \`dex ${verb}\` on the command line.`]);
  }
});

test("an error is a code, a sentence and a hint, and files outside known projects are refused", async () => {
  const cases: [verb: string, input: object, status: number, code: string][] = [
    ["search", { query: "x", limit: -1 }, 400, "bad_input"],
    ["search", { query: "x", wrong: 1 }, 400, "bad_input"],
    ["messages", { id: "nothing-like-it" }, 404, "unknown_id"],
    ["history", { repository: "/" }, 404, "unknown_project"],
    ["code files", { project: "/etc" }, 404, "unknown_project"],
    ["sync", { home: "/etc" }, 403, "not_on_web"],
    ["forget", { ids: [GROWING] }, 409, "needs_yes"],
  ];
  for (const [verb, input, expected, code] of cases) {
    const response = await web.post(verb, input);
    const error = (await response.json()) as { code: string; message: string };
    assert.deepEqual([response.status, error.code], [expected, code], `${verb} ${JSON.stringify(error)}`);
    assert.match(error.message, /\.$/);
  }
});

test("a draft leaves no trace, a settled search does", async () => {
  const traced = async (): Promise<number> => {
    const { traces } = (await (await web.post("traces", { tail: 50 })).json()) as { traces: unknown[] };
    return traces.length;
  };
  const before = await traced();
  const draft = await web.post("search", { query: "lighthouse" }, { "X-Dex-Draft": "1" });
  assert.equal(((await draft.json()) as { total: number }).total, 1);
  assert.equal(await traced(), before);
  await web.post("search", { query: "lighthouse" });
  assert.equal(await traced(), before + 1);
});

test("a draft does not wait for the first index of a project's code, which a settled search makes", async () => {
  const repo = new TestRepository();
  repo.commit("feat: light", { "src/lamp.ts": "export function lightLamp(): void {}\n" });
  home.cwd = repo.root;
  const own = await WebServer.start(home);
  const definitions = async (change: Record<string, string> = {}): Promise<unknown> => {
    const answer = await own.post("search", { query: "lightLamp", in: "all" }, change);
    return ((await answer.json()) as { totals: { definitions: number } }).totals.definitions;
  };
  assert.equal(await definitions({ "X-Dex-Draft": "1" }), 0);
  const found = await definitions();
  assert.ok(Number(found) > 0);
  assert.equal(await definitions({ "X-Dex-Draft": "1" }), found);
  await own.end();
});

test("aborted requests are dropped; the last one is answered", async () => {
  const aborted: Promise<unknown>[] = [];
  for (let i = 0; i < 40; i += 1) {
    const stop = new AbortController();
    aborted.push(
      web.post("search", { query: `lamp ${i}` }, { "X-Dex-Draft": "1" }, stop.signal).catch(() => "aborted"),
    );
    setImmediate(() => stop.abort());
  }
  const last = await web.post("search", { query: "lenses" }, { "X-Dex-Draft": "1" });
  assert.equal(((await last.json()) as { total: number }).total, 1);
  assert.deepEqual(new Set(await Promise.all(aborted)), new Set(["aborted"]));
});

test("Ctrl-C ends it cleanly, also while a page listens, and the next start has another token", async () => {
  const events = await fetch(`${web.origin}/api/events`, { headers: web.headers });
  assert.equal(await web.end(), 0);
  await events.text().catch(() => undefined);
  const { token } = web;
  web = await WebServer.start(home);
  assert.notEqual(web.token, token);
  assert.equal(await status({ headers: { Authorization: `Bearer ${token}` } }), 401);
  assert.equal(await web.end(), 0);
});
