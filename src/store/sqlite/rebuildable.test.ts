/** Rebuildable databases: missing, outdated and damaged files, and changes that are not committed. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { DexError } from "../../kernel/errors.ts";
import { Connection } from "./connection.ts";
import { openRebuildable, type RebuildableDatabase } from "./rebuildable.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-rebuildable-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const KIND: RebuildableDatabase = {
  version: 2,
  schema: "CREATE TABLE notes (text TEXT NOT NULL);",
  remedy: "Make it again.",
};
const REFILLED: RebuildableDatabase = { ...KIND, refills: true };

class Notes extends Connection {
  add(text: string): void {
    this.write("INSERT INTO notes (text) VALUES (?)").run(text);
  }

  commit(): void {
    this.transaction.commit();
  }
}

function notesIn(database: DatabaseSync): string[] {
  try {
    return database
      .prepare("SELECT text FROM notes ORDER BY text")
      .all()
      .map((row) => String(row.text));
  } finally {
    database.close();
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof DexError && error.code === "corrupt_index" && error.hint === KIND.remedy;
}

test("a missing database reads as an empty one, and reading does not create the file", () => {
  const path = join(folder, "missing.db");
  const { database, state } = openRebuildable(KIND, path, "read");
  assert.equal(state, "missing");
  assert.deepEqual(notesIn(database), []);
  assert.ok(!existsSync(path));
});

test("committed changes are read again, the others are rolled back when the writer closes", () => {
  const path = join(folder, "written.db");
  const opened = openRebuildable(KIND, path, "write");
  assert.ok(opened.created);
  const notes = new Notes(opened.database);
  notes.add("kept");
  notes.commit();
  notes.add("dropped");
  notes.close();
  const { database, state } = openRebuildable(KIND, path, "read");
  assert.equal(state, "ready");
  assert.deepEqual(notesIn(database), ["kept"]);
  const again = openRebuildable(KIND, path, "write");
  assert.ok(!again.created);
  assert.deepEqual(notesIn(again.database), ["kept"]);
});

test("a database of another version reads as an empty one, and a writer replaces it", () => {
  const path = join(folder, "outdated.db");
  const notes = new Notes(openRebuildable({ ...KIND, version: 1 }, path, "write").database);
  notes.add("old");
  notes.commit();
  notes.close();
  const { database, state } = openRebuildable(KIND, path, "read");
  assert.equal(state, "outdated");
  assert.deepEqual(notesIn(database), []);
  const opened = openRebuildable(KIND, path, "write");
  assert.ok(opened.created);
  assert.deepEqual(notesIn(opened.database), []);
});

test("a damaged database is an error with its remedy, except for a writer that fills it by itself", () => {
  const path = join(folder, "damaged.db");
  writeFileSync(path, "this is not a database ".repeat(500));
  assert.throws(() => openRebuildable(KIND, path, "read"), isDamage);
  assert.throws(() => openRebuildable(REFILLED, path, "read"), isDamage);
  assert.throws(() => openRebuildable(KIND, path, "write"), isDamage);
  const opened = openRebuildable(REFILLED, path, "write");
  assert.ok(opened.created);
  assert.deepEqual(notesIn(opened.database), []);
});
