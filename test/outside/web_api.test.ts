/** Every answer of the API is what its schema says and what `--json` prints. Without a browser. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as z from "zod";
import { OPERATIONS } from "../../src/operations/registry.ts";
import { startWeb, type WebServer } from "../support/browser/web.ts";
import type { TestHome } from "../support/dex.ts";
import { CONVERSATION, scene } from "../support/hook_scene.ts";

let home: TestHome;
let server: WebServer;
let suggestion = "";
let decision = "";
let trace = "";

before(async () => {
  ({ home } = scene());
  mkdirSync(join(home.home, "guides"));
  writeFileSync(join(home.home, "guides/ledger.md"), "# Ledger\n\nHow it rounds.\n\n## Half cents\n\nUp.\n");
  assert.equal(home.run("docs", "add", "guides", join(home.home, "guides"), "--global").status, 0);
  suggestion = home.json<{ id: string }>("suggest", "--prompt", "half cents", "--min-score", "0").id;
  decision = home.json<{ decisions: { id: string }[] }>("decisions").decisions[0]?.id ?? "";
  home.run("search", "half cents");
  trace = home.json<{ traces: { trace_id: string; command: string }[] }>("traces").traces[0]?.trace_id ?? "";
  server = await startWeb(home);
});
after(() => home?.remove());

async function post(verb: string, input: unknown): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(`${server.origin}/api/${verb.replaceAll(" ", "/")}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${server.token}` },
    body: JSON.stringify(input),
  });
  return { status: response.status, answer: await response.json() };
}

type Pair = [input: object, words: string[]];

/** The input of each verb that only reads, and the same words for the command line. */
const READING: Readonly<Record<string, () => Pair>> = {
  search: () => [{ query: "half cents", explain: true }, ["half cents", "--explain"]],
  fix: () => [{ error: "half cents do not add up" }, ["half cents do not add up"]],
  how: () => [{ command: "npm" }, ["npm"]],
  stats: () => [{ by: "project" }, ["--by", "project"]],
  list: () => [{}, []],
  index: () => [{}, []],
  show: () => [{ ids: [CONVERSATION] }, [CONVERSATION]],
  scan: () => [{ id: CONVERSATION }, [CONVERSATION]],
  read: () => [{ id: CONVERSATION, indices: "0-1" }, [CONVERSATION, "0-1"]],
  timeline: () => [{ anchor: `${CONVERSATION}#1` }, [`${CONVERSATION}#1`]],
  message: () => [{ address: `${CONVERSATION}#0` }, [`${CONVERSATION}#0`]],
  messages: () => [{ id: CONVERSATION }, [CONVERSATION]],
  find: () => [{ id: CONVERSATION, text: "cents" }, [CONVERSATION, "cents"]],
  family: () => [{ id: CONVERSATION }, [CONVERSATION]],
  prompts: () => [{ id: CONVERSATION }, [CONVERSATION]],
  activity: () => [{}, []],
  export: () => [{ ids: [CONVERSATION], format: "html" }, [CONVERSATION, "--format", "html"]],
  "docs list": () => [{}, []],
  "docs documents": () => [{}, []],
  "docs search": () => [{ query: "half cents" }, ["half cents"]],
  "docs search-batch": () => [{ queries: ["half cents"] }, ["half cents"]],
  "docs related": () => [{ document: "ledger.md#ledger/half-cents" }, ["ledger.md#ledger/half-cents"]],
  "docs outline": () => [{ document: "ledger.md" }, ["ledger.md"]],
  "docs section": () => [{ document: "ledger.md", section: "Half cents" }, ["ledger.md", "Half cents"]],
  "docs show": () => [{ document: "ledger.md" }, ["ledger.md"]],
  code: () => [{ action: "symbol", target: "post" }, ["symbol", "post"]],
  "code files": () => [{}, []],
  "code graph": () => [{ target: "src/ledger.ts" }, ["src/ledger.ts"]],
  history: () => [{ target: "src/ledger.ts" }, ["src/ledger.ts"]],
  blame: () => [{ place: "src/ledger.ts:1-2" }, ["src/ledger.ts:1-2"]],
  decisions: () => [{ all: true }, ["--all"]],
  "tests list": () => [{}, []],
  warnings: () => [{}, []],
  "suggest stats": () => [{}, []],
  "suggest log": () => [{ all: true }, ["--all"]],
  subscriptions: () => [{}, []],
  pins: () => [{}, []],
  notes: () => [{}, []],
  pack: () => [{ tokens: 500 }, ["--tokens", "500"]],
  handoff: () => [{ id: CONVERSATION }, [CONVERSATION]],
  traces: () => [{ tail: 1 }, ["--tail", "1"]],
  trace: () => [{ id: trace }, [trace]],
  "chat list": () => [{}, []],
  hooks: () => [{}, []],
  "config get": () => [{ key: "sync" }, ["sync"]],
  "config list": () => [{}, []],
  "config path": () => [{}, []],
};

