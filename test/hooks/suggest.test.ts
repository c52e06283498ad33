/** Suggestions, feedback and their statistics of the built program, on a real repository and invented conversations. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";

const PAST = "aaaa1111-0000-4000-8000-000000000001";
const NOW = "bbbb2222-0000-4000-8000-000000000002";
const CHILD = "agent-c0ffee01";
const DAY = 86_400_000;

interface Item {
  type: string;
  title: string;
  summary: string;
  relevanceScore: number;
  entityId: string;
  actionUrl: string;
  reason: string;
  from: string;
  age: string | null;
}
interface Suggested {
  id: string;
  sessionId: string | null;
  createdAt: string;
  trigger: { type: string; source: string };
  suggestions: Item[];
  status: string;
  tokens: number;
  latencyMs: number;
  more: number;
  below: { count: number; best: number | null; short: number | null; gate: number };
}
interface Stats {
  proactive_suggestion_count: number;
  proactive_used_rate: number | null;
  proactive_dismissed_rate: number | null;
  proactive_latency_ms: { p50: number | null; p95: number | null };
  suggestion_type_distribution: { type: string; count: number; known: number; used_rate: number | null }[];
  relevance_score_vs_usage: { mean_score: number; used_share: number; count: number }[];
  feedback: { explicit: number; implicit: number };
}

interface Trace {
  command: string;
  inputs: Record<string, number>;
  dropped: { reason: string }[];
}

const AUTH = (n: number): string => `import { signOld } from "./old.ts";

/** Checks a token. Round ${n}. */
export function validateToken(token: string): boolean {
  return signOld(token).length > ${n};
}
`;

function scene(): { home: TestHome; repo: TestRepository } {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  home.cwd = repo.root;
  repo.clock = Date.now() - 60 * DAY;
  // The files of a first commit say nothing about each other.
  repo.commit("chore: start empty");
  repo.commit("feat: begin", {
    "src/auth.ts": AUTH(0),
    "src/limits.ts": "export const LIMIT = 0;\n",
    "src/colours.ts": "export const RED = 1;\n",
    "src/old.ts":
      "/** @deprecated use signNew of src/sign.ts */\nexport function signOld(text: string): string {\n  return text;\n}\n",
    "src/middleware.ts":
      'import { validateToken } from "./auth.ts";\n\nexport function handle(token: string): boolean {\n  return validateToken(token);\n}\n',
    "test/auth.test.ts":
      'import { test } from "node:test";\nimport { validateToken } from "../src/auth.ts";\ntest("a token is checked", () => {\n  validateToken("a");\n});\n',
    "docs/auth.md": "# Authentication\n\nEvery request goes through `validateToken` in `src/auth.ts`.\n",
    "docs/adr/0001-short-lived-tokens.md":
      "# 1. Short-lived tokens\n\nStatus: accepted\n\n## Context\n\nTokens leak.\n\n## Decision\n\nWe use access tokens of five minutes with a refresh in `src/auth.ts`, because a leaked token must not last.\n",
  });
  for (let i = 1; i <= 7; i += 1) {
    repo.commit(`fix(auth): limit ${i}`, { "src/auth.ts": AUTH(i), "src/limits.ts": `export const LIMIT = ${i};\n` });
  }
  repo.clock = Date.now() - 1.5 * DAY;
  repo.commit("fix(auth): refuse an empty token", {
    "src/auth.ts": AUTH(8),
    "src/limits.ts": "export const LIMIT = 8;\n",
  });
  converse(home, repo);
  assert.equal(home.run("code", "index").status, 0);
  assert.equal(home.run("sync").status, 0);
  return { home, repo };
}

function converse(home: TestHome, repo: TestRepository): void {
  writeDialogue(
    home.home,
    PAST,
    [
      { user: "Webhook retries pile up in the dispatcher queue when the receiver answers slowly" },
      { agent: "The dispatcher queue now backs off between webhook retries." },
      // Announces a call, and ends nothing.
      { agent: "Now let me push:" },
      { tool: "Edit", input: { file_path: join(repo.root, "src/auth.ts"), old_string: "a", new_string: "b" } },
    ],
    { start: Date.now() - 3.5 * DAY, cwd: repo.root },
  );
  for (const [i, topic] of [
    "colour themes of charts",
    "parsing of dates",
    "a menu for the mobile page",
    "spelling of names",
  ].entries()) {
    writeDialogue(
      home.home,
      `dddd444${i}-0000-4000-8000-000000000009`,
      [{ user: `Work on ${topic} and make it nicer` }, { agent: `Done: ${topic} are nicer.` }],
      { start: Date.now() - 20 * DAY, cwd: "/elsewhere" },
    );
  }
}

let shared: ReturnType<typeof scene> | undefined;

/** For tests that leave everything as it is. */
function unchanged(): ReturnType<typeof scene> {
  shared ??= scene();
  return shared;
}

/** For tests that leave the repository as it is: a home of their own, which has what was read of its code already. */
function ownHome(): ReturnType<typeof scene> {
  const { home: other, repo } = unchanged();
  const home = new TestHome({ vars: GIT_VARS });
  home.cwd = repo.root;
  converse(home, repo);
  cpSync(join(other.dexHome, "code"), join(home.dexHome, "code"), { recursive: true });
  assert.equal(home.run("sync").status, 0);
  return { home, repo };
}

const of = (suggested: Suggested, type: string): Item[] => suggested.suggestions.filter((item) => item.type === type);
const all = ["--min-score", "0", "--limit", "50"];

test("about a file: its decisions, changes, documents, callers, tests, partners and warnings, with reasons", () => {
  const { home, repo } = scene();
  repo.write("src/auth.ts", AUTH(9));
  writeFileSync(
    join(home.home, "report.tap"),
    "TAP version 13\n# Subtest: test/auth.test.ts\nnot ok 1 - a token is checked\n  ---\n  location: 'test/auth.test.ts:3:1'\n  error: 'wrong'\n  ...\n1..1\n",
  );
  assert.equal(home.run("tests", "import", join(home.home, "report.tap")).status, 0);
  const found = home.json<Suggested>("suggest", "--file", "src/auth.ts", ...all);
  assert.deepEqual(found.trigger, { type: "file_change", source: "src/auth.ts" });
  assert.match(found.id, /^sug_[0-9a-f]{12}$/);
  assert.equal(found.status, "shown");
  const [decision] = of(found, "decision");
  assert.match(decision?.summary ?? "", /five minutes/);
  assert.match(decision?.reason ?? "", /src\/auth\.ts/);
  assert.equal(decision?.actionUrl.split(":")[0], "docs/adr/0001-short-lived-tokens.md");
  const change = of(found, "change").find(({ title }) => title.includes("refuse an empty token"));
  assert.match(change?.summary ?? "", /^Ada, 1 day ago/);
  assert.ok(!of(found, "change").some(({ title }) => title.includes("limit 3")), "two months are not recent");
  const files = new Map(
    found.suggestions
      .filter(({ entityId }) => entityId.startsWith("file:"))
      .map((item) => [item.entityId.slice(5), item]),
  );
  assert.match(files.get("src/middleware.ts")?.reason ?? "", /calls validateToken|imports it/);
  assert.match(files.get("test/auth.test.ts")?.reason ?? "", /tests (src\/auth\.ts|it)/);
  assert.match(files.get("docs/auth.md")?.reason ?? "", /names/);
  assert.match(files.get("src/limits.ts")?.reason ?? "", /though neither imports the other/);
  assert.ok(!files.has("src/auth.ts"), "the open file itself is not suggested");
  const warnings = of(found, "warning").map(({ title }) => title);
  assert.ok(
    warnings.some((title) => title.includes("signOld")),
    warnings.join("; "),
  );
  assert.ok(
    warnings.some((title) => title.includes("a token is checked")),
    warnings.join("; "),
  );
  assert.ok(
    warnings.some((title) => title.includes("Not changed yet: src/limits.ts")),
    warnings.join("; "),
  );
  const [conversation] = of(found, "conversation");
  assert.equal(conversation?.entityId, `conversation:claude_code:${PAST}`);
  assert.match(conversation?.age ?? "", /days? ago/);
  assert.ok(found.suggestions.every(({ relevanceScore }) => relevanceScore >= 0 && relevanceScore < 1));
  const usual = home.json<Suggested>("suggest", "--file", "src/auth.ts");
  assert.equal(usual.suggestions.length, 5, "the best there is, likely or not");
  assert.equal(usual.more, found.suggestions.length - 5);
  assert.ok(new Set(usual.suggestions.map(({ type }) => type)).size >= 3, "of several types");
  const scores = usual.suggestions.map(({ relevanceScore }) => relevanceScore);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  const few = home.json<Suggested>("suggest", "--file", "src/auth.ts", "--min-relevance", "0.9");
  assert.ok(few.suggestions.every(({ relevanceScore }) => relevanceScore >= 0.9));
  assert.ok(few.below.count > 0 && Math.abs((few.below.best ?? 0) + (few.below.short ?? 0) - 0.9) < 1e-9);
});

test("the same call, the same answer; a budget holds; from what is stored it is the same", () => {
  const { home } = unchanged();
  // A score falls with age, a little even between two calls.
  const plain = ({ suggestions }: Suggested): unknown =>
    suggestions.map(({ type, entityId, reason, relevanceScore }) => [
      type,
      entityId,
      reason,
      relevanceScore.toFixed(1),
    ]);
  const first = home.json<Suggested>("suggest", "--file", "src/auth.ts");
  assert.deepEqual(plain(home.json<Suggested>("suggest", "--file", "src/auth.ts")), plain(first));
  assert.deepEqual(plain(home.json<Suggested>("suggest", "--file", "src/auth.ts", "--no-sync")), plain(first));
  const bare = home.withVars({ PATH: "/nonexistent" });
  bare.cwd = home.cwd;
  const stored = bare.run("suggest", "--file", "src/auth.ts", "--no-sync", "--json");
  assert.equal(stored.stderr, "", "no git is missed");
  assert.deepEqual(plain(JSON.parse(stored.stdout) as Suggested), plain(first));
  for (const budget of [1, 60, 150]) {
    assert.ok(
      home.json<Suggested>("suggest", "--file", "src/auth.ts", "--max-tokens", String(budget)).tokens <= budget,
    );
  }
});

test("about a symbol and about a line: those who call it", () => {
  const { home } = unchanged();
  const symbol = home.json<Suggested>("suggest", "--symbol", "validateToken", ...all);
  assert.equal(symbol.trigger.type, "symbol_focus");
  assert.ok(symbol.suggestions.some(({ title }) => title.includes("handle")));
  assert.ok(of(symbol, "doc").some(({ actionUrl }) => actionUrl === "docs/auth.md:3"));
  const line = home.json<Suggested>("suggest", "--file", "src/auth.ts", "--line", "5", ...all);
  assert.ok(line.suggestions.some(({ title }) => title.includes("handle")));
});

test("about a prompt: what it names, what was asked before and the files of that; nothing where nothing is known", () => {
  const { home } = unchanged();
  const named = home.json<Suggested>("suggest", "--prompt", "make validateToken in auth.ts stricter", ...all);
  assert.ok(
    named.suggestions.some(({ entityId, relevanceScore }) => entityId === "file:src/auth.ts" && relevanceScore >= 0.5),
  );
  const asked = home.json<Suggested>("suggest", "--prompt", "webhook retries pile up in the dispatcher queue", ...all);
  const [conversation] = of(asked, "conversation");
  assert.equal(conversation?.entityId, `conversation:claude_code:${PAST}`);
  assert.match(conversation?.actionUrl ?? "", new RegExp(`^claude_code:${PAST}(#\\d+)?$`));
  assert.match(
    conversation?.summary ?? "",
    /^edited src\/auth\.ts; ended with "The dispatcher queue now backs off between webhook retries\."$/,
  );
  const shown = home.run("show", conversation?.actionUrl ?? "");
  assert.match(shown.stdout, /dispatcher queue/, "the address opens it");
  assert.ok(
    of(asked, "related_code").some(
      ({ entityId, reason }) =>
        entityId === "file:src/auth.ts" && reason.includes(`"Webhook retries`) && reason.includes(PAST),
    ),
    "the file it edited then, with the name and address of the conversation",
  );
  const other = home.json<Suggested>("suggest", "--prompt", "spelling of names and colour themes of charts", ...all);
  for (const { summary, relevanceScore } of of(other, "conversation")) {
    if (summary.startsWith("in another project, elsewhere; ended with")) assert.ok(relevanceScore >= 0.05);
    else assert.match(summary, /^edited src/);
  }
  assert.match(home.run("suggest", "--file", "/etc/hosts").stderr, /"\/etc\/hosts" is outside the project \//);
  const silent = home.run("suggest", "--prompt", "zebra umbrella quartz", "--min-relevance", "0.5");
  assert.equal(silent.status, 1, silent.stdout);
  assert.match(silent.stdout, /^Nothing is 50% likely to be useful; \d+ less likely items? left out, the best at \d+%/);
});

