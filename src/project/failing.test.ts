import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { Dex } from "../dex.ts";
import { historyPath } from "../history/place.ts";
import { projectKey, type Repository, repositoryOrFolder } from "../history/repository.ts";
import { withHistoryWriter } from "../history/update.ts";
import { openHistory } from "../store/engine/history.ts";
import type { HistoryWriter, SeenOutcome, TestNotes } from "../store/history.ts";
import { failingTests, prepareFailingTests } from "./failing.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let dex: Dex;
let repository: Repository;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), "dex-failing-"));
  folders.push(folder);
  repository = repositoryOrFolder(folder);
  dex = await Dex.open({ vars: { DEX_HOME: join(folder, "dex") }, cwd: folder });
  await write((writer) => writer.addOutcomes([outcome("a", "failed", 1), outcome("b", "failed", 2)]));
});

function outcome(name: string, status: SeenOutcome["status"], time: number, owner = `claude:${name}`): SeenOutcome {
  const run = { runner: "tap", file: "src/a.test.ts", message: null, total: 2, place: `${name}#1`, owner };
  return { ...run, name, status, time };
}

async function write(work: (writer: HistoryWriter) => void): Promise<void> {
  await withHistoryWriter(repository, dex.paths.history, (writer) => {
    work(writer);
    writer.commit();
  });
}

/** `outcomesRead`: whether the outcomes were folded, because no list of them was ready. */
function failing(): { names: (string | null)[]; outcomesRead: boolean } {
  const history = openHistory(historyPath(dex.paths.history, repository));
  let outcomesRead = false;
  const outcomes = history.outcomes.bind(history);
  history.outcomes = () => {
    outcomesRead = true;
    return outcomes();
  };
  const names = (imported: TestNotes | undefined): (string | null)[] =>
    failingTests({ repository, history, imported }).map(({ name }) => name);
  try {
    const found = dex.hasState ? dex.withState(({ tests }) => names(tests)) : names(undefined);
    return { names: found, outcomesRead };
  } finally {
    history.close();
  }
}

async function prepare(): Promise<void> {
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    await prepareFailingTests(dex, { repository, history });
  } finally {
    history.close();
  }
}

test("a prepared list answers without the outcomes; without one they are folded", async () => {
  assert.deepEqual(failing(), { names: ["b", "a"], outcomesRead: true });
  await prepare();
  assert.deepEqual(failing(), { names: ["b", "a"], outcomesRead: false });
});

test("a list of earlier outcomes is not used: after a run that passed, and after a conversation was forgotten", async () => {
  await prepare();
  await write((writer) => writer.addOutcomes([outcome("a", "passed", 3, "claude:later")]));
  assert.deepEqual(failing(), { names: ["b"], outcomesRead: true });
  await prepare();
  assert.deepEqual(failing(), { names: ["b"], outcomesRead: false });
  await write((writer) => writer.forget("claude:b"));
  assert.deepEqual(failing(), { names: [], outcomesRead: true });
});

test("results that a person imported since, here or in another worktree, make the list outdated", async () => {
  await prepare();
  const imported = [outcome("a", "passed", 4, ""), outcome("c", "failed", 4, "")];
  dex.withState(({ tests }) => tests.put(projectKey(repository), imported));
  assert.deepEqual(failing(), { names: ["c", "b"], outcomesRead: true });
  await prepare();
  assert.deepEqual(failing(), { names: ["c", "b"], outcomesRead: false });
});
