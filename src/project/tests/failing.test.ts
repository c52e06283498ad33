import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { Dex } from "../../dex.ts";
import { historyPath } from "../../history/place.ts";
import { projectKey, type Repository, repositoryOrFolder } from "../../history/repository.ts";
import { withHistoryWriter } from "../../history/update.ts";
import { openHistory } from "../../store/engine/history.ts";
import type { SeenOutcome } from "../../store/history_records.ts";
import { withRepository } from "../repository.ts";
import { failingTests, prepareFailingTests } from "./failing.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let dex: Dex;
let folder: string;
let repository: Repository;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dex-failing-"));
  folders.push(folder);
  writeFileSync(join(folder, "a.test.ts"), 'test("adds", () => {});\ntest("subtracts", () => {});\n');
  repository = repositoryOrFolder(folder);
  dex = await Dex.open({ vars: { DEX_HOME: join(folder, "dex") }, cwd: folder });
});

function outcome(name: string, status: SeenOutcome["status"], age: number): SeenOutcome {
  const run = { runner: "tap", file: "a.test.ts", message: null, total: 2, place: "report.tap", owner: "" };
  // Later than the test file, which was written just now.
  return { ...run, name, status, time: Date.now() + 60_000 - age };
}

function imports(...outcomes: SeenOutcome[]): void {
  dex.withState(({ tests }) => tests.put(projectKey(repository), outcomes));
}

function failing(): (string | null)[] {
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    return dex.withState(({ tests }) => failingTests({ repository, history, imported: tests }).map(({ name }) => name));
  } finally {
    history.close();
  }
}

function prepare(): Promise<void> {
  return withRepository(dex, folder, {}, (open) => prepareFailingTests(dex, open, undefined, {}));
}

test("a refresh prepares the list, and a result that was imported since makes it outdated", async () => {
  imports(outcome("adds", "failed", 20), outcome("subtracts", "failed", 10));
  assert.deepEqual(failing(), [], "nothing was prepared");
  await prepare();
  assert.deepEqual(failing(), ["subtracts", "adds"]);
  imports(outcome("subtracts", "passed", 5));
  assert.deepEqual(failing(), [], "the list is of earlier results");
  await prepare();
  assert.deepEqual(failing(), ["adds"]);
});

test("an outcome of a conversation makes the list outdated", async () => {
  imports(outcome("adds", "failed", 20));
  await prepare();
  await withHistoryWriter(repository, dex.paths.history, (writer) => {
    writer.addOutcomes([{ ...outcome("adds", "passed", 10), owner: "claude:later", place: "later#1" }]);
    writer.commit();
  });
  assert.deepEqual(failing(), []);
});
