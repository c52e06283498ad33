/**
 * A project that came as an archive and reaches for what is not its own: the repository of another project, a file of
 * the user's behind a link, or a file that git would read without end.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";

const home = new TestHome({ vars: GIT_VARS });

const victim = new TestRepository(join(home.home, "victim"));
victim.commit("we decided to use quokka instead of wombat because it is smaller", {
  "plan.ts": "export const plan = 1;\n",
});

/** A folder with one file of code. */
function project(name: string): string {
  const root = join(home.home, name);
  mkdirSync(root);
  writeFileSync(join(root, "own.ts"), "export const own = 1;\n");
  writeFileSync(join(root, "package.json"), "{}\n");
  return root;
}

function told(cwd: string): string {
  home.cwd = cwd;
  const verbs = [["refresh"], ["decisions"], ["pack"], ["history", "plan.ts"], ["code", "map"]];
  return verbs.map((verb) => home.run(...verb).stdout).join("\n");
}

const WAYS: Readonly<Record<string, (root: string) => void>> = {
  "a .git file": (root) => writeFileSync(join(root, ".git"), `gitdir: ${join(victim.root, ".git")}\n`),
  "a .git link": (root) => symlinkSync(join(victim.root, ".git"), join(root, ".git")),
  "a worktree of its own making": (root) => {
    const folder = join(root, "store", "worktrees", "x");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(folder, "commondir"), `${join(victim.root, ".git")}\n`);
    writeFileSync(join(folder, "gitdir"), `${join(root, ".git")}\n`);
    writeFileSync(join(root, ".git"), `gitdir: ${folder}\n`);
  },
  "a commondir in its .git folder": (root) => {
    execFileSync("git", ["init", "--quiet", root]);
    writeFileSync(join(root, ".git", "commondir"), `${join(victim.root, ".git")}\n`);
  },
};

for (const [i, [way, plant]] of Object.entries(WAYS).entries()) {
  test(`the history of another repository is not read through ${way}`, () => {
    const root = project(`borrower-${i}`);
    plant(root);
    const text = told(root);
    assert.doesNotMatch(text, /quokka/);
    assert.match(text, /own\.ts/);
  });
}

test("linked worktrees, submodules and separate git folders keep their history", () => {
  const linked = join(home.home, "linked");
  victim.git("worktree", "add", "--quiet", linked);
  const outer = new TestRepository(join(home.home, "outer"));
  outer.git("submodule", "--quiet", "add", victim.root, "inner");
  const apart = new TestRepository(join(home.home, "apart"));
  apart.commit("we decided to use quokka instead of wombat because it is smaller", {
    "plan.ts": "export const plan = 1;\n",
  });
  apart.git("init", "--quiet", `--separate-git-dir=${join(home.home, "apart.store")}`);
  for (const cwd of [linked, join(outer.root, "inner"), apart.root]) {
    home.cwd = cwd;
    assert.match(home.run("history", "plan.ts").stdout, /quokka/, cwd);
  }
});

test("a chat history that is a link to another file is not taken in", () => {
  const root = project("linked-chat");
  execFileSync("git", ["init", "--quiet", root]);
  const outside = join(home.home, "diary.md");
  writeFileSync(
    outside,
    "# aider chat started at 2026-01-01 10:00:00\n\n#### tell me of the platypus\n\nOf course.\n\n",
  );
  symlinkSync(outside, join(root, ".aider.chat.history.md"));
  home.cwd = root;
  home.run("sync");
  assert.equal(home.run("search", "platypus").stdout, "Nothing found. No conversation contains: platypus.\n");
  assert.doesNotMatch(home.run("pack").stdout, /platypus/);
});

test("a fifo or an endless file as .gitignore or .gitattributes does not stop dex", () => {
  for (const [i, name] of [".gitignore", ".gitattributes", ".gitignore"].entries()) {
    const repository = new TestRepository(join(home.home, `waiting-${i}`));
    repository.commit("feat: begin", { "own.ts": "export const own = 1;\n" });
    if (i < 2) execFileSync("mkfifo", [join(repository.root, name)]);
    else {
      writeFileSync(join(repository.root, name), "");
      truncateSync(join(repository.root, name), 20e9);
    }
    home.cwd = repository.root;
    assert.match(home.run("code", "map").stdout, /own\.ts/);
    const { status, stderr } = home.run("history", "own.ts");
    assert.equal(status, 2);
    assert.ok(stderr.includes(`git would never finish reading ${join(repository.root, name)}`), stderr);
  }
});

test("a secret in the path of a project is in none of the databases of projects, and gc keeps them", () => {
  const token = `gh${"p"}_${"Zq7RkP2mVx9LtB4nWc6HsJ8dYf3GaKeUo5Tz"}`;
  const repository = new TestRepository(join(home.home, `app-${token}`));
  repository.commit("feat: begin", { "own.ts": "export const own = 1;\n" });
  home.cwd = repository.root;
  home.run("refresh");
  assert.match(home.run("code", "map").stdout, /own\.ts/);
  assert.match(home.run("history", "own.ts").stdout, /begin/);
  const count = (): number =>
    ["code", "history"].flatMap((kind) => readdirSync(join(home.dexHome, kind)).filter((name) => /\.db$/.test(name)))
      .length;
  for (const kind of ["code", "history"]) {
    for (const name of readdirSync(join(home.dexHome, kind))) {
      assert.ok(!readFileSync(join(home.dexHome, kind, name)).includes(token.slice(4)), join(kind, name));
    }
  }
  const before = count();
  assert.equal(home.run("gc").status, 0);
  assert.equal(count(), before);
});
