/** Two homes in one process share nothing, and a closed application leaves no database open. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, mock, test } from "node:test";
import * as z from "zod";
import { TestRepository } from "../test/support/repository.ts";
import { openFresh } from "./code/open.ts";
import { findCodeProject } from "./code/project.ts";
import { Dex } from "./dex.ts";
import { defineOperation, type Operation } from "./operations/operation.ts";
import { runOperation } from "./operations/run.ts";
import { CallRunner } from "./serving/calls/call_runner.ts";
import { openCodeGraphs } from "./store/databases/open_databases.ts";
import { withProjectView } from "./suggest/view/project_view.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-homes-")));
after(() => rmSync(folder, { recursive: true, force: true }));

const repository = new TestRepository(join(folder, "project"));
repository.commit("Add the price", { "price.ts": "export function price(): number {\n  return 1;\n}\n" });

function homeVars(name: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: folder, DEX_HOME: join(folder, name) };
}

function openHome(name: string): Promise<Dex> {
  return Dex.open({ vars: homeVars(name), cwd: repository.root });
}

/** Files below this folder that this process has open. */
function openFiles(name: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(join(folder, name)) ? [path] : [];
    } catch {
      // The descriptor that read the folder is closed by now.
      return [];
    }
  });
}

const onLinux = { skip: process.platform === "linux" ? false : "/proc is Linux's" };

test("the code graph of one home is not seen from another, and is shared within its own", async () => {
  const [one, two] = await Promise.all([openHome("one"), openHome("two")]);
  try {
    const projects = [one, two].map(({ paths }) => findCodeProject(paths.code, repository.root));
    const [first, second] = projects as [(typeof projects)[0], (typeof projects)[0]];
    assert.notEqual(first.path, second.path);
    const { store } = await openFresh(one.caches, first, { now: one.now });
    assert.equal(store.named("price").length, 1);
    assert.equal((await openFresh(one.caches, first, { now: one.now })).store, store);
    for (const { path } of projects) assert.equal(two.caches.of(openCodeGraphs).peek(path), undefined);
    const other = await openFresh(two.caches, second, { now: two.now });
    assert.notEqual(other.store, store);
    one.close();
    assert.equal(other.store.named("price").length, 1, "closing one home leaves the other open");
  } finally {
    one.close();
    two.close();
  }
});

test("a home is brought up to date although another was just now", onLinux, async () => {
  for (const name of ["three", "four"]) {
    const dex = await openHome(name);
    try {
      const activity = { folder: repository.root, recent: [] };
      const found = await withProjectView(dex, activity, { stale: false, days: 30 }, {}, ({ view }) =>
        view.history.countOf("price.ts"),
      );
      assert.equal(found, 1, `${name} has read the commit`);
      const project = findCodeProject(dex.paths.code, repository.root);
      await openFresh(dex.caches, project, { now: dex.now });
      void dex.store;
      assert.ok(openFiles(name).length > 0);
    } finally {
      dex.close();
    }
    assert.deepEqual(openFiles(name), []);
  }
});

test("a server keeps the graph open between calls, and closes it after the last one", onLinux, async () => {
  const dex = await openHome("five");
  await openFresh(dex.caches, findCodeProject(dex.paths.code, repository.root), { now: dex.now });
  dex.close();
  const host = new CallRunner(homeVars("five"));
  const { code } = await import("./operations/code/code.ts");
  const input = { action: "symbol", target: "price", project: repository.root, tokens: 1000 };
  await host.run(code as Operation, input);
  assert.ok(openFiles("five").some((path) => path.endsWith(".db")));
  const running = host.run(code as Operation, input);
  host.close();
  await running;
  assert.deepEqual(openFiles("five"), []);
});

test("a graph stays open while an answer takes longer than an unused graph does", async () => {
  const dex = await openHome("six");
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const project = findCodeProject(dex.paths.code, repository.root);
    const slow = defineOperation({
      name: "dex_slow",
      verb: "slow",
      summary: "Answers after a minute",
      positionals: [],
      input: z.strictObject({}),
      output: z.object({ found: z.number() }),
      readOnly: true,
      idempotent: true,
      syncBefore: "none",
      traced: true,
      run: async () => {
        const { store } = await openFresh(dex.caches, project, { now: dex.now });
        mock.timers.tick(60_000);
        return { found: store.named("price").length };
      },
    });
    assert.equal((await runOperation(dex, slow, {})).output.found, 1);
  } finally {
    mock.timers.reset();
    dex.close();
  }
});