test("without anything: what is being changed now, or the last commits", () => {
  const { home, repo } = scene();
  const lately = home.json<Suggested>("suggest", ...all);
  assert.ok(lately.suggestions.length > 0);
  const usual = home.run("suggest");
  assert.match(usual.stderr, /There are no uncommitted changes here: name a file or the task\./);
  const likely = home.json<Suggested>("suggest");
  assert.equal(likely.below.gate, 0.2);
  assert.ok(likely.suggestions.every(({ relevanceScore }) => relevanceScore >= 0.2));
  assert.ok(likely.suggestions.length < lately.suggestions.length + lately.more);
  repo.write("src/limits.ts", "export const LIMIT = 9;\n");
  const changed = home.json<Suggested>("suggest", ...all);
  assert.ok(of(changed, "warning").some(({ title }) => title === "Not changed yet: src/auth.ts"));
  assert.ok(changed.suggestions.some(({ reason }) => reason.startsWith("you changed src/limits.ts: ")));
  assert.doesNotMatch(home.run("suggest").stderr, /no uncommitted/);
  assert.equal(home.json<Suggested>("suggest").below.gate, 0);
});

test("a session gets no suggestion of itself or its subagents", () => {
  const { home, repo } = ownHome();
  const edit = { tool: "Edit", input: { file_path: join(repo.root, "src/auth.ts"), old_string: "a", new_string: "b" } };
  writeDialogue(home.home, NOW, [{ user: "Make tokens stricter" }, edit], { start: Date.now() - 5000, cwd: repo.root });
  writeDialogue(home.home, CHILD, [{ user: "Look at the tokens" }, edit], {
    start: Date.now() - 4000,
    cwd: repo.root,
    parent: NOW,
  });
  const ids = (session: string): string[] =>
    of(home.json<Suggested>("suggest", "--file", "src/auth.ts", "--session", session, ...all), "conversation").map(
      ({ entityId }) => entityId,
    );
  assert.deepEqual(ids(NOW), [`conversation:claude_code:${PAST}`]);
  assert.ok(ids(PAST).includes(`conversation:claude_code:${NOW}`));
  assert.ok(!ids(PAST).includes(`conversation:claude_code:${PAST}`));
});

