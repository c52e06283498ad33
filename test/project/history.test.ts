/** History, blame, decisions, tests and warnings of the built program, on real repositories and invented conversations. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { startModelServer } from "../support/model/model_server.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, makeRepository, TestRepository, temporaryFolder } from "../support/repository.ts";

const ID = "aaaa1111-0000-4000-8000-000000000001";
const LATER = "bbbb2222-0000-4000-8000-000000000002";

interface History {
  kind: string;
  events: {
    kind: string;
    ref: string;
    text: string;
    how?: string;
    symbols?: string[];
    conversation?: { address: string; by: string };
  }[];
  partners: { path: string }[];
}
interface Decisions {
  decisions: {
    id: string;
    text: string;
    status: string;
    origin: string;
    origin_name: string;
    place: string;
    because: string | null;
    files: string[];
  }[];
  total: number;
}

/** A repository whose second commit was made in a conversation, and rebased afterwards. */
function scene(): { home: TestHome; repo: TestRepository; made: string; at: readonly string[] } {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  repo.commit("feat: begin", { "src/pool.ts": "export function openPool() {\n  return 1;\n}\n", "README.md": "pool" });
  const start = repo.clock + 10_000;
  const made = repo.commit("feat(pool): close idle connections", {
    "src/pool.ts": "export function openPool() {\n  return closeIdleConnections(30);\n}\n",
  });
  const [short, file] = [made.slice(0, 7), join(repo.root, "src/pool.ts")];
  writeDialogue(
    home.home,
    ID,
    [
      { user: "Connections pile up. Close idle ones." },
      {
        agent: "I chose a timer over a reference count in `src/pool.ts` because `openPool` is called from two threads.",
      },
      {
        tool: "Edit",
        input: { file_path: file, old_string: "  return 1;", new_string: "  return closeIdleConnections(30);" },
        output: "ok",
      },
      {
        tool: "Bash",
        input: { command: "npm test" },
        output:
          "✖ closes idle ones (3.1ms)\nℹ tests 4\nℹ pass 3\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/pool.test.ts:9:1\n✖ closes idle ones (3.1ms)\n  'still open'\n",
        failed: true,
      },
      {
        tool: "Bash",
        input: { command: "git commit -am x" },
        output: `[main ${short}] feat(pool): close idle connections\n 1 file changed, 1 insertion(+), 1 deletion(-)\n`,
      },
      { user: "Thanks." },
    ],
    { start, cwd: repo.root },
  );
  return { home, repo, made, at: ["--repository", repo.root] };
}

test("a file's history is one timeline, and a line leads to the conversation that wrote it", () => {
  const { home, repo, made, at } = scene();
  const history = home.json<History>("history", "src/pool.ts", ...at);
  assert.deepEqual(
    history.events.filter(({ kind }) => kind === "commit").map(({ text }) => text),
    ["feat(pool): close idle connections", "feat: begin"],
  );
  const commit = history.events.find(({ ref }) => ref === made);
  assert.deepEqual(
    [commit?.conversation?.address, commit?.conversation?.by, commit?.symbols],
    [`${ID}#7`, "sha", ["openPool"]],
  );
  assert.ok(history.events.some(({ kind, text }) => kind === "decision" && /timer over a reference count/.test(text)));
  const symbol = home.json<History>("history", "openPool", ...at);
  assert.deepEqual([symbol.kind, symbol.events.filter(({ kind }) => kind === "commit").length], ["symbol", 2]);
  const [blamed] = home.json<{
    ranges: { commit: { sha: string }; conversation: { id: string }; written_by: { address: string } }[];
  }>("blame", "src/pool.ts:2", ...at).ranges;
  assert.deepEqual([blamed?.commit.sha, blamed?.conversation.id, blamed?.written_by.address], [made, ID, `${ID}#2`]);
  repo.git(
    "commit",
    "--quiet",
    "--amend",
    "--reset-author",
    "--date",
    new Date(repo.clock).toISOString(),
    "--no-edit",
    "--cleanup=verbatim",
    "--signoff",
  );
  const [amended] = home.json<History>("history", "src/pool.ts", ...at).events.filter(({ kind }) => kind === "commit");
  assert.notEqual(amended?.ref, made);
  assert.deepEqual([amended?.conversation?.address, amended?.conversation?.by], [`${ID}#7`, "message"]);
  const below = home.json<History>("history", "src/", ...at);
  assert.equal(below.kind, "folder");
  assert.deepEqual(
    below.events.filter(({ kind }) => kind === "commit").map(({ text }) => text),
    ["feat(pool): close idle connections", "feat: begin"],
  );
  assert.match(home.run("blame", "src", ...at).stdout, /3 lines/);
  assert.equal(home.json<History>("history", repo.root, ...at).kind, "project");
  assert.equal(home.run("history", "src/pole.ts", ...at).status, 1);
  assert.match(home.run("history", "src/pole.ts", ...at).stderr, /Did you mean src\/pool\.ts/);
  assert.match(home.run("blame", "src/pool.ts:3-2", ...at).stderr, /does not name a range of lines/);
  assert.match(home.run("history", "src/pool.ts", ...at).stdout, /made by aaaa1111/);
});

