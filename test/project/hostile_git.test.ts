/** A repository whose own configuration names programs: no verb that asks git may start one of them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program, TestHome } from "../support/program/dex.ts";
import { TestRepository, temporaryFolder } from "../support/repository.ts";

function homeIn(repository: TestRepository, vars: Record<string, string> = {}): TestHome {
  const home = new TestHome({ vars: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", ...vars } });
  home.cwd = repository.root;
  return home;
}

/** Every verb that starts git. */
const VERBS: readonly (readonly string[])[] = [
  ["code", "index"],
  ["code", "related", "src/a.ts"],
  ["refresh"],
  ["history", "src/a.ts"],
  ["history", "alpha"],
  ["blame", "src/a.ts:1"],
  ["decisions", "--all"],
  ["warnings"],
  ["suggest", "--file", "src/a.ts"],
  ["pack"],
  ["tests", "list"],
];

function assertRuns(home: TestHome): void {
  for (const verb of VERBS) {
    const { status, stderr } = home.run(...verb);
    // 1: found nothing.
    assert.ok(status === 0 || status === 1, `dex ${verb.join(" ")}: status ${status}\n${stderr}`);
  }
  const session = { hook_event_name: "SessionStart", session_id: "s", cwd: home.cwd, source: "startup" };
  const options = { cwd: home.cwd, env: home.env, input: JSON.stringify(session), encoding: "utf8" as const };
  const hook = spawnSync(process.execPath, [program, "hook", "claude"], options);
  assert.deepEqual([hook.status, hook.stderr], [0, ""]);
}

function someRepository(): TestRepository {
  const repository = new TestRepository();
  const source = "export function alpha() {\n  return 1;\n}\n";
  repository.commit("feat: begin", {
    "src/a.ts": source,
    "src/b.dat": "b\n",
    ".gitattributes": "* filter=evil diff=evil\n",
  });
  repository.commit("feat: alpha says two\n\nDecision: two is enough", { "src/a.ts": source.replace("1", "2") });
  return repository;
}

test("no program that a repository's own configuration names is started", () => {
  const repository = someRepository();
  const marks = temporaryFolder();
  const script = join(temporaryFolder(), "leave-mark");
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" > "${marks}/mark-$$"\ncat\n`);
  chmodSync(script, 0o755);
  const hooks = join(temporaryFolder(), "hooks");
  mkdirSync(hooks);
  for (const name of ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch "${marks}/hook-${name}"\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  const run = JSON.stringify(script);
  const included = join(temporaryFolder(), "included");
  writeFileSync(included, `[filter "included"]\n\tclean = ${run}\n\tsmudge = ${run}\n\trequired = true\n`);
  repository.write(
    ".gitattributes",
    "*.ts filter=evil diff=evil merge=evil\n*.dat filter=od=d.name\n*.md filter=included\n",
  );
  repository.write("docs/x.md", "x\n");
  appendFileSync(
    join(repository.root, ".git/config"),
    `
[core]
	fsmonitor = ${run}
	hooksPath = ${hooks}
	sshCommand = ${run}
	pager = ${run}
	editor = ${run}
	gitProxy = ${run}
	askPass = ${run}
	alternateRefsCommand = ${run}
	attributesFile = ${join(repository.root, ".gitattributes")}
[filter "evil"]
	clean = ${run}
	smudge = ${run}
	process = ${run}
	required = true
[filter "od=d.name"]
	clean = ${run}
	process = ${run}
	required = true
[diff]
	external = ${run}
[diff "evil"]
	command = ${run}
	textconv = ${run}
[merge "evil"]
	driver = ${run} %A
[credential]
	helper = ${run}
[gpg]
	program = ${run}
[log]
	showSignature = true
[uploadpack]
	packObjectsHook = ${run}
[alias]
	log = !${script}
	status = !${script}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[url "ext::${script} %S "]
	insteadOf = https://example.org/
[remote "origin"]
	url = ext::${script} %S x
	uploadpack = ${run}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	worktreeConfig = true
[include]
	path = ${included}
`,
  );
  writeFileSync(join(repository.root, ".git/config.worktree"), `[filter "evil"]\n\tclean = ${run}\n`);
  // Changed without a change of size: git has to look into the files to tell.
  for (const path of ["src/a.ts", "src/b.dat"]) utimesSync(join(repository.root, path), 1, 1);
  assertRuns(homeIn(repository));
  assert.deepEqual(readdirSync(marks), []);
});

test("no program of the repository is started through an empty or relative folder of the PATH", () => {
  const repository = someRepository();
  const marks = temporaryFolder();
  for (const name of ["git", "sh", "env", "ssh", "less", "node"]) {
    for (const folder of [repository.root, join(repository.root, "src"), join(repository.root, "node_modules/.bin")]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), `#!/bin/sh\necho "$0" > "${marks}/${name}"\nexit 0\n`);
      chmodSync(join(folder, name), 0o755);
    }
  }
  const home = homeIn(repository, { PATH: `.::node_modules/.bin:./src:${process.env.PATH}` });
  assertRuns(home);
  assert.match(home.run("history", "src/a.ts").stdout, /alpha says two/);
  assert.equal(home.run("docs", "add", "fetched", "git+https://example.invalid/x.git").status === 0, false);
  assert.deepEqual(readdirSync(marks), []);
  // Without any other PATH there is no git, and none is started.
  const lost = homeIn(repository, { PATH: ".:" });
  lost.run("history", "src/a.ts");
  lost.run("code", "index");
  assert.deepEqual(readdirSync(marks), []);
});

