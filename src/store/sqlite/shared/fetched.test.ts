import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { FetchedParts } from "./fetched.ts";
import { CACHE } from "./schema.ts";

const PLACES = { folder: "/nonexistent", fromArchive: ".." };

test("the parts that were not used for the longest time are deleted first", () => {
  const database = new DatabaseSync(":memory:");
  database.exec(CACHE.schema);
  const fetched = new FetchedParts((sql) => database.prepare(sql));
  const insert = database.prepare("INSERT INTO vector_rows (id, vectors) VALUES (?, ?)");
  for (const group of [1, 2, 3]) {
    insert.run(group, new Uint8Array(950));
    fetched.add("group", group, "", 950);
    assert.equal(fetched.trim(PLACES, 3000), false);
  }
  assert.equal(fetched.bytes, 3000);
  fetched.touch("group", 1, "");
  assert.equal(fetched.trim(PLACES, 2500), true);
  const left = database.prepare("SELECT id FROM vector_rows ORDER BY id").all();
  assert.deepEqual(
    left.map(({ id }) => id),
    [1, 3],
  );
  assert.equal(fetched.bytes, 2000);
});
