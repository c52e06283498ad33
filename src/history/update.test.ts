/** Reading real repositories: odd names, renames, merges, and histories that are partial, rewritten or not there. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rounds } from "../../test/support/program/limits.ts";
import { between, seeded } from "../../test/support/random.ts";
import { TestRepository, temporaryFolder } from "../../test/support/repository.ts";
import { openHistory } from "../store/engine/history.ts";
import type { HistoryReader } from "../store/history.ts";
import { historyPath } from "./place.ts";
import { findRepository, insidePath, repositoryKey, repositoryOrFolder } from "./repository.ts";
import { type HistoryState, updateHistory } from "./update.ts";

async function read(root: string, folder: string): Promise<{ state: HistoryState; history: HistoryReader }> {
  const repository = findRepository(root);
  assert.ok(repository, `${root} is a repository`);
  const state = await updateHistory(repository, folder);
  return { state, history: openHistory(historyPath(folder, repository)) };
}

/** All stored data of commits, in an order that does not depend on when they were read. */
async function dump(root: string, folder: string): Promise<unknown> {
  const { history } = await read(root, folder);
  try {
    return history.recent(10_000).map(({ no, ...commit }) => {
      const files = history.filesOf(no);
      return {
        ...commit,
        files,
        commits: files.map(({ path }) => history.commitsOf(path, 1000).map(({ sha }) => sha)),
      };
    });
  } finally {
    history.close();
  }
}

test("names of files may be anything, and no field is taken for another", async () => {
  const repo = new TestRepository();
  const odd = [
    'with "quotes" \'s',
    "-dash",
    "line\nbreak.txt",
    "tab\there",
    "3\t4\tx",
    "ünï/日本.ts",
    "$(touch gone)",
    ":100644 x",
  ];
  repo.commit(
    "odd\n\nbody\x1e with\tcontrols\n\nReviewed-by: B",
    Object.fromEntries(odd.map((name) => [name, "1\n2\n"])),
  );
  const { history } = await read(repo.root, temporaryFolder());
  const [commit] = history.recent(10);
  assert.ok(commit);
  assert.deepEqual(
    history
      .filesOf(commit.no)
      .map(({ path }) => path)
      .sort(),
    [...odd].sort(),
  );
  assert.ok(commit.body.startsWith("body\u001e with\tcontrols"));
  assert.equal(commit.author, "Ada");
  for (const name of odd) assert.equal(history.commitsOf(name, 5)[0]?.added, 2, name);
  history.close();
});

test("a file is followed through renames; a new file under the old name is its own", async () => {
  const repo = new TestRepository();
  const text = Array.from({ length: 40 }, (_, i) => `line ${i}`).join("\n");
  repo.commit("one", { "a.txt": text });
  repo.git("mv", "a.txt", "b.txt");
  repo.commit("two");
  repo.git("mv", "b.txt", "dir.txt");
  repo.commit("three", { "other.txt": "x" });
  repo.commit("four", { "dir.txt": `${text}\nmore` });
  const folder = temporaryFolder();
  const first = await read(repo.root, folder);
  const subjects = (path: string): string[] => first.history.commitsOf(path, 9).map(({ subject }) => subject);
  assert.deepEqual(subjects("dir.txt"), ["four", "three", "two", "one"]);
  assert.deepEqual(subjects("a.txt"), subjects("dir.txt"));
  assert.deepEqual(first.history.touches("dir.txt", 30, 10)[1]?.files, ["dir.txt", "other.txt"]);
  first.history.close();
  repo.commit("five", { "a.txt": "something else" });
  const { history, state } = await read(repo.root, folder);
  assert.equal(state.added, 1);
  assert.deepEqual(
    history.commitsOf("a.txt", 9).map(({ subject }) => subject),
    ["five", "one"],
  );
  history.close();
});