test("feedback is kept, shown in the statistics, and moves what follows", () => {
  const { home } = ownHome();
  const first = home.json<Suggested>("suggest", "--file", "src/auth.ts", ...all);
  const at = first.suggestions.findIndex(({ type }) => type === "decision");
  const score = (): number =>
    of(home.json<Suggested>("suggest", "--file", "src/auth.ts", ...all), "decision")[0]?.relevanceScore ?? 0;
  const before = score();
  assert.equal(home.run("feedback", first.id, "used", "--item", String(at)).status, 0);
  const raised = score();
  assert.ok(raised > before);
  assert.equal(home.run("feedback", first.id, "dismissed", "--item", String(at)).status, 0, "a change of mind");
  assert.ok(score() < before);
  const stats = home.json<Stats>("suggest", "stats");
  assert.ok(stats.proactive_suggestion_count >= 4);
  assert.equal(stats.feedback.explicit, 1);
  assert.deepEqual(stats.suggestion_type_distribution.find(({ type }) => type === "decision")?.used_rate, 0);
  assert.equal(
    stats.relevance_score_vs_usage.reduce((sum, { count }) => sum + count, 0),
    1,
  );
  assert.ok((stats.proactive_latency_ms.p95 ?? 0) >= (stats.proactive_latency_ms.p50 ?? 0));
  const whole = home.json<Suggested>("suggest", "--file", "src/auth.ts");
  assert.equal(home.run("feedback", whole.id, "dismissed").status, 0);
  assert.ok((home.json<Stats>("suggest", "stats").proactive_dismissed_rate ?? 0) > 0);
  assert.match(home.run("feedback", "sug_000000000000", "used").stderr, /There is no suggestion/);
  assert.match(home.run("feedback", whole.id, "used", "--item", "99").stderr, /there is no item 99/);
  assert.match(home.run("suggest", "stats", "--all").stdout, /suggestions in all projects/);
});

