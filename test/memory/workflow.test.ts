/** Workflows of the built program: compiled without a model, by one, interrupted and gone on with. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { type ModelReply, type ModelServer, startModelServer, userTexts } from "../support/model/model_server.ts";
import { type Answer, TestHome } from "../support/program/dex.ts";

const program = join(import.meta.dirname, "../../dist/dex.js");
const KEY = "sk-workflow-0123456789abcdef";
const A = "aaaa1111-0000-4000-8000-000000000001";
const B = "bbbb2222-0000-4000-8000-000000000002";

interface Outcome {
  engine: string;
  report: string;
  run: string;
  path: string;
  batches: number;
  resumed: number;
  conversations: number;
  usage?: { input: number; output: number; cost?: number };
}

function newHome(dialogues: Record<string, readonly Turn[]>): TestHome {
  const home = new TestHome();
  for (const [i, [id, turns]] of Object.entries(dialogues).entries()) {
    writeDialogue(home.home, id, turns, { start: Date.parse(`2026-03-0${i + 1}T10:00:00Z`) });
  }
  return home;
}

async function server(script: (n: number, text: string) => ModelReply): Promise<ModelServer> {
  const started = await startModelServer((request, n) => script(n, userTexts(request).join("\n")));
  return started;
}

/** Not waited for in the way of TestHome: the model's server lives in this process. */
function start(home: TestHome, args: readonly string[], vars: Record<string, string> = {}): ChildProcess {
  const env = { ...home.env, ...vars };
  return spawn(process.execPath, [program, ...args], { cwd: home.home, env, stdio: ["ignore", "pipe", "pipe"] });
}

function run(home: TestHome, args: readonly string[], vars: Record<string, string> = {}): Promise<Answer> {
  return home.withVars(vars).runBeside(...args);
}

async function json(home: TestHome, args: readonly string[], vars: Record<string, string> = {}): Promise<Outcome> {
  const answer = await run(home, [...args, "--json"], vars);
  assert.equal(answer.status, 0, answer.stderr);
  return JSON.parse(answer.stdout) as Outcome;
}

const modelVars = ({ url }: ModelServer): Record<string, string> => ({
  DEX_LLM_PROVIDER: url,
  DEX_LLM_MODEL: "scripted",
  DEX_LLM_API_KEY: KEY,
});

const found = (...items: { text: string; kind: string; refs: string[] }[]): ModelReply => ({
  text: JSON.stringify({ items }),
  usage: { input: 100, output: 10 },
});