test("a conversation that edited the files at that time is shown as a guess", () => {
  const { home, repo, at } = scene();
  const start = repo.clock + 100_000;
  writeDialogue(
    home.home,
    LATER,
    [
      { user: "Rename the readme's title." },
      { tool: "Write", input: { file_path: join(repo.root, "README.md"), content: "Pools" }, output: "ok" },
    ],
    { start, cwd: repo.root },
  );
  repo.clock = start + 60_000;
  repo.commit("docs: title", { "README.md": "Pools" });
  const [commit] = home.json<History>("history", "README.md", ...at).events;
  assert.deepEqual([commit?.conversation?.address, commit?.conversation?.by], [LATER, "files"]);
});

test("decisions: from records, commits, marks and conversations, by words, file and status", () => {
  const { home, repo, at } = scene();
  repo.commit("perf: read frames lazily\n\nDecision: decode a frame on first use\nWhy: most are never read", {
    "src/frame.ts": "// NOTE(decision): no cache here, because frames are small\n",
  });
  repo.write(
    "docs/adr/0001-one-writer.md",
    "# 1. One writer\n\nDate: 2026-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nTwo corrupt it.\n\n## Decision\n\nOne writer at a time.\n\n## Consequences\n\nNone.\n",
  );
  const all = home.json<Decisions>("decisions", ...at).decisions;
  const byOrigin = new Map(all.map((each) => [each.origin, each]));
  assert.deepEqual([...byOrigin.keys()].sort(), ["adr", "conversation", "marker", "trailer"]);
  assert.equal(byOrigin.get("conversation")?.place, `${ID}#1`);
  assert.equal(byOrigin.get("conversation")?.status, "accepted", "a later commit touched the file");
  assert.equal(byOrigin.get("adr")?.place, "docs/adr/0001-one-writer.md:13");
  assert.equal(byOrigin.get("trailer")?.origin_name, "trailer of a commit");
  assert.equal(byOrigin.get("trailer")?.because, "most are never read");
  const texts = (...args: string[]): string[] =>
    home.json<Decisions>("decisions", ...args, ...at).decisions.map(({ origin }) => origin);
  assert.match(
    home.run("decisions", "--file", "src/pol.ts", ...at).stderr,
    /Neither the working tree nor any commit has a file src\/pol\.ts\. Did you mean src\/pool\.ts\?/,
  );
  assert.deepEqual(texts("timers"), ["conversation"]);
  assert.deepEqual(texts("--file", "src/frame.ts").sort(), ["marker", "trailer"]);
  assert.deepEqual(texts("--symbol", "openPool"), ["conversation"]);
  assert.deepEqual(texts("--status", "superseded"), []);
  assert.equal(home.run("decisions", "kubernetes", ...at).status, 1);
});