test("a suggested item that the session opens counts as used", () => {
  const { home, repo } = ownHome();
  const start = Date.now() - 10_000;
  writeDialogue(home.home, NOW, [{ user: "Make tokens stricter" }], { start, cwd: repo.root });
  const got = home.json<Suggested>("suggest", "--file", "src/auth.ts", "--session", NOW, ...all);
  assert.equal(got.sessionId, NOW);
  // Records are a second apart: so many, however long the answer took, that the rest comes after it.
  const before = Math.ceil((Date.now() - start) / 1000) + 2;
  const steps: Turn[] = [
    { user: "Make tokens stricter" },
    ...Array.from({ length: before }, (_, i) => ({ agent: `thinking ${i}` })),
    { tool: "Read", input: { file_path: join(repo.root, "src/middleware.ts") } },
    { tool: "Bash", input: { command: `dex show ${PAST.slice(0, 8)}` } },
  ];
  writeDialogue(home.home, NOW, steps, { start, cwd: repo.root });
  const stats = home.json<Stats>("suggest", "stats");
  assert.equal(stats.feedback.implicit, 2);
  assert.equal(stats.proactive_used_rate, 1);
  const rate = (type: string): number | null | undefined =>
    stats.suggestion_type_distribution.find((each) => each.type === type)?.used_rate;
  assert.deepEqual([rate("related_code"), rate("conversation"), rate("decision")], [1, 1, null]);
  const more = Array.from({ length: 60 }, (_, i) => ({ agent: `going on ${i}` }));
  writeDialogue(home.home, NOW, [...steps, ...more], { start, cwd: repo.root });
  const later = home.json<Stats>("suggest", "stats");
  assert.equal(later.feedback.implicit, 2);
  assert.equal(later.suggestion_type_distribution.find(({ type }) => type === "decision")?.used_rate, 0, "ignored");
  const known = later.suggestion_type_distribution.reduce((sum, each) => sum + each.known, 0);
  assert.equal(known, got.suggestions.length, "then the outcome of every item is known");
});