/** Every `id#index` in a report must be a message that is there. */
function assertReferences(home: TestHome, report: string): number {
  const refs = [...new Set([...report.matchAll(/`([^`\s]+#\d+)`/g)].map(([, ref = ""]) => ref))];
  for (const ref of refs) assert.equal(home.run("message", ref, "--no-sync").status, 0, ref);
  return refs.length;
}

test("summarize without a model: asked, outcome, files, commits, commands, each with its reference", async () => {
  const home = new TestHome({ samples: true });
  const first = await json(home, ["workflow", "summarize", "--period", "all"]);
  assert.equal(first.engine, "extractive");
  assert.equal(first.conversations, 4);
  assert.match(first.report, /### Fix the flaky rate limit test/);
  assert.match(first.report, /- Commits: a41c9e2 fix\(rate-limit\)/);
  assert.match(first.report, /- Failed, then passed: 'npm run migrate/);
  assert.match(first.report, /without a model/);
  assert.ok(assertReferences(home, first.report) >= 8);
  assert.equal(readFileSync(first.path, "utf8"), first.report);
  const again = await json(home, ["workflow", "summarize", "--period", "all"]);
  assert.deepEqual(again, { ...first, resumed: first.batches });
  const small = await json(home, ["workflow", "summarize", "--period", "all", "--tokens", "2000"]);
  assert.ok(small.batches > 1);
  assert.equal(small.report.split("\n---\n")[0], first.report.split("\n---\n")[0], "batches do not change the report");
  assert.equal((await run(home, ["workflow", "summarize", "--period", "today"])).status, 1);
  assert.match((await run(home, ["workflow", "summarize", "--period", "someday"])).stderr, /"someday" is not a period/);
});

const RULES: Record<string, readonly Turn[]> = {
  [A]: [
    { user: "Add a parser for the config. Always use tabs." },
    { agent: "I added it with regular expressions." },
    { user: "No, use the yaml package instead of regular expressions." },
    { command: "npm test", output: "1 failed", failed: true },
    { agent: "I always retry it. Never mind." },
    { user: "It always fails on CI. I prefer zod for validation of the config." },
    { agent: "Done." },
  ],
  [B]: [{ user: "please always use tabs!" }, { agent: "Noted." }, { user: "Thanks, is the config validated?" }],
};

test("extract-rules without a model: rules by kind, with counts and references", async () => {
  const home = newHome(RULES);
  const { report } = await json(home, ["workflow", "extract-rules"]);
  const [standing = "", corrections = ""] = report.split("## Corrections");
  assert.match(standing, new RegExp(`Always use tabs\\. — 2 times in 2 conversations \\(\`${A}#0\`, \`${B}#0\`\\)`));
  assert.match(standing, /I prefer zod/);
  assert.match(corrections, /No, use the yaml package.*after: I added it with regular expressions/);
  assert.doesNotMatch(report, /always fails|always retry|Never mind/);
  assertReferences(home, report);
});

test("preferences without a model: the person's sentences about the topic", async () => {
  const home = newHome(RULES);
  const { report } = await json(home, ["workflow", "preferences", "config validation"]);
  const lines = report.split("\n").filter((line) => line.startsWith("- "));
  assert.match(lines[0] ?? "", new RegExp(`I prefer zod for validation of the config.*requires; \`${A}#\\d+\``));
  assert.doesNotMatch(report, /tabs/);
  assertReferences(home, report);
  assert.equal((await run(home, ["workflow", "preferences", "kubernetes"])).status, 1);
  assert.match(
    (await run(home, ["workflow", "preferences", "..."])).stderr,
    /The topic contains no word to search for/,
  );
});

test("a model's findings are kept with checked references; the key goes to its server and nowhere else", async () => {
  const home = newHome(RULES);
  const model = await server(() =>
    found(
      { text: "Use tabs.", kind: "standing", refs: ["c1#0", "c2#0", "c7#3"] },
      { text: "Invented.", kind: "standing", refs: ["c1#999"] },
      { text: "Odd kind.", kind: "nonsense", refs: ["[c2#0]"] },
    ),
  );
  const vars = { ...modelVars(model), DEX_LLM_INPUT_PRICE: "1", DEX_LLM_OUTPUT_PRICE: "10" };
  const outcome = await json(home, ["workflow", "extract-rules"], vars);
  assert.equal(outcome.engine, "model");
  assert.equal(model.requests.length, 1);
  assert.match(outcome.report, new RegExp(`Use tabs\\. — 2 times in 2 conversations \\(\`${A}#0\`, \`${B}#0\`\\)`));
  assert.match(outcome.report, /Odd kind/);
  assert.doesNotMatch(outcome.report, /Invented|999/);
  assert.match(outcome.report, /2 references to messages that were not read were dropped, and 1 finding/);
  assert.deepEqual(outcome.usage, { input: 100, output: 10, cost: 0.0002 });
  const sent = model.requests[0];
  assert.equal(sent?.headers.authorization, `Bearer ${KEY}`);
  assert.match(JSON.stringify(sent?.body.response_format), /json_schema/);
  for (const file of readdirSync(home.dexHome, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(KEY), `${file.name} holds the key`);
  }
});

test("a model that gives no JSON is asked once more, then the batch is compiled without it", async () => {
  const home = newHome(RULES);
  const model = await server(() => ({ text: "I'd rather chat." }));
  const { report } = await json(home, ["workflow", "extract-rules"], modelVars(model));
  assert.equal(model.requests.length, 2);
  assert.match(report, /Always use tabs/);
  assert.match(report, /scripted gave no usable answer for batch 1 of 1/);
});

/** Enough text for several small batches. */
function manyDialogues(count: number): Record<string, readonly Turn[]> {
  const entries = Array.from({ length: count }, (_, i): [string, Turn[]] => [
    `cccc${i}000-0000-4000-8000-00000000000${i}`,
    [{ user: `Question ${i}: ${"how does the parser work ".repeat(200)}` }, { agent: `Answer ${i}.` }],
  ]);
  return Object.fromEntries(entries);
}

const SUMMARIZE = ["workflow", "summarize", "--period", "all", "--tokens", "2000"];

test("a killed run continues with the missing batches; new conversations need only their own", async () => {
  const home = newHome(manyDialogues(5));
  assert.equal(home.run("sync").status, 0);
  let hang = true;
  let reached = (): void => {};
  const third = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const model = await server((n) => {
    if (n === 2) reached();
    return hang && n === 2 ? { hangMs: 30_000 } : found({ text: `Told ${n}.`, kind: "done", refs: ["c1#0"] });
  });
  const child = start(home, SUMMARIZE, modelVars(model));
  const ended = new Promise((resolve) => child.on("close", resolve));
  await third;
  child.kill("SIGKILL");
  await ended;
  hang = false;
  const before = model.requests.length;
  const rest = await json(home, SUMMARIZE, modelVars(model));
  assert.equal(before, 3);
  assert.equal(rest.batches, 5);
  assert.equal(rest.resumed, 2);
  assert.equal(model.requests.length, before + 3);
  for (const n of [0, 1, 3, 4, 5]) assert.match(rest.report, new RegExp(`Told ${n}\\.`));
  writeDialogue(home.home, B, [{ user: "One more." }, { agent: "Done." }], {
    start: Date.parse("2026-04-01T10:00:00Z"),
  });
  const grown = await json(home, SUMMARIZE, modelVars(model));
  assert.notEqual(grown.run, rest.run);
  assert.equal(grown.resumed, grown.batches - 1);
  const anew = await json(home, [...SUMMARIZE, "--restart"], modelVars(model));
  assert.equal(anew.resumed, 0);
});

test("a failing model ends the run with a sentence, and finished batches stay", async () => {
  const home = newHome(manyDialogues(3));
  const model = await server((n) =>
    n === 1 ? { status: 401, text: `bad key ${KEY}` } : found({ text: "Told.", kind: "done", refs: ["c1#0"] }),
  );
  const failed = await run(home, SUMMARIZE, modelVars(model));
  assert.equal(failed.status, 2);
  assert.match(failed.stderr, /scripted at 127\.0\.0\.1:\d+ answered 401: bad key .*1 batch of 3/s);
  assert.match(failed.stderr, /again to continue/);
  assert.ok(!failed.stderr.includes(KEY));
  assert.equal((await json(home, SUMMARIZE, modelVars(model))).resumed, 1);
});

test("instructions for an agent name commands that work", async () => {
  const home = newHome(RULES);
  const answer = home.run("workflow", "extract-rules", "--prompt", "--project", "srv/demo");
  assert.equal(answer.status, 0, answer.stderr);
  const plan = /`dex (batch plan [^`]+)`/.exec(answer.stdout)?.[1] ?? "";
  assert.equal(home.run(...plan.split(" ")).status, 0, plan);
  assert.match(answer.stdout, /dex batch collect <folder>/);
  const topic = home.run("workflow", "preferences", "config", "--prompt");
  assert.match(topic.stdout, new RegExp(`dex batch plan .*${A}`));
  assert.ok(!existsSync(join(home.dexHome, "workflows")), "nothing was run");
});

test("forgetting a conversation removes it from the runs that quote it", async () => {
  const home = newHome(RULES);
  const { path } = await json(home, ["workflow", "extract-rules"]);
  assert.ok(existsSync(path));
  assert.equal(home.run("forget", A, "--yes").status, 0);
  assert.ok(!existsSync(path));
});