/** Differs from run to run. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) =>
    /(?:_ms|latencyMs|seconds)$/.test(key) ? 0 : each,
  ) as unknown;
}

test("answers equal those of the command line and parse by their schema", async () => {
  const wrong: string[] = [];
  for (const [verb, pair] of Object.entries(READING)) {
    const [input, words] = pair();
    const operation = await OPERATIONS[verb]?.();
    assert.ok(operation?.readOnly, verb);
    const printed: unknown = home.json(...verb.split(" "), ...words, "--no-sync");
    const { status, answer } = await post(verb, input);
    if (status !== 200) wrong.push(`${verb}: ${status} ${JSON.stringify(answer)}`);
    else if (!operation.output.safeParse(answer).success) wrong.push(`${verb}: not of its schema`);
    else {
      try {
        assert.deepEqual(withoutTimes(answer), withoutTimes(printed));
      } catch (error) {
        wrong.push(`${verb}: ${(error as Error).message.slice(0, 400)}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("writing verbs answer by their schema, and errors have a code, a sentence and a hint", async () => {
  const calls: [string, object][] = [
    ["feedback", { suggestionId: suggestion, action: "used" }],
    ["decide", { text: "Ledgers are blue" }],
    ["decisions accept", { id: decision }],
    ["decisions supersede", { id: decision }],
    ["decisions reject", { id: decision }],
    ["pin", { text: "Cents are whole" }],
    ["note", { text: "In May" }],
    ["config set", { key: "sync.headless", value: "true" }],
    ["config reset", { keys: ["sync.headless"] }],
    ["doctor", {}],
    ["forget", { ids: [CONVERSATION], dry_run: true }],
  ];
  for (const [verb, input] of calls) {
    const { status, answer } = await post(verb, input);
    const operation = await OPERATIONS[verb]?.();
    assert.equal(status, 200, `${verb}: ${JSON.stringify(answer)}`);
    assert.ok(operation?.output.safeParse(answer).success, verb);
  }
  const { status, answer } = await post("read", { id: "nowhere", indices: "0" });
  assert.equal(status, 404);
  const shape = z.object({ code: z.string(), message: z.string(), hint: z.string().optional() });
  assert.ok(shape.strict().safeParse(answer).success, JSON.stringify(answer));
  assert.equal((await post("search", { nonsense: 1 })).status, 400);
});

test("the description of the API names every verb that was called here, and each with its schema", async () => {
  const response = await fetch(`${server.origin}/api/openapi.json`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  const { paths } = (await response.json()) as { paths: Record<string, unknown> };
  for (const verb of Object.keys(READING)) assert.ok(`/api/${verb.replaceAll(" ", "/")}` in paths, verb);
  const readers = [];
  for (const [verb, load] of Object.entries(OPERATIONS))
    if ((await load()).readOnly && paths[`/api/${verb.replaceAll(" ", "/")}`]) readers.push(verb);
  const left = readers.filter((verb) => !Object.hasOwn(READING, verb));
  // Their answers differ from call to call: a model, the ids of new suggestions, plans with times.
  assert.deepEqual(left.toSorted(), KNOWN_LEFT.toSorted());
});

const KNOWN_LEFT: readonly string[] = ["ask", "batch plan", "suggest"];