test("the first commit, merges and commits of many files do not make files partners", async () => {
  const repo = new TestRepository();
  repo.commit("base", { "a.ts": "a", "b.ts": "b" });
  repo.git("checkout", "--quiet", "-b", "side");
  repo.commit("side", { "a.ts": "a2" });
  repo.git("checkout", "--quiet", "main");
  repo.commit("main", { "b.ts": "b2" });
  repo.clock += 60_000;
  repo.git("merge", "--quiet", "--no-edit", "side");
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.ts`, "x"]));
  repo.commit("import", { ...many, "a.ts": "a3" });
  const { history } = await read(repo.root, temporaryFolder());
  assert.equal(history.commitCount(), 5);
  assert.deepEqual(
    history.touches("a.ts", 30, 10).map(({ files }) => files),
    [["a.ts"]],
  );
  history.close();
});

test("a rewritten history loses its dropped commits, even if their objects are pruned", async () => {
  const repo = new TestRepository();
  const folder = temporaryFolder();
  repo.commit("kept", { "a.ts": "1" });
  repo.commit("wrong", { "a.ts": "2" });
  assert.equal((await read(repo.root, folder)).state.added, 2);
  repo.write("a.ts", "3");
  repo.git("commit", "--quiet", "-a", "--amend", "-m", "right");
  const amended = await read(repo.root, folder);
  assert.deepEqual(
    [
      amended.state.added,
      amended.state.removed,
      amended.state.reread,
      amended.history.recent(9).map(({ subject }) => subject),
    ],
    [1, 1, false, ["right", "kept"]],
  );
  amended.history.close();
  repo.git("commit", "--quiet", "--amend", "-m", "again");
  repo.git("reflog", "expire", "--expire=now", "--all");
  repo.git("gc", "--quiet", "--prune=now");
  const pruned = await read(repo.root, folder);
  assert.equal(pruned.state.reread, true);
  assert.deepEqual(
    pruned.history.recent(9).map(({ subject }) => subject),
    ["again", "kept"],
  );
  pruned.history.close();
  assert.equal((await read(repo.root, folder)).state.added, 0, "nothing changed since");
});

test("a shallow clone says so, does not invent a first commit of everything, and is read again when deepened", async () => {
  const origin = new TestRepository();
  origin.commit("one", { "a.ts": "1", "b.ts": "1" });
  origin.commit("two", { "a.ts": "2" });
  origin.commit("three", { "a.ts": "3" });
  const clone = join(temporaryFolder(), "clone");
  origin.git("clone", "--quiet", "--depth=2", `file://${origin.root}`, clone);
  const folder = temporaryFolder();
  const shallow = await read(clone, folder);
  assert.match(shallow.state.notes.join(), /shallow/);
  assert.deepEqual(
    shallow.history.recent(9).map(({ subject, boundary }) => [subject, boundary]),
    [
      ["three", false],
      ["two", true],
    ],
  );
  assert.equal(shallow.history.countOf("b.ts"), 0);
  shallow.history.close();
  new TestRepository(clone).git("fetch", "--quiet", "--unshallow");
  const whole = await read(clone, folder);
  assert.deepEqual([whole.state.reread, whole.history.commitCount(), whole.history.countOf("a.ts")], [true, 3, 3]);
  whole.history.close();
});

test("a partial clone is read without fetching missing objects", async () => {
  const origin = new TestRepository();
  origin.commit("one", { "a.ts": "1" });
  origin.commit("two", { "a.ts": "2" });
  origin.git("config", "uploadpack.allowFilter", "true");
  const clone = join(temporaryFolder(), "clone");
  origin.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", `file://${origin.root}`, clone);
  rmSync(origin.root, { recursive: true, force: true });
  const { state, history } = await read(clone, temporaryFolder());
  assert.match(state.notes.join(), /partial/);
  assert.deepEqual(
    history.commitsOf("a.ts", 9).map(({ subject, added }) => [subject, added]),
    [
      ["two", null],
      ["one", null],
    ],
  );
  history.close();
});

