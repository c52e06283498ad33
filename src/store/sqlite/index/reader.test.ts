/** Conversations that are found by their id or their parent, in their order, and as they are now. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { openIndex } from "./opened_index.ts";
import { openIndexWriter } from "./writer.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-reader-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  source: string;
  id: string;
  updated: number;
  parent?: string;
}

function indexOf(rows: readonly Row[], name = "index.db"): string {
  const path = join(folder, name);
  const { writer } = openIndexWriter(path);
  writer.commit();
  writer.close();
  const database = new DatabaseSync(path);
  insertRows(database, rows);
  database.close();
  return path;
}

function insertRows(database: DatabaseSync, rows: readonly Row[]): void {
  const insert = database.prepare(
    `INSERT INTO conversations (source, id, title, created, updated, messages, tokens, tokens_stripped, tokens_user,
      parent, meta, archive, archive_bytes, checksum) VALUES (?, ?, '', 0, ?, 0, 0, 0, 0, ?, '{}', '', 0, 0)`,
  );
  for (const { source, id, updated, parent } of rows) insert.run(source, id, updated, parent ?? null);
}

test("the rows of one id and of one parent come newest first, then by id, up to the limit", () => {
  const path = indexOf([
    { source: "a", id: "same", updated: 10 },
    { source: "b", id: "same", updated: 30 },
    { source: "c", id: "same", updated: 20 },
    { source: "a", id: "same-longer", updated: 90 },
    { source: "a", id: "z", updated: 5, parent: "same" },
    { source: "a", id: "y", updated: 5, parent: "same" },
    { source: "a", id: "x", updated: 7, parent: "same" },
  ]);
  const { store } = openIndex(path);
  try {
    const sources = (source?: string, limit?: number) => store.byPrefix("same", source, limit).map((row) => row.source);
    assert.deepEqual(sources(), ["b", "c", "a"], "an id is not a prefix of another one");
    assert.deepEqual(sources(undefined, 2), ["b", "c"]);
    assert.deepEqual(sources("c"), ["c"]);
    assert.deepEqual(sources("d"), []);
    assert.deepEqual(
      store.children("same").map(({ id }) => id),
      ["x", "y", "z"],
    );
  } finally {
    store.close();
  }
});

test("rows that one snapshot has read are read again by the next after another connection has written", () => {
  const path = indexOf(
    [
      { source: "a", id: "first", updated: 10 },
      { source: "a", id: "second", updated: 20, parent: "first" },
    ],
    "kept.db",
  );
  const { store } = openIndex(path);
  const other = new DatabaseSync(path);
  const rows = () => ({
    updated: store.byNo(1)?.updated,
    missing: store.byNo(3)?.id,
    after: store.idNeighbours("first").after,
    children: store.childCount("first"),
  });
  try {
    const before = { updated: 10, missing: undefined, after: "second", children: 1 };
    store.inSnapshot(() => {
      assert.deepEqual(rows(), before);
      other.exec("UPDATE conversations SET updated = 11 WHERE no = 1");
      insertRows(other, [{ source: "a", id: "next", updated: 30, parent: "first" }]);
      assert.deepEqual(store.inSnapshot(rows), before, "one snapshot has one state");
    });
    const now = { updated: 11, missing: "next", after: "next", children: 2 };
    assert.deepEqual(rows(), now);
    assert.deepEqual(store.inSnapshot(rows), now);
  } finally {
    store.close();
    other.close();
  }
});