test("settings turn kinds off, and all of it; a forgotten conversation leaves no suggestion behind", () => {
  const { home } = ownHome();
  const types = (): Set<string> =>
    new Set(home.json<Suggested>("suggest", "--file", "src/auth.ts", ...all).suggestions.map(({ type }) => type));
  assert.ok(types().has("conversation"));
  assert.equal(home.run("forget", PAST, "--yes").status, 0);
  assert.ok(!types().has("conversation"));
  assert.equal(home.run("config", "set", "agent.proactive.enableDecisions", "false").status, 0);
  assert.ok(!types().has("decision"));
  assert.equal(home.run("config", "set", "agent.proactive.maxSuggestions", "1").status, 0);
  assert.equal(home.json<Suggested>("suggest", "--file", "src/auth.ts").suggestions.length, 1);
  assert.equal(home.run("config", "get", "agent.proactive.maxSuggestions").stdout, "1\n");
  assert.equal(
    home.withVars({ DEX_PROACTIVE_MAX_SUGGESTIONS: "2" }).run("config", "get", "agent.proactive.maxSuggestions").stdout,
    "2\n",
  );
  assert.match(home.run("config", "set", "agent.proactive.minRelevanceScore", "3").stderr, /minRelevanceScore/);
  assert.equal(home.run("config", "reset", "agent.proactive").status, 0);
  assert.ok(types().has("decision"));
  assert.equal(home.run("config", "set", "agent.proactive.enabled", "false").status, 0);
  const off = home.run("suggest", "--file", "src/auth.ts");
  assert.equal(off.status, 1);
  assert.match(off.stderr, /Suggestions are off/);
});

