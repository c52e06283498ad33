/**
 * The JSON answer of every verb in the registry is what its output schema says: no field more, none less. The API gives
 * the same answer.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { parseArgs } from "../../src/cli/arguments.ts";
import { verbPath } from "../../src/http/paths.ts";
import { isOnWeb, type Operation } from "../../src/operations/operation.ts";
import { familyOfVerb, OPERATIONS } from "../../src/operations/registry.ts";
import { renderOutput } from "../../src/rendering/registry.ts";
import { CONVERSATION, scene } from "../support/clients/hook_scene.ts";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { startModelServer } from "../support/model/model_server.ts";
import type { Answer, TestHome } from "../support/program/dex.ts";
import type { TestRepository } from "../support/repository.ts";
import { WebServer } from "../support/servers/web.ts";

const WORK = "cccccccc-0000-4000-8000-000000000003";
/** A session with recorded tokens, of an earlier day: the projection of a running block changes by the minute. */
const COUNTED = "dddddddd-0000-4000-8000-000000000004";

let home: TestHome;
let repo: TestRepository;
let web: WebServer;
/** The answers by verb: later commands name ids of earlier answers. */
const answers = new Map<string, Record<string, unknown>>();

before(async () => {
  ({ home, repo } = scene());
  mkdirSync(join(home.home, "guides"));
  write("guides/ledger.md", "# Ledger\n\nHow the ledger rounds.\n\n## Half cents\n\nHalf cents are rounded up.\n");
  write("guides/report.md", "# Report\n\n## Rounding\n\nHalf cents of the ledger are rounded up in reports, too.\n");
  write("results/one.json", '[{"text":"Round half cents up","conversation":"aaaaaaaa"}]');
  write("other.jsonl", '{"conversation":"other-1-conversation","role":"user","text":"how do I rotate keys?"}\n');
  write(
    "suite.yaml",
    "name: ledger\ntests:\n  - id: half\n    query: How are half cents rounded?\n    keywords: [up]\n",
  );
  const chat = {
    id: "2026-03-01T10-00-00Z",
    summary: "The ledger",
    project: repo.root,
    started: "2026-03-01T10:00:00.000Z",
    duration_ms: 1000,
    tokens: { input: 1, output: 1, reasoning: 0, cache_read: 0, cache_write: 0 },
    messages: 2,
  };
  write(`.dex/chat-sessions/${chat.id}/metadata.json`, JSON.stringify(chat));
  const turns = [
    { user: "Please round half cents up, always" },
    { command: "npm run check", output: "error: half cents do not add up", failed: true },
    { command: "npm run check", output: "fine" },
    { agent: "I chose to round half cents up instead of down, because sums must be exact." },
    { tool: "Write", input: { file_path: join(repo.root, "src/rates.ts"), content: "export const rate = 3;\n" } },
  ];
  writeDialogue(home.home, WORK, turns, { start: Date.now() - 1_800_000, cwd: repo.root });
  write(`.claude/projects/-srv-demo/${COUNTED}.jsonl`, countedSession());
  web = await WebServer.start(home);
});

