/** dex in a folder that is not a project: the home folder, or one with many projects below it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";

const home = new TestHome({ vars: GIT_VARS });

const projects = join(home.home, "projects");
const start = Date.parse("2026-01-01T00:00:00Z");
for (const [i, name] of ["alpha", "beta"].entries()) {
  const repository = new TestRepository(join(projects, name));
  repository.commit("feat: begin", { "src/a.ts": `export function ${name}Only() {}\n` });
  const id = `aaaa111${i}-0000-4000-8000-000000000001`;
  writeDialogue(home.home, id, [{ user: `We decided to keep ${name} instead of gamma because it is smaller.` }], {
    start,
    cwd: repository.root,
  });
}

test("questions about code are answered at once, with what to do", () => {
  for (const cwd of [home.home, projects, "/"]) {
    home.cwd = cwd;
    for (const verb of [
      ["code", "map"],
      ["code", "symbol", "alphaOnly"],
    ]) {
      const { status, stderr } = home.run(...verb);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /is not a project: it has neither a git repository nor a manifest/);
      assert.match(stderr, /--project/);
    }
  }
  assert.ok(!existsSync(join(home.dexHome, "code")) || readdirSync(join(home.dexHome, "code")).length === 0);
  home.cwd = home.home;
  assert.match(home.run("code", "index").stderr, /contains your home folder/);
});

test("a bare repository is called one, with what to do", () => {
  const bare = join(home.home, "bare.git");
  const made = spawnSync("git", ["init", "--quiet", "--bare", bare], { env: home.env });
  assert.equal(made.status, 0);
  home.cwd = join(bare, "refs");
  for (const verb of [
    ["blame", "a.ts"],
    ["history", "a.ts"],
    ["code", "map"],
    ["search", "alphaOnly", "--in", "code"],
  ]) {
    const { status, stderr } = home.run(...verb);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /bare\.git is a bare git repository: it has no working tree[\s\S]*git worktree add/, verb[0]);
  }
  const decisions = home.run("decisions").stderr;
  assert.match(decisions, /bare git repository: it has no working tree\. dex answers only from conversations/);
  assert.doesNotMatch(decisions, /is not in a git repository/);
  home.cwd = home.home;
});

test("a folder without git but with a manifest is a project, and so is one that was indexed", () => {
  const plain = join(home.home, "plain");
  mkdirSync(plain);
  writeFileSync(join(plain, "a.ts"), "export function plainOnly() {}\n");
  home.cwd = plain;
  assert.equal(home.run("code", "symbol", "plainOnly").status, 2);
  writeFileSync(join(plain, "package.json"), "{}\n");
  assert.match(home.run("code", "symbol", "plainOnly").stdout, /plainOnly/);
});

test("decisions of the projects below are not this folder's", () => {
  for (const cwd of [home.home, projects]) {
    home.cwd = cwd;
    const { stdout, stderr } = home.run("decisions", "--all");
    assert.doesNotMatch(stdout, /alpha|beta/);
    assert.match(stderr, /dex decisions --project/);
    assert.doesNotMatch(home.run("pack").stdout, /keep (?:alpha|beta)/);
  }
  const nothing = home.run("decisions", "quaternion spaceship", "--all", "--repository", join(projects, "alpha"));
  assert.match(nothing.stdout, /^No decision found\.\n$/, "there is nothing more that --all could show");
});

test("a project is named by its folder or its name", () => {
  home.cwd = home.home;
  for (const named of ["alpha", "projects/alpha", join(projects, "alpha"), "ALPH"]) {
    const { stdout } = home.run("decisions", "--project", named);
    assert.match(stdout, /keep alpha/, named);
    assert.doesNotMatch(stdout, /keep beta/, named);
  }
  assert.match(home.run("decisions", "--project", "gamma").stderr, /No project is called "gamma"/);
  assert.match(home.run("decisions", "--project", "a").stderr, /could be any of these projects/);
});