test("a person's decisions and verdicts survive when the history is read again", () => {
  const { home, at } = scene();
  const told = home.json<{ decision: { id: string; status: string } }>(
    "decide",
    "Pools close after a minute",
    "--because",
    "users pause",
    "--file",
    "src/pool.ts",
    ...at,
  );
  assert.equal(told.decision.status, "accepted");
  const typo = home.run("decide", "Pools open early", "--file", "src/pole.ts", ...at);
  assert.match(typo.stderr, /^dex: There is no file src\/pole\.ts in /);
  const found = home.json<Decisions>("decisions", ...at).decisions.find(({ origin }) => origin === "conversation");
  assert.ok(found);
  const status = (id: string): string | undefined =>
    home.json<Decisions>("decisions", "--all", ...at).decisions.find((each) => each.id === id)?.status;
  home.json("decisions", "supersede", found.id, told.decision.id, ...at);
  assert.equal(status(found.id), "superseded");
  home.json("decisions", "reject", found.id, ...at);
  assert.ok(!home.json<Decisions>("decisions", ...at).decisions.some(({ id }) => id === found.id));
  const folder = join(home.dexHome, "history");
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "");
  assert.equal(status(found.id), "rejected");
  home.json("decisions", "accept", found.id.slice(0, 6), ...at);
  assert.equal(status(found.id), "accepted");
  assert.equal(status(told.decision.id), "accepted");
  assert.match(home.run("decisions", "accept", "zzzz", ...at).stderr, /no decision "zzzz"/);
});

test("a model tells decisions; a quote that stands nowhere is dropped", async () => {
  const { home, at } = scene();
  assert.match(home.run("decisions", "extract", ID, ...at).stderr, /No language model is configured/);
  const item = { because: null, alternatives: [], entities: ["src/pool.ts"], message: 1 };
  const decisions = [
    { ...item, decision: "Idle connections are closed by a timer.", quote: "a timer over a reference count" },
    { ...item, decision: "Invented.", quote: "words that nobody said" },
  ];
  const model = await startModelServer(() => ({ text: JSON.stringify({ decisions }) }));
  const vars = { DEX_LLM_PROVIDER: model.url, DEX_LLM_MODEL: "scripted", DEX_LLM_API_KEY: "sk-test-0123456789" };
  const { stdout } = await home.withVars(vars).runBeside("decisions", "extract", ID, ...at, "--json");
  await model.close();
  const told = JSON.parse(stdout) as Decisions & { dropped: number };
  assert.deepEqual(
    [told.decisions.map(({ text }) => text), told.dropped],
    [["Idle connections are closed by a timer."], 1],
  );
  assert.ok(
    home
      .json<Decisions>("decisions", ...at)
      .decisions.some(({ text }) => text === "Idle connections are closed by a timer."),
  );
});

const SEEN = "cccc3333-0000-4000-8000-000000000003";

/** Commits a test, and then sees it fail in a conversation. */
function seenFailing({ home, repo }: Pick<ReturnType<typeof scene>, "home" | "repo">): void {
  repo.commit("test: the pool", {
    "test/pool.test.ts": 'test("closes idle ones", () => {});\ntest("opens", () => {});\n',
  });
  const output =
    "✖ closes idle ones (3.1ms)\nℹ tests 4\nℹ pass 3\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/pool.test.ts:1:1\n✖ closes idle ones (3.1ms)\n  'still open'\n";
  writeDialogue(
    home.home,
    SEEN,
    [{ user: "run" }, { tool: "Bash", input: { command: "npm test" }, output, failed: true }],
    { start: repo.clock + 60_000, cwd: repo.root },
  );
}