function countedSession(): string {
  const usage = { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 900 };
  const message = {
    id: "m-1",
    role: "assistant",
    model: "claude-opus-5",
    content: [{ type: "text", text: "ok" }],
    usage,
  };
  const common = { cwd: "/srv/demo", sessionId: COUNTED, entrypoint: "cli" };
  const times = [86_460_000, 86_400_000].map((ago) => new Date(Date.now() - ago).toISOString());
  const records = times.map((timestamp, i) => {
    const each = { type: "assistant", uuid: `u-${i}`, requestId: `r-${i}`, timestamp, ...common };
    return { ...each, message: { ...message, id: `m-${i}` } };
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function write(path: string, text: string): string {
  const file = join(home.home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A value of an earlier answer. */
function of(verb: string, ...path: string[]): string {
  let value: unknown = answers.get(verb);
  for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step];
  assert.ok(typeof value === "string", `${verb} has ${path.join(".")}: ${JSON.stringify(answers.get(verb))}`);
  return value;
}

/** The words behind each verb, in the order in which they are run: what is removed was added by a verb before it. */
const WORDS: Readonly<Record<string, () => string[]>> = {
  sync: () => ["--full"],
  stats: () => ["--by", "project"],
  list: () => [],
  index: () => [],
  search: () => ["half cents of the ledger", "--in", "all", "--explain"],
  fix: () => ["error: half cents do not add up"],
  how: () => ["npm run"],
  show: () => [CONVERSATION, WORK, "--max-tokens", "400"],
  scan: () => [WORK],
  read: () => [WORK, "0-2"],
  timeline: () => [`${WORK}#1`],
  prompts: () => [WORK, "--positions"],
  message: () => [`${WORK}#0`],
  messages: () => [WORK, "--count", "20"],
  find: () => [WORK, "half cents"],
  family: () => [WORK],
  activity: () => [],
  usage: () => ["model", "--breakdown"],
  "usage blocks": () => ["--token-limit", "1000"],
  export: () => [WORK, "--format", "jsonl"],
  import: () => [join(home.home, "other.jsonl")],
  forget: () => ["other-1-conversation", "--yes"],
  reindex: () => [],
  traces: () => [],
  trace: () => [of("traces", "traces", "1", "trace_id"), "--replay"],
  "batch plan": () => [],
  "batch collect": () => [join(home.home, "results")],
  "workflow summarize": () => ["--period", "all", "--no-model"],
  "workflow extract-rules": () => ["--no-model"],
  "workflow preferences": () => ["half cents", "--no-model"],
  "chat list": () => [],
  "chat rm": () => [of("chat list", "chats", "0", "id")],
  "docs add": () => ["guides", join(home.home, "guides")],
  "docs sync": () => ["--full"],
  "docs list": () => [],
  "docs documents": () => [],
  "docs search": () => ["half cents", "--explain"],
  "docs search-batch": () => ["half cents", "reports"],
  "docs related": () => ["ledger.md#ledger/half-cents"],
  "docs outline": () => ["ledger.md"],
  "docs section": () => ["ledger.md", "Half cents"],
  "docs show": () => ["ledger.md"],
  "docs pack": () => [join(home.home, "guides"), "--output", join(home.home, "guides.tar.gz")],
  trust: () => ["--show"],
  ask: () => ["How are half cents rounded?", "--no-model"],
  "ask test": () => [join(home.home, "suite.yaml"), "--no-model"],
  "docs remove": () => ["guides"],
  "config set": () => ["sync.headless", "true"],
  "config get": () => ["sync"],
  "config list": () => [],
  "config path": () => [],
  "config reset": () => ["sync.headless"],
  "code index": () => ["--rebuild"],
  code: () => ["symbol", "post", "--mentions"],
  "code files": () => [],
  "code graph": () => ["post"],
  history: () => ["src/ledger.ts"],
  blame: () => ["src/ledger.ts:1-2"],
  restore: () => ["src/rates.ts"],
  decisions: () => ["--all"],
  decide: () => ["Reports are kept for a year", "--because", "auditors ask", "--file", "src/report.ts"],
  "decisions accept": () => [of("decide", "decision", "id")],
  "decisions supersede": () => [of("decide", "decision", "id"), of("decisions", "decisions", "0", "id")],
  "decisions reject": () => [of("decide", "decision", "id")],
  "decisions extract": () => [WORK],
  "tests import": () => [join(home.home, "report.tap")],
  "tests list": () => [],
  warnings: () => [],
  suggest: () => ["--prompt", "half cents of the ledger", "--min-score", "0"],
  feedback: () => [of("suggest", "id"), "used"],
  "suggest stats": () => [],
  "suggest log": () => ["--all"],
  subscribe: () => ["--file", "src/**"],
  subscriptions: () => [],
  "subscriptions disable": () => [of("subscribe", "subscription", "id")],
  "subscriptions enable": () => [of("subscribe", "subscription", "id")],
  "subscriptions poll": () => [],
  "subscriptions deliver": () => [],
  "subscriptions dead": () => [],
  unsubscribe: () => [of("subscribe", "subscription", "id")],
  pin: () => ["Amounts are whole cents", "--file", "src/ledger.ts"],
  pins: () => [],
  unpin: () => [of("pin", "saved", "id")],
  note: () => ["The ledger is locked at night"],
  notes: () => [],
  "notes rm": () => [of("note", "saved", "id")],
  save: () => ["Sums are exact", "--kind", "gotcha", "--session", CONVERSATION],
  pack: () => ["--task", "round half cents"],
  compact: () => ["--no-model"],
  resume: () => [CONVERSATION],
  handoff: () => [CONVERSATION],
  refresh: () => [],
  gc: () => [],
  install: () => ["claude_code", "--hooks", "--dry-run"],
  uninstall: () => ["claude_code", "--dry-run"],
  hooks: () => [],
  "hooks off": () => ["--project"],
  "hooks on": () => ["--project"],
  doctor: () => [],
};

/** Verbs that ask a server of this process, which can answer only while this process goes on. */
const BESIDE = new Set(["decisions extract"]);
/** Nothing waits, and nothing is wrong: the answer is the empty one. */
const EMPTY = new Set(["subscriptions poll", "subscriptions dead"]);

async function answerTo(verb: string, words: string[]): Promise<Answer> {
  const args = [...verb.split(" "), ...words, "--json"];
  if (!BESIDE.has(verb)) return home.run(...args);
  const item = { because: null, alternatives: [], entities: ["src/ledger.ts"], message: 5 };
  const decisions = [{ ...item, decision: "Half cents are rounded up.", quote: "round half cents up instead of down" }];
  const model = await startModelServer(() => ({ text: JSON.stringify({ decisions }) }));
  const vars = { DEX_LLM_PROVIDER: model.url, DEX_LLM_MODEL: "scripted", DEX_LLM_API_KEY: "sk-test-0123456789" };
  try {
    return await home.withVars(vars).runBeside(...args, "--repository", repo.root);
  } finally {
    await model.close();
  }
}

test("every verb of the registry is tried", () => {
  // Those of teams need a server: test/outside/team/verbs.test.ts.
  const here = Object.keys(OPERATIONS).filter((verb) => familyOfVerb(verb) !== "team");
  assert.deepEqual(Object.keys(WORDS).sort(), here.sort());
});

test("the description of the API lists exactly the verbs that are offered over HTTP", async () => {
  const response = await fetch(`${web.origin}/api/openapi.json`, { headers: web.headers });
  const { paths } = (await response.json()) as { paths: Record<string, { post: { operationId: string } }> };
  const offered: string[] = [];
  for (const [verb, load] of Object.entries(OPERATIONS)) if (isOnWeb(await load())) offered.push(verbPath(verb));
  assert.deepEqual(Object.keys(paths).sort(), offered.sort());
  assert.equal(paths["/api/decisions/accept"]?.post.operationId, "dex_decisions_accept");
});

for (const [verb, words] of Object.entries(WORDS)) {
  test(`dex ${verb}`, async () => {
    const { status, stdout, stderr } = await answerTo(verb, words());
    assert.equal(status, EMPTY.has(verb) ? 1 : 0, `${stderr}${stdout}`);
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    answers.set(verb, answer);
    const operation = await OPERATIONS[verb]?.();
    // Unknown fields are left out by a schema, at any depth: then the two differ.
    assert.deepEqual(operation?.output.parse(answer), answer);
    // A verb without a renderer would be shown as JSON.
    const text = await renderOutput(verb, answer, { width: 80, color: false, now: Date.now() });
    assert.notEqual(text, JSON.stringify(answer, null, 2));
    if (operation?.readOnly && isOnWeb(operation)) await sameOnWeb(operation, words(), answer);
  });
}

/** Fields that differ from one call to the next. */
const CHANGING = new Set(["ms", "duration_ms", "latency_ms", "latencyMs", "createdAt"]);
/** Every call of these makes something new. */
const NEW_EACH_TIME = new Set(["suggest"]);

async function sameOnWeb(operation: Operation, words: string[], answer: unknown): Promise<void> {
  const response = await web.post(operation.verb, parseArgs(operation, words).input);
  const given = (await response.json()) as unknown;
  assert.equal(response.status, 200, JSON.stringify(given));
  operation.output.parse(given);
  const settled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, each) => (CHANGING.has(key) ? undefined : each)));
  if (!NEW_EACH_TIME.has(operation.verb)) assert.deepEqual(settled(given), settled(answer));
}
