import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { openIndexWriter } from "../sqlite/index/writer.ts";
import { ParkedIndex } from "./parked_index.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-parked-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function newIndex(name: string): string {
  const path = join(folder, name);
  const { writer } = openIndexWriter(path);
  writer.commit();
  writer.close();
  return path;
}

function changed(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

const CONTAINER = "INSERT INTO containers (source, path, stamp, malformed) VALUES ('a', '/x', '1:2', 0)";
/** Nobody can put a file in the place of one that is open there. */
const skip = process.platform === "win32";

test("the parked index is handed out again, to one at a time", () => {
  const path = newIndex("again.db");
  const indexes = new ParkedIndex();
  const { store: first } = indexes.open(path);
  assert.ok(indexes.park(first));
  assert.equal(indexes.open(path).store, first);
  const { store: second } = indexes.open(path);
  assert.notEqual(second, first);
  assert.ok(indexes.park(first));
  assert.ok(indexes.park(second), "it takes the place of the other, which is closed");
  assert.throws(() => first.count({}));
  indexes.close();
  assert.throws(() => second.count({}));
});

test("writes of another connection are visible in an open index and in a parked one", () => {
  const path = newIndex("written.db");
  const indexes = new ParkedIndex();
  const { store } = indexes.open(path);
  assert.equal(store.stamps().size, 0);
  assert.deepEqual(store.projects(5), []);
  changed(path, CONTAINER);
  assert.equal(store.stamps().size, 1);
  indexes.park(store);
  changed(path, "UPDATE containers SET stamp = '3:4'");
  changed(
    path,
    `INSERT INTO conversations (source, id, title, project, created, updated, messages, tokens, tokens_stripped,
      tokens_user, meta, archive, archive_bytes, checksum) VALUES ('a', 'b', '', '/p', 0, 7, 0, 0, 0, 0, '{}', '', 0, 0)`,
  );
  const { store: again } = indexes.open(path);
  assert.equal(again, store);
  assert.deepEqual([...again.stamps().values()], ["3:4"]);
  assert.deepEqual(again.projects(5), [{ project: "/p", conversations: 1, updated: 7 }]);
  again.close();
});

test("another file at the path, and one of another version, are opened again", { skip }, () => {
  const path = newIndex("replaced.db");
  const indexes = new ParkedIndex();
  const { store } = indexes.open(path);
  indexes.park(store);
  const other = newIndex("other.db");
  changed(other, CONTAINER);
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  renameSync(other, path);
  const { store: replaced } = indexes.open(path);
  assert.notEqual(replaced, store);
  assert.equal(replaced.stamps().size, 1);
  indexes.park(replaced);
  changed(path, "PRAGMA user_version = 1");
  assert.equal(indexes.open(path).state, "outdated");
});

test("an index that is missing is not parked", () => {
  const indexes = new ParkedIndex();
  const { store, state } = indexes.open(join(folder, "missing.db"));
  assert.equal(state, "missing");
  assert.ok(!indexes.park(store));
  store.close();
});
