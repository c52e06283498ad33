/** The command line at a terminal and at its edges: the first screen, help, the pager, failures. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";
import { noTerminal, Terminal } from "../support/program/pty.ts";

const home = new TestHome({ samples: true });
before(() => assert.equal(home.run("sync").status, 0));

test("dex alone is one short screen, by what there is", () => {
  // The tests of other files may have run since this one was loaded.
  home.run("sync");
  const screen = home.run();
  assert.equal(screen.status, 0, screen.stderr);
  assert.match(
    screen.stdout,
    /^dex finds what you and your coding agents did before\.\n\n4 conversations of \d agents? in/,
  );
  assert.match(screen.stdout, /last sync just now/);
  assert.match(screen.stdout, /^ {2}dex install +connect dex to Claude Code, .*Codex.*$/m);
  assert.ok(screen.stdout.split("\n").length < 20);
  const commands = screen.stdout.match(/^ {2}dex .+$/gm) ?? [];
  assert.equal(commands.length, 5);
  const bare = new TestHome();
  assert.match(bare.run().stdout, /No conversation is indexed yet, and no agent's history was found/);
});

test("every way to ask for the version and for help", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  for (const word of ["-v", "-V", "--version", "version"]) {
    assert.deepEqual(home.run(word), { status: 0, stdout: `dex ${version}\n`, stderr: "" });
    assert.deepEqual(JSON.parse(home.run(word, "--json").stdout), { version });
  }
  const all = home.run("help").stdout;
  assert.equal(home.run("--help").stdout, all);
  assert.equal(home.run("-h").stdout, all);
  assert.equal(home.run("help", "search").stdout, home.run("search", "--help").stdout);
  assert.match(home.run("help", "docs").stdout, /dex docs search/);
  assert.match(home.run("help", "code").stdout.replaceAll(/\s+/g, " "), /<action> The question: symbol, callers, /);
  assert.match(home.run("help", "completion").stdout, /source <\(dex completion bash\)/);
});

test("an unknown name is quoted, with the nearest known one", () => {
  const cases: [string[], RegExp][] = [
    [["constructor"], /^dex: unknown command "constructor"\.\n`dex help` lists the commands\.\n$/],
    [["serch"], /^dex: unknown command "serch"\.\nDid you mean `dex search`\?\n$/],
    [["callers", "x"], /^dex: unknown command "callers"\.\nDid you mean `dex code callers`\?\n$/],
    [["add", "x"], /^dex: unknown command "add"\.\nDid you mean `dex docs add`/],
    [["search", "x", "--bogus"], /^dex search: unknown option --bogus\.\n/],
    [
      ["search", "rm", "-rf", "dist"],
      /^dex search: unknown option -rf\.\nIf it is part of the text, quote the whole text: `dex search "rm -rf"`\.\n$/,
    ],
    [["search", "x", "--limt", "3"], /^dex search: unknown option --limt\.\nDid you mean --limit\?\n$/],
    [["list", "-n", "5"], /^dex list: unknown option -n\.\nDid you mean --limit\?\n$/],
    [["list", "--since=7d"], /^dex list: unknown option --since\.\nDid you mean --from\?\n$/],
    [["code", "map", "--budget", "9"], /^dex code: unknown option --budget\.\nDid you mean --max-tokens\?\n$/],
    [["forget", "x", "-y"], /^dex forget: unknown option -y\.\n`dex forget --help` shows its options\.\n$/],
    [["docs", "ad", "x"], /^dex: unknown command "docs ad"\.\nDid you mean `dex docs add`\?\n$/],
    [["config", "frobnicate"], /^dex: unknown command "config frobnicate"\.\nUse `dex config list`, /],
    [
      ["tests", "src/x.ts"],
      /^dex: unknown command "tests src\/x\.ts"\.\nUse .*`dex tests list`, `dex code tests`\.\n$/,
    ],
    [["docs", "add"], /^dex docs add: needs <name>\.\n/],
    [["why", "x"], /^dex: unknown command "why"\.\nDid you mean `dex ask` or `dex blame`\?\n$/],
    [["--bogus"], /^dex: unknown option --bogus\.\nOptions follow a command/],
    [["list", "--limit", "100001"], /^dex list: --limit must be at most 10,000\.\n/],
    [["help", "nonsense"], /^dex: unknown command "nonsense"\./],
  ];
  for (const [args, expected] of cases) {
    const answer = home.run(...args);
    assert.equal(answer.status, 2, args.join(" "));
    assert.match(answer.stderr, expected);
    assert.equal(answer.stdout, "");
  }
});

test("a home in disorder is one sentence and what to do; DEX_DEBUG shows the rest", () => {
  const odd = new TestHome();
  // A folder where the database should be.
  mkdirSync(join(odd.dexHome, "index.db"), { recursive: true });
  for (const args of [["list"], ["sync"], []]) {
    const answer = odd.run(...args);
    assert.equal(answer.status, 2, `${args.join(" ")}: ${answer.stdout}`);
    assert.match(answer.stderr, /^dex: .+\n/);
    assert.doesNotMatch(answer.stderr, /^\s+at |node:|\.js:\d/m, answer.stderr);
    assert.ok(answer.stderr.split("\n").length <= 3, answer.stderr);
  }
  odd.vars.DEX_DEBUG = "1";
  assert.match(odd.run("list").stderr, /^\s+at .*\.js:\d/m);
});

test("a terminal of forty columns has each row on one line", { skip: noTerminal }, async () => {
  const at = home.withVars({ DEX_PAGER: "" });
  at.cwd = home.cwd;
  for (const [args, row] of [
    [[], /^ {2}dex list\r?\n {6}the latest conversations\r?$/m],
    [["list"], /^id +when +title\r?\n\w+ +[\d-]+ [\d:]+ {2}\S.*$/m],
  ] as const) {
    const narrow = new Terminal(at, args, { columns: 40, rows: 100 });
    assert.equal(await narrow.ended, 0, narrow.screen);
    assert.match(narrow.screen, row);
    for (const line of narrow.screen.split(/\r?\n/)) assert.ok(line.length <= 40, line);
  }
});

test("a long answer goes through the pager; a short one, a pipe and --no-pager do not", {
  skip: noTerminal,
}, async () => {
  const seen = join(home.home, "seen by the pager");
  const pager = join(home.home, "pager");
  writeFileSync(pager, `#!/bin/sh\necho "$#:$1" > '${seen}'\nhead -3\n`);
  chmodSync(pager, 0o755);
  const id = home.json<{ conversations: { id: string }[] }>("list").conversations[0]?.id ?? "";
  const at = home.withVars({ PAGER: `${pager} -a;b` });
  at.cwd = home.cwd;
  const long = new Terminal(at, ["show", id], { rows: 10 });
  assert.equal(await long.ended, 0, long.screen);
  assert.equal(readFileSync(seen, "utf8"), "1:-a;b\n");
  assert.ok(long.screen.trim().split("\n").length <= 3, long.screen);
  writeFileSync(seen, "");
  const short = new Terminal(at, ["stats"], { rows: 100 });
  assert.equal(await short.ended, 0);
  const plain = new Terminal(at, ["show", id, "--no-pager"], { rows: 10 });
  assert.equal(await plain.ended, 0);
  assert.ok(plain.screen.trim().split("\n").length > 10);
  assert.equal(at.run("show", id).status, 0);
  assert.equal(readFileSync(seen, "utf8"), "");
  const none = home.withVars({ PAGER: "no-such-pager-anywhere" });
  none.cwd = home.cwd;
  const printed = new Terminal(none, ["show", id], { rows: 10 });
  assert.equal(await printed.ended, 0);
  assert.ok(printed.screen.trim().split("\n").length > 10);
});