test("failing tests: seen in conversations, imported, and gone once they pass", () => {
  const { home, repo, at } = scene();
  seenFailing({ home, repo });
  const failing = (): string[] =>
    home
      .json<{ tests: { name: string }[] }>("tests", "list", ...at)
      .tests.map(({ name }) => name)
      .sort();
  assert.deepEqual(failing(), ["closes idle ones"]);
  const report = join(repo.root, "report.xml");
  writeFileSync(
    report,
    '<testsuite><testcase name="opens" file="test/pool.test.ts"><failure message="no"/></testcase></testsuite>',
  );
  assert.match(home.run("tests", "import", report, ...at).stdout, /1 test of junit: 1 failed/);
  assert.deepEqual(failing(), ["closes idle ones", "opens"]);
  writeDialogue(
    home.home,
    LATER,
    [{ user: "again" }, { tool: "Bash", input: { command: "npm test" }, output: "ℹ tests 4\nℹ pass 4\nℹ fail 0\n" }],
    { start: repo.clock + 3_600_000, cwd: repo.root },
  );
  assert.deepEqual(failing(), ["opens"]);
  repo.write("src/pool.ts", "export function openPool() {\n  return 2;\n}\n");
  assert.deepEqual(failing(), [], "something that it may cover changed since");
  assert.match(home.run("tests", "list", ...at).stdout, /No test fails; known are 1 passed, 1 unknown\./);
  assert.match(home.run("tests", "list", "--file", "nowhere", ...at).stdout, /No such test is known/);
  const [unknown] = home.json<{ tests: { name: string; why: string }[] }>(
    "tests",
    "list",
    "--status",
    "unknown",
    ...at,
  ).tests;
  assert.deepEqual([unknown?.name, unknown?.why], ["opens", "src/pool.ts was changed since"]);
  writeFileSync(report, '<testsuite><testcase name="opens" file="test/pool.test.ts"/></testsuite>');
  home.run("tests", "import", report, ...at);
  assert.deepEqual(failing(), []);
  writeFileSync(report, "nothing of the kind");
  assert.match(home.run("tests", "import", report, ...at).stderr, /found no test results in/);
});

test("warnings: failing tests, forgotten files, deprecated code that is still named", () => {
  const { home, repo, at } = scene();
  repo.commit("old", {
    "src/old.ts": "/** @deprecated use openPool */\nexport function oldPool() {}\n",
    "src/use.ts": 'import { oldPool } from "./old.ts";\noldPool();\n',
    "src/word.ts": "// oldPool\n",
  });
  for (let i = 0; i < 8; i += 1) {
    const pair = { "src/schema.sql": `${i}`, "docs/schema.md": `${i}` };
    repo.commit(`pair ${i}`, { ...pair, "src/often.sql": `${i}`, "docs/alone.md": `${i}` });
    repo.commit(`alone ${i}`, { "docs/alone.md": `${i} again` });
  }
  seenFailing({ home, repo });
  repo.write("src/schema.sql", "changed");
  repo.write("src/often.sql", "changed");
  const report = join(repo.root, "report.tap");
  writeFileSync(report, "TAP version 13\nnot ok 1 - opens\n  ---\n  at: test/pool.test.ts:2:1\n  ...\n1..1\n");
  assert.equal(home.run("tests", "import", report, ...at).status, 0);
  const found = home.json<{
    totals: object;
    deprecations: { symbol: string; named_in: string[] }[];
    missing_changes: { missing: string }[];
  }>("warnings", ...at);
  assert.deepEqual(found.totals, { failing_tests: 1, missing_changes: 1, deprecations: 1 });
  assert.deepEqual([found.deprecations[0]?.symbol, found.deprecations[0]?.named_in], ["oldPool", ["src/use.ts"]]);
  assert.equal(found.missing_changes[0]?.missing, "docs/schema.md");
  assert.match(home.run("warnings", ...at).stdout, /Possibly forgotten changes[\s\S]*docs\/schema\.md changed in 100%/);
});

test("forgetting a conversation removes its findings from the histories", () => {
  const { home, at } = scene();
  home.json("decisions", ...at);
  const folder = join(home.dexHome, "history");
  const holds = (): boolean =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes("reference count"));
  assert.ok(holds());
  assert.equal(home.run("forget", ID, "--yes").status, 0);
  assert.ok(!holds());
});

