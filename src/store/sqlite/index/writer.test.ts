/** Merging what a run has committed: with too little room nothing is lost, and the next run does it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { MessageDigest } from "../../index_writer.ts";
import { openRebuildable } from "../rebuildable.ts";
import { checkSegments } from "../texts/segment_check.ts";
import { INDEX } from "./schema.ts";
import { SqliteWriter } from "./writer.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-writer-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const MESSAGES = 800;
const TERMS = 60;

function digest(number: number): MessageDigest {
  return {
    ...{ role: "user", time: null, tokens: 1, tokens_stripped: 1, tokens_user: 1, hash: number, usage_hash: 0 },
    ...{ head: "", length: TERMS, files: [], commits: [], shell_calls: [], shell_results: [], requests: [] },
    terms: Uint32Array.from({ length: TERMS * 2 }, (_, i) => (i % 2 === 0 ? (number * 31 + i * 17) % 4000 : 4)),
  };
}

test("a disk without room for merging segments fails nothing, and a merge with room follows", () => {
  const { database } = openRebuildable(INDEX, join(folder, "index.db"), "write");
  const writer = new SqliteWriter(database);
  const names = Array.from({ length: 4000 }, (_, i) => `term ${i}`);
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const segments = (): number => number("SELECT count(*) FROM segments");
  const add = (no: number): void => {
    const digests = Array.from({ length: MESSAGES }, (_, i) => digest(no * MESSAGES + i));
    writer.addBlock(no, { first: 0, count: MESSAGES, offset: 0, length: 0 }, digests, names);
    const meta = { source: "test", id: String(no) };
    writer.finish(no, { meta, archive: `${no}.zst`, archiveBytes: 0 }, { terms: [] });
    writer.commit();
  };
  for (let run = 0; run < 5; run += 1) add(writer.newNo());
  assert.equal(segments(), 5);
  const documents = number("SELECT sum(documents) FROM segments");
  assert.equal(number("PRAGMA freelist_count"), 0, "the file has no free pages");
  const pages = number("PRAGMA page_count");
  database.exec(`PRAGMA max_page_count = ${pages}`);
  writer.join();
  assert.equal(segments(), 5, "the merge was rolled back");
  assert.equal(number("SELECT sum(documents) FROM segments"), documents);
  checkSegments(database, (sql) => database.prepare(sql));

  database.exec("PRAGMA max_page_count = 1000000");
  const shares: number[] = [];
  writer.join((share) => void shares.push(share));
  assert.equal(segments(), 1);
  assert.equal(number("SELECT sum(documents) FROM segments"), documents);
  checkSegments(database, (sql) => database.prepare(sql));
  assert.ok(shares.length > 2 && shares.every((share, i) => share > (shares[i - 1] ?? 0) && share <= 1));
  assert.ok(number("PRAGMA page_count") < pages * 1.2, "the merged segment is in the place of the old ones");
  writer.close();
});