test("silence is traced: how many fell under the gate, and by how much", () => {
  const { home } = unchanged();
  const none = home.json<Suggested>("suggest", "--file", "src/auth.ts", "--min-relevance", "0.99");
  assert.deepEqual(none.suggestions, []);
  const { traces } = home.json<{ traces: Trace[] }>("traces", "--tail", "1");
  assert.equal(traces[0]?.command, "suggest");
  assert.equal(traces[0]?.inputs.below_gate, none.below.count);
  assert.match(traces[0]?.dropped[0]?.reason ?? "", /below the limit/);
});

test("the text names each item's chance, its source with its date, and the call that opens it", () => {
  const { home } = unchanged();
  const { stdout } = home.run("suggest", "--file", "src/auth.ts", "--limit", "50");
  assert.match(stdout, /^\[conversation\] Webhook retries .* \(\d+% likely\)$/m);
  assert.match(stdout, new RegExp(`\\[Claude Code conversation of \\d{4}-\\d\\d-\\d\\d: claude_code:${PAST}#\\d+\\]`));
  assert.match(stdout, /\[commit of \d{4}-\d\d-\d\d: [0-9a-f]{12}\]/);
  assert.match(stdout, /`dex show <address>` opens a conversation; `git show <commit>` opens a commit/);
});

test("a project of which dex knows nothing gets an honest answer", () => {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  home.cwd = repo.root;
  const { status, stdout } = home.run("suggest", "--prompt", "zebra umbrella quartz");
  assert.equal(status, 1);
  assert.match(stdout, /^dex found nothing for this/);
  const { stderr } = home.run("suggest", "--file", "src/gone.ts");
  assert.match(stderr, /"src\/gone\.ts" is not a file in .*: these are suggestions for a new file/);
});

test("asked outright, a prompt of common words is used, and dex says that it guesses; one that says nothing is not", () => {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  home.cwd = repo.root;
  repo.commit("Add the push command", { "src/push.ts": "export const push = 1;\n" });
  const some = home.run("suggest", "--prompt", "fix the retry in push");
  assert.match(some.stdout, /src\/push\.ts/);
  assert.match(some.stderr, /The prompt says little, so these are guesses/);
  const none = home.run("suggest", "--prompt", "go on");
  assert.match(none.stderr, /The prompt does not say what it is about/);
});

test("without an index of the code, which a large project must ask for, a prompt finds files by their names, whenever they last changed", () => {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  home.cwd = repo.root;
  repo.clock = Date.now() - 60 * DAY;
  const old = ["utils/cookie.ts", "utils/cookie.test.ts", "helper/accepts.ts", "utils/headers.ts", "router.ts"];
  for (let i = 0; i <= 2000; i += 1) old.push(`icons/icon${i}.ts`);
  repo.commit("feat: begin", Object.fromEntries(old.map((path) => [`src/${path}`, "export {};\n"])));
  for (let i = 1; i <= 70; i += 1) repo.commit(`fix: router ${i}`, { "src/router.ts": `export const N = ${i};\n` });
  const asked = ["suggest", "--prompt", "add a SameSite option to the cookie helper"];
  const found = home.json<Suggested>(...asked);
  const cookie = of(found, "related_code").find(({ entityId }) => entityId === "file:src/utils/cookie.ts");
  assert.equal(cookie?.reason, "its name is in the prompt");
  assert.match(home.run(...asked).stderr, /not indexed yet; `dex code index` finds more/);
  const stored = home.json<Suggested>(...asked, "--no-sync");
  assert.deepEqual(of(stored, "related_code"), of(found, "related_code"), "the names are kept for hooks");
});

test("a prompt without content is not looked up: the answer is about the work at hand", () => {
  const { home } = unchanged();
  const ids = (...flags: string[]): string[] =>
    home.json<Suggested>("suggest", ...flags, ...all).suggestions.map(({ entityId }) => entityId);
  assert.deepEqual(ids("--prompt", "go on"), ids());
});