test("without git, or outside a repository, conversations and decisions still answer", () => {
  const home = new TestHome({ vars: { ...GIT_VARS, PATH: join(temporaryFolder(), "none") } });
  const { repo } = scene();
  writeDialogue(home.home, ID, [{ user: "We decided to use `x` instead of y because z is slow." }], {
    start: repo.clock,
    cwd: repo.root,
  });
  const answer = home.run("decisions", "--repository", repo.root, "--json");
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(answer.stderr, /git program was not found/);
  const { problems } = home.json<{ problems: { code: string; what: string }[] }>("doctor");
  const missing = problems.filter(({ code }) => code === "no_git");
  assert.equal(missing.length, 1);
  assert.match(missing[0]?.what ?? "", /without it, dex reads no history/);
  const plain = temporaryFolder();
  writeDialogue(
    home.home,
    LATER,
    [
      { user: "We decided to keep one folder instead of two." },
      { tool: "Write", input: { file_path: join(plain, "a.md"), content: "x" }, output: "ok" },
    ],
    { start: repo.clock, cwd: plain },
  );
  assert.equal(home.json<Decisions>("decisions", "--repository", plain).total, 1);
  assert.deepEqual(
    home
      .json<History>("history", "a.md", "--repository", plain)
      .events.map(({ kind, how }) => [kind, how])
      .at(0),
    ["conversation", "edited"],
  );
  assert.match(home.run("blame", "a.md:1", "--repository", plain).stderr, /not in a git repository/);
});

test("an unknown target says whether it is a near name, a file of another repository, or no commit has it", () => {
  const { home, repo, at } = scene();
  const told = (...args: string[]): string => home.run("history", ...args, ...at).stderr;
  assert.match(told("opnePool"), /No file here and no symbol of its code is called "opnePool"/);
  assert.match(
    told("src/pol.ts"),
    /No commit or conversation here touched src\/pol\.ts\.\nDid you mean src\/pool\.ts\?/,
  );
  const inner = join(repo.root, "vendor");
  mkdirSync(inner);
  makeRepository(inner);
  writeFileSync(join(inner, "a.ts"), "export const a = 1;\n");
  writeFileSync(join(repo.root, "new.ts"), "export const b = 1;\n");
  assert.match(told("new.ts"), /not committed yet/);
  for (const verb of ["history", "blame", "restore"]) {
    const { stderr, status } = home.run(verb, "vendor/a.ts", ...at);
    assert.equal(status, 1);
    assert.match(stderr, /vendor\/a\.ts belongs to another repository, .*vendor\.\nAdd `--project /);
  }
});

test("a partial clone has no counts of lines", () => {
  const home = new TestHome({ vars: GIT_VARS });
  const origin = new TestRepository();
  origin.commit("one", { "a.ts": "1\n" });
  origin.commit("two", { "a.ts": "2\n" });
  origin.git("config", "uploadpack.allowFilter", "true");
  const clone = join(temporaryFolder(), "clone");
  origin.git("clone", "--quiet", "--filter=blob:none", `file://${origin.root}`, clone);
  home.cwd = origin.root;
  assert.match(home.run("history").stdout, / two \+1 −1\n/);
  home.cwd = clone;
  const partial = home.run("history");
  assert.match(partial.stderr, /the clone is partial: lines are not counted/);
  assert.match(partial.stdout, / two\n/);
});

test("without the git program, history and blame say that it is missing", () => {
  const { home, at } = scene();
  for (const verb of ["history", "blame"]) {
    const { stderr, status } = home.withVars({ PATH: join(temporaryFolder(), "none") }).run(verb, "README.md", ...at);
    assert.equal(status, 2);
    assert.match(stderr, /The git program was not found/);
  }
});

test("a path or message that looks like a command or an option is only a name", () => {
  const { home, repo, at } = scene();
  const odd = ["--output=stolen", "$(touch stolen)", "; touch stolen", "a b\nc.ts"];
  repo.commit("`touch stolen`; $(touch stolen)", Object.fromEntries(odd.map((name) => [name, "x\n"])));
  for (const name of odd) {
    const history = home.json<History>("history", ...at, `./${name}`);
    assert.equal(history.events[0]?.kind, "commit", name);
    assert.equal(home.run("blame", ...at, `./${name}:1`).status, 0, name);
  }
  assert.ok(!existsSync(join(repo.root, "stolen")) && !existsSync(join(home.home, "stolen")));
});
