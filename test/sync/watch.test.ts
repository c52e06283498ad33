/** `dex watch` of the built program: what is saved is found without any further command. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import type { ChangeBatch } from "../../src/suggest/model.ts";
import { dumpCode } from "../support/code.ts";
import { claudeSession, random, sessionId } from "../support/histories/generate.ts";
import { program, TestHome } from "../support/program/dex.ts";
import { rounds } from "../support/program/limits.ts";
import { RunningWatch, until } from "../support/program/watch.ts";
import { TestRepository, temporaryFolder } from "../support/repository.ts";

/** Of files that change at once. */
const MANY = rounds(200, 4000);

const running: RunningWatch[] = [];
afterEach(() => {
  for (const each of running.splice(0)) each.process.kill("SIGKILL");
});

async function start(home: TestHome, ...args: string[]): Promise<RunningWatch> {
  const watch = await RunningWatch.start(home, ...args);
  running.push(watch);
  return watch;
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const code = (name: string): string => `export function ${name}(): number {\n  return 1;\n}\n`;

/** Where it is, as the program answers from what is indexed. */
function fileOf(home: TestHome, root: string, name: string): string | undefined {
  const answer = home.run("code", "symbol", name, "--project", root, "--no-sync", "--json");
  if (answer.status !== 0) return undefined;
  return (JSON.parse(answer.stdout) as { symbols: { file: string }[] }).symbols[0]?.file;
}

/** The watched store equals the store of a complete new index. */
async function assertAsFresh(home: TestHome, root: string): Promise<void> {
  const watched = findCodeProject(join(home.dexHome, "code"), root);
  const fresh = findCodeProject(join(temporaryFolder(), "code"), root);
  await indexProject(fresh, { now: Date.now() });
  const [one, other] = [watched, fresh].map((project) => {
    const { store } = openCode(project);
    try {
      return dumpCode(store);
    } finally {
      store.close();
    }
  });
  assert.deepEqual(one, other);
}

describe("dex watch", () => {
  test("saved, renamed, removed, in new folders: each is found, or not any more", async () => {
    const home = new TestHome();
    const repository = new TestRepository(join(temporaryFolder(), "with space"));
    const { root } = repository;
    repository.commit("first", { "src/a.ts": code("alpha"), ".gitignore": "out/\nnode_modules/\n" });
    const watch = await start(home, root);
    put(root, "src/b.ts", code("beta"));
    await watch.changed("src/b.ts");
    await until("beta", () => fileOf(home, root, "beta") === "src/b.ts");

    put(root, "new/deep/er/c.ts", code("gamma"));
    await watch.changed("new/deep/er/c.ts");
    put(root, "new/deep/er/d.ts", code("delta"));
    await watch.changed("new/deep/er/d.ts");

    renameSync(join(root, "src/b.ts"), join(root, "src/bb.ts"));
    await watch.removed("src/b.ts");
    await watch.changed("src/bb.ts");
    assert.equal(fileOf(home, root, "beta"), "src/bb.ts");

    // The folders in a folder that is moved go on under their new names.
    renameSync(join(root, "new"), join(root, "old"));
    await watch.removed("new/deep/er/c.ts");
    const moved = watch.batches.length;
    put(root, "old/deep/er/c.ts", code("gamma2"));
    await watch.changed("old/deep/er/c.ts", moved);
    await until("gamma2", () => fileOf(home, root, "gamma2") === "old/deep/er/c.ts");

    rmSync(join(root, "old"), { recursive: true });
    rmSync(join(root, "src/a.ts"));
    await watch.removed("src/a.ts");
    await watch.removed("old/deep/er/d.ts");
    assert.equal(fileOf(home, root, "alpha"), undefined);

    put(root, "out/made.ts", code("made"));
    put(root, "node_modules/x/index.js", "exports.x = 1;\n");
    put(root, "last.ts", code("last"));
    await watch.changed("last.ts");
    const told = watch.batches.flatMap(({ changed }) => changed);
    assert.deepEqual(
      told.filter((path) => /^(out|node_modules|\.git)\//.test(path)),
      [],
    );
    await assertAsFresh(home, root);
    assert.equal(await watch.end(), 0);
  });

  test("a checkout of many files is a few batches at most, and a commit is reported as one", async () => {
    const home = new TestHome();
    const repository = new TestRepository();
    const { root } = repository;
    repository.commit("first", { "a.ts": code("alpha") });
    repository.git("checkout", "-q", "-b", "side/one");
    repository.commit(
      "many",
      Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`d${i % 50}/n${i}.md`, `# ${i}\n`])),
    );
    repository.git("checkout", "-q", "main");
    const watch = await start(home, root);
    /** The watcher stands still meanwhile: however long git takes on a busy machine, it is one event for a watcher. */
    const checkOut = (branch: string): void => {
      watch.process.kill("SIGSTOP");
      repository.git("checkout", "-q", branch);
      watch.process.kill("SIGCONT");
    };
    /** dex reports each file once, and the new commit once; on a busy machine the watcher's thread may pause in between. */
    const reportedOnce = async (which: "changed" | "removed", from: number): Promise<number> => {
      const files = (batches: readonly ChangeBatch[]): string[] => batches.flatMap((batch) => batch[which]);
      const isAll = (batches: readonly ChangeBatch[]): boolean =>
        files(batches).length >= MANY && batches.some(({ head }) => head);
      const all = await watch.tells(which, isAll, from);
      assert.equal(new Set(files(all)).size, MANY);
      assert.equal(files(all).length, MANY);
      assert.equal(all.filter(({ head }) => head).length, 1);
      assert.ok(all.length <= 3, `${all.length} batches`);
      return from + all.length;
    };
    checkOut("side/one");
    const there = await reportedOnce("changed", watch.batches.length);
    checkOut("main");
    await reportedOnce("removed", there);
    const before = watch.batches.length;
    repository.commit("second", { "a.ts": code("alpha2") });
    await watch.tells("the commit", (batches) => batches.some(({ head }) => head), before);
    const found = home.json<{ commits?: { subject: string }[] }>("history", "a.ts", "--repository", root, "--no-sync");
    assert.match(JSON.stringify(found), /second/);
    assert.equal(await watch.end("SIGINT"), 0);
    await assertAsFresh(home, root);
  });

  test("many files at once are few batches and the graph of a fresh index", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "plain");
    put(root, "a.ts", code("alpha"));
    const watch = await start(home, root);
    const before = watch.batches.length;
    // At once for the watcher, however long it takes to write them.
    watch.process.kill("SIGSTOP");
    for (let i = 0; i < MANY; i += 1) {
      const path = `p${i % 20}/q${i % 100}/f${i}`;
      if (i % 10 === 0) put(root, `${path}.ts`, `import "../../a.ts";\n${code(`fun${i}`)}`);
      else put(root, `${path}.md`, `# Page ${i}\n`);
    }
    watch.process.kill("SIGCONT");
    const seen = (): Set<string> => new Set(watch.batches.slice(before).flatMap(({ changed }) => changed));
    await until("all of them", () => seen().size === MANY);
    const count = watch.batches.length - before;
    assert.ok(count <= 20, `${count} batches`);
    assert.equal(await watch.end(), 0);
    await assertAsFresh(home, root);
  });

  test("files saved during an update form the next batch", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "busy");
    put(root, "a.ts", code("alpha"));
    const watch = await start(home, root);
    let version = 0;
    for (; version < rounds(30, 60); version += 1) {
      put(root, `m${version % 7}.ts`, code(`made${version}`));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await watch.tells("all of them", (batches) => new Set(batches.flatMap(({ changed }) => changed)).size >= 7);
    for (let last = version - 7; last < version; last += 1) {
      await until(`made${last}`, () => fileOf(home, root, `made${last}`) === `m${last % 7}.ts`);
    }
    await watch.end();
    await assertAsFresh(home, root);
  });

  test("one watcher per project, also from a folder inside; after a kill the next one continues", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "twice");
    const repository = new TestRepository(root);
    repository.commit("first", { "src/a.ts": code("alpha") });
    const watch = await start(home, root);
    const second = home.run("watch", join(root, "src"));
    assert.equal(second.status, 2);
    assert.match(second.stderr, /already watched by another dex process/);
    put(root, "src/b.ts", code("beta"));
    await watch.end("SIGKILL");
    put(root, "src/c.ts", code("gamma"));
    rmSync(join(root, "src/a.ts"));
    const next = await start(home, root);
    const told = await next.tells("what changed meanwhile", (batches) => batches.length > 0);
    assert.ok(told[0]?.changed.includes("src/c.ts"));
    assert.deepEqual(told[0]?.removed, ["src/a.ts"]);
    assert.equal(fileOf(home, root, "beta"), "src/b.ts");
    await next.end();
    await assertAsFresh(home, root);
  });

  test("a worktree has its own files, its own HEAD and its own watcher", async () => {
    const home = new TestHome();
    const repository = new TestRepository(join(temporaryFolder(), "main"));
    repository.commit("first", { "a.ts": code("alpha") });
    const root = join(temporaryFolder(), "side");
    repository.git("worktree", "add", "-q", "-b", "side", root);
    const both = [await start(home, repository.root), await start(home, root)];
    const inside = new TestRepository(root);
    inside.commit("second", { "b.ts": code("beta") });
    await both[1]?.tells("the commit", (batches) => batches.some(({ head }) => head));
    await both[1]?.changed("b.ts");
    put(repository.root, "c.ts", code("gamma"));
    await both[0]?.changed("c.ts");
    assert.deepEqual(
      both[0]?.batches.flatMap(({ changed }) => changed),
      ["c.ts"],
    );
  });

  test("conversations are searchable as they grow", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "talk");
    put(root, "a.ts", code("alpha"));
    const sessions = join(home.home, ".claude/projects/-home-sam-work");
    mkdirSync(sessions, { recursive: true });
    const watch = await start(home, root);
    const found = (word: string): boolean => home.run("search", word, "--no-sync").status === 0;
    const id = sessionId(7, 1);
    const [head = "", ...rest] = claudeSession(id, random(7), { turns: 2 }).trimEnd().split("\n");
    const say = (text: string): string =>
      `${head.replace(/"content":"[^"]*"/, `"content":"${text}"`).replaceAll(`${id}-0`, `${id}-${text}`)}\n`;
    writeFileSync(join(sessions, `${id}.jsonl`), `${[say("zebrafish").trimEnd(), ...rest].join("\n")}\n`);
    await until("the first", () => found("zebrafish"));
    appendFileSync(join(sessions, `${id}.jsonl`), say("quokka"));
    await until("what was added", () => found("quokka"));
    await watch.tells("both", (batches) => batches.filter(({ conversations }) => conversations).length >= 2);
    assert.equal(await watch.end(), 0);
  });

  test("folders of documentation are searchable as they are written", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "told");
    put(root, "a.ts", code("alpha"));
    const manual = temporaryFolder();
    put(manual, "one.md", "# One\n\nAbout the armadillo.\n");
    assert.equal(home.run("docs", "add", "manual", manual, "--global").status, 0);
    const watch = await start(home, root);
    const found = (word: string): boolean => /two\.md/.test(home.run("docs", "search", word, "--no-sync").stdout);
    // Its folder is watched after the project is, and before it is read.
    put(manual, "deep/two.md", "# Two\n\nAbout the pangolin.\n");
    await until("the new page", () => found("pangolin"));
    put(manual, "deep/two.md", "# Two\n\nAbout the capybara.\n");
    await until("the other text", () => found("capybara"));
    assert.equal(await watch.end(), 0);
  });

  test("test reports are taken in, also from an ignored folder", async () => {
    const home = new TestHome();
    const repository = new TestRepository();
    const { root } = repository;
    // A failure counts only while the test exists.
    const sum = 'test("adds", () => {});\n';
    repository.commit("first", { "a.ts": code("alpha"), "sum.test.ts": sum, ".gitignore": "test-results/\n" });
    mkdirSync(join(root, "test-results"));
    const watch = await start(home, root);
    const report = (ends: string): string =>
      `<testsuite name="s"><testcase name="adds" classname="sum">${ends}</testcase></testsuite>\n`;
    put(root, "test-results/unit/junit.xml", report('<failure message="3 is not 4"/>'));
    await watch.tells("the report", (batches) => batches.some(({ tests }) => tests));
    const failing = home.json<{ total: number }>("tests", "list", "--repository", root, "--no-sync");
    assert.equal(failing.total, 1);
    put(root, "test-results/unit/junit.xml", report(""));
    await until(
      "it passes",
      () => home.json<{ total: number }>("tests", "list", "--repository", root, "--no-sync").total === 0,
    );
    put(root, "test-results/coverage.xml", "<coverage/>\n");
    put(root, "b.ts", code("beta"));
    await watch.changed("b.ts");
    assert.doesNotMatch(watch.stderr, /coverage/);
    assert.equal(await watch.end(), 0);
  });

  test("ends with the folder, with whoever started it, and says what it cannot do", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "gone");
    put(root, "a.ts", code("alpha"));
    const watch = await start(home, root);
    rmSync(root, { recursive: true });
    assert.equal(await watch.ended(), 2);
    assert.match(watch.stderr, /no longer exists/);
    assert.equal(home.run("watch", root).status, 2);

    put(root, "a.ts", code("alpha"));
    const held = await start(home, root);
    held.process.stdin.end();
    assert.equal(await held.ended(), 0);
    const left = await start(home, root);
    assert.equal(await left.end("SIGHUP"), 0);

    assert.match(home.run("watch", root, "--jsn").stderr, /Did you mean --json/);
    const sealed = home.withVars({ DEX_HOME: "/proc/dex" });
    const refused = sealed.run("watch", root);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /cannot be written|not a folder/);
    // A home folder, or `/`: reading everything below would take minutes.
    const stray = home.run("watch", home.home);
    assert.equal(stray.status, 2);
    assert.match(stray.stderr, /contains your home folder, so dex would read everything below it/);
  });

  test("where the native part of the watcher is missing it says so and goes on", async () => {
    const home = new TestHome();
    const root = join(temporaryFolder(), "bare");
    put(root, "a.ts", code("alpha"));
    // Found by its link, the program has no packages beside it.
    const link = join(temporaryFolder(), "dist");
    symlinkSync(dirname(program), link);
    const alone = ["--preserve-symlinks", "--preserve-symlinks-main", join(link, "dex.js"), "watch", "--json", root];
    const watch = RunningWatch.of(spawn(process.execPath, alone, { cwd: home.cwd, env: home.env }));
    running.push(watch);
    await watch.says(/File events are not available: Cannot find package[\s\S]*by polling/);
    put(root, "b.ts", code("beta"));
    await watch.changed("b.ts");
    assert.equal(await watch.end(), 0);
  });

  test("without notifications of the system it polls, and it ignores changes in dex's own home", async () => {
    const root = join(temporaryFolder(), "polled");
    put(root, "a.ts", code("alpha"));
    const home = new TestHome().withVars({ DEX_HOME: join(root, ".dex") });
    Object.assign(home, { dexHome: join(root, ".dex"), cwd: root });
    const watch = await start(home, "--poll");
    assert.match(watch.stderr, /, by polling\)/);
    put(root, "b.ts", code("beta"));
    await watch.changed("b.ts");
    await until("beta", () => fileOf(home, root, "beta") === "b.ts");
    rmSync(join(root, "b.ts"));
    await watch.removed("b.ts");
    assert.equal(await watch.end(), 0);
    assert.ok(existsSync(join(root, ".dex")));
    const native = await start(home);
    put(root, "c.ts", code("gamma"));
    await native.changed("c.ts");
    assert.equal(await native.end(), 0);
    const told = [...watch.batches, ...native.batches].flatMap(({ changed, removed }) => [...changed, ...removed]);
    assert.deepEqual(
      told.filter((path) => path.startsWith(".dex")),
      [],
    );
  });
});