test("worktrees and submodules have histories of their own", async () => {
  const repo = new TestRepository();
  repo.commit("main", { "a.ts": "1" });
  const tree = join(temporaryFolder(), "tree with space");
  repo.git("worktree", "add", "--quiet", "-b", "side", tree);
  const side = new TestRepository(tree);
  side.clock = repo.clock + 600_000;
  side.commit("side", { "a.ts": "2" });
  const folder = temporaryFolder();
  const [here, there] = [await read(repo.root, folder), await read(join(tree), folder)];
  assert.deepEqual([here.history.commitCount(), there.history.commitCount()], [1, 2]);
  const [main, linked] = [repositoryOrFolder(repo.root), repositoryOrFolder(tree)];
  assert.notEqual(repositoryKey(main), repositoryKey(linked));
  assert.deepEqual(
    [main.roots, linked.roots],
    [
      [repo.root, tree],
      [tree, repo.root],
    ],
  );
  assert.equal(insidePath(main, join(tree, "a.ts"), "/"), "a.ts");
  assert.equal(insidePath(main, "D:\\shop\\a.ts", "D:\\shop"), undefined);
  assert.equal(insidePath(main, "D:\\shop\\a.ts", repo.root), undefined);
  assert.equal(insidePath(repositoryOrFolder("D:\\shop"), "D:\\shop\\src\\a.ts", "D:\\shop"), "src/a.ts");
  const outer = new TestRepository();
  outer.git("submodule", "add", "--quiet", repo.root, "lib/inner");
  outer.commit("with a submodule");
  const inner = repositoryOrFolder(join(outer.root, "lib/inner"));
  assert.deepEqual([inner.git, inner.root], [true, join(outer.root, "lib/inner")]);
  const sub = await read(inner.root, folder);
  assert.deepEqual(
    sub.history.recent(9).map(({ subject }) => subject),
    ["main"],
  );
  for (const { history } of [here, there, sub]) history.close();
});

test("no repository, no commit or a broken repository is not a failure", async () => {
  const folder = temporaryFolder();
  const none = repositoryOrFolder(temporaryFolder());
  assert.equal(none.git, false);
  assert.equal((await updateHistory(none, folder)).commits, 0);
  const unborn = new TestRepository();
  assert.equal((await read(unborn.root, folder)).state.commits, 0);
  unborn.commit("first", { "a.ts": "1" });
  assert.equal((await read(unborn.root, folder)).state.commits, 1);
  const broken = temporaryFolder();
  writeFileSync(join(broken, ".git"), "gitdir: nowhere\n");
  assert.equal(repositoryOrFolder(broken).git, false);
});

test("after any edits, renames, deletions, amends and switches the history equals one read at once", async () => {
  const random = seeded(7);
  const below = (count: number): number => between(random, 0, count - 1);
  const repo = new TestRepository();
  const folder = temporaryFolder();
  const names = Array.from({ length: 8 }, (_, i) => `d${i % 3}/f${i}.txt`);
  const body = (): string => Array.from({ length: 30 }, () => `line ${below(1000)}`).join("\n");
  repo.commit("start", Object.fromEntries(names.map((name) => [name, body()])));
  for (let round = 0; round < rounds(8, 24); round += 1) {
    const files = repo.git("ls-files").trim().split("\n");
    const any = files[below(files.length)] ?? "";
    const what = below(7);
    if (what === 0 && files.length > 3) repo.git("rm", "--quiet", any);
    else if (what === 1) repo.git("mv", any, `d${below(3)}/r${round}.txt`);
    else repo.write(any, body());
    if (what === 2) {
      repo.git("add", "--all");
      repo.git("commit", "--quiet", "--amend", "-m", `amended ${round}`);
    } else {
      repo.commit(`round ${round}`);
    }
    if (what === 3) repo.git("checkout", "--quiet", "-B", `b${below(3)}`, `HEAD~${below(2)}`);
    if (what === 4) repo.git("reset", "--quiet", "--hard", "HEAD~1");
    if (round % 3 === 0) await dump(repo.root, folder);
  }
  assert.deepEqual(await dump(repo.root, folder), await dump(repo.root, temporaryFolder()));
});
