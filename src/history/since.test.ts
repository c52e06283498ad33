/** Counting changed files since a conversation, and when there is no answer. */
import assert from "node:assert/strict";
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../test/support/repository.ts";
import { openHistories } from "../store/databases/open_databases.ts";
import { repositoryOrFolder } from "./repository.ts";
import { ChangedSince } from "./since.ts";
import { updateHistory } from "./update.ts";

test("deleted, later committed and untouched files; no answer if one of them is unknown", async (t) => {
  const repo = new TestRepository();
  const folder = temporaryFolder();
  repo.commit("one", { "same.ts": "1", "later.ts": "1", "gone.ts": "1", "unsure.ts": "1" });
  const updated = repo.clock;
  const age = (file: string, hours: number): void => {
    const seconds = updated / 1000 + hours * 3600;
    utimesSync(join(repo.root, file), seconds, seconds);
  };
  age("same.ts", -1);
  repo.clock += 48 * 3_600_000;
  repo.commit("two", { "later.ts": "2" });
  rmSync(join(repo.root, "gone.ts"));
  const histories = openHistories();
  t.after(() => histories.close());
  const edited = (...files: string[]) =>
    files.map((path) => ({ path: join(repo.root, path), how: "edited" as const, first: 0 }));
  const ask = (...files: string[]): unknown => {
    return new ChangedSince(folder, histories).of({ project: repo.root, updated }, edited(...files));
  };
  assert.deepEqual(ask("same.ts"), { files: 0, of: 1 });
  assert.equal(ask("same.ts", "later.ts"), undefined, "the history has not been read");
  await updateHistory(repositoryOrFolder(repo.root), folder);
  assert.deepEqual(ask("same.ts", "later.ts", "gone.ts"), { files: 2, of: 3 });
  assert.equal(ask("same.ts", "unsure.ts"), undefined, "written later, but by no commit");
  assert.equal(ask(), undefined);
  repo.commit("three", { "x.ts": "1" });
  assert.equal(ask("later.ts"), undefined, "the history is behind");
  repo.commit("four", { "unsure.ts": "2" });
  await updateHistory(repositoryOrFolder(repo.root), folder);
  assert.deepEqual(ask("same.ts", "unsure.ts"), { files: 1, of: 2 }, "what was known of other commits is not used");
  const since = new ChangedSince(folder, histories);
  assert.equal(since.of({ project: "/nowhere/at/all", updated }, edited("same.ts")), undefined);
  assert.equal(since.of({ project: null, updated }, edited("same.ts")), undefined);
});