test("a working tree that is said to lie elsewhere is not read", () => {
  const repository = someRepository();
  const outside = temporaryFolder();
  writeFileSync(join(outside, "private.ts"), "// DECISION: the outside word is xyzzyplugh\n");
  repository.git("config", "core.worktree", outside);
  const home = homeIn(repository);
  assertRuns(home);
  assert.doesNotMatch(home.run("decisions", "--all").stdout, /xyzzyplugh/);
  assert.doesNotMatch(home.run("warnings").stdout, /private\.ts/);
});

test("a user's own submodule.recurse changes nothing", () => {
  const repository = someRepository();
  const global = join(temporaryFolder(), "config");
  writeFileSync(global, "[submodule]\n\trecurse = true\n[grep]\n\tcolumn = true\n");
  repository.write("src/c.ts", "// DECISION: c stays small because it is read often\n");
  const home = homeIn(repository, { GIT_CONFIG_GLOBAL: global });
  assertRuns(home);
  assert.match(home.run("decisions").stdout, /c stays small/);
});

test("files that git itself would read without end are not given to it", () => {
  const repository = someRepository();
  const endless = "/dev/zero";
  for (const [key, value] of [
    ["mailmap.file", endless],
    ["diff.orderFile", endless],
    ["core.attributesFile", endless],
  ]) {
    repository.git("config", key ?? "", value ?? "");
  }
  rmSync(join(repository.root, ".gitattributes"));
  symlinkSync(endless, join(repository.root, ".gitattributes"));
  symlinkSync(endless, join(repository.root, ".mailmap"));
  const home = homeIn(repository);
  assertRuns(home);
  repository.git("config", "blame.ignoreRevsFile", endless);
  const blame = home.run("blame", "src/a.ts:1");
  assert.equal(blame.status, 2);
  assert.match(blame.stderr, /blame\.ignoreRevsFile of .* is \/dev\/zero, which is not a small file/);
});

test("dex reports a setting that git itself rejects as a sentence, with the next step", () => {
  const repository = someRepository();
  repository.git("config", "diff.algorithm", "none");
  const { stderr } = homeIn(repository).run("suggest", "--file", "src/a.ts");
  assert.match(stderr, /diff\.algorithm.*\. Try it yourself: git -C .* log\./);
});

test("a missing blob costs the lines of its commits, and the history says so", () => {
  const repository = someRepository();
  repository.commit("feat: third", { "src/c.ts": "export const c = 3;\n" });
  const blob = repository.git("rev-parse", "HEAD~2:src/a.ts").trim();
  rmSync(join(repository.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const home = homeIn(repository);
  const { stdout, stderr, status } = home.run("history", "src/a.ts");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /feat: begin/);
  assert.match(stdout, /alpha says two/);
  assert.match(stderr, /objects are missing from the repository/);
  assert.match(home.run("history", "src/c.ts").stdout, /feat: third/);
  assert.match(home.run("history", "alpha").stdout, /alpha says two/);
  assert.equal(home.run("decisions").status, 0);
});
