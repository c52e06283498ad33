/** Copies of state.db while the clock is wrong. */
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/repository.ts";
import { StateStore } from "../sqlite/state/state.ts";
import { backupIfDue, backupState, listBackups, newestSound } from "./backups.ts";

test("after the clock was set back decades, copies are made again, once an hour, and the last one made is the newest", () => {
  const path = join(temporaryFolder(), "state.db");
  new StateStore(path).close();
  const future = Date.parse("2060-01-01T00:00:00Z");
  const wrong = backupState(path, future);
  assert.ok(wrong);
  utimesSync(wrong.path, future / 1000, future / 1000);

  const now = Date.now();
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE after_the_clock (x)");
  database.close();
  backupIfDue(path, now);
  assert.equal(listBackups(path).length, 2, "a copy of the changed file");
  backupIfDue(path, now + 1000);
  assert.equal(listBackups(path).length, 2, "no second one within the hour");
  const copy = new DatabaseSync(newestSound(path)?.path ?? "", { readOnly: true });
  assert.equal(copy.prepare("SELECT count(*) n FROM after_the_clock").get()?.n, 0);
  copy.close();
});
