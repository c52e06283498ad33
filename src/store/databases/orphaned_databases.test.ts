import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TestRepository } from "../../../test/support/repository.ts";
import { indexProject } from "../../code/indexing/indexer.ts";
import { findCodeProject } from "../../code/project.ts";
import { findRepository } from "../../history/repository.ts";
import { updateHistory } from "../../history/update.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { findOrphaned, removeOrphaned } from "./orphaned_databases.ts";

test("dex removes the databases of a deleted project, not those of one on an unmounted disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dex-forsaken-"));
  try {
    const paths = { code: join(folder, "code"), history: join(folder, "history") };
    mkdirSync(paths.history);
    const places = ["kept", "deleted", "disk/project"].map((name) => join(folder, "work", name));
    for (const place of places) {
      const repository = new TestRepository(place);
      repository.commit("first", { "a.ts": "export function one() {}\n" });
      await indexProject(findCodeProject(paths.code, place), { now: Date.now() });
      const found = findRepository(place);
      assert.ok(found);
      await updateHistory(found, paths.history);
    }
    writeFileSync(join(paths.code, "0123456789abcdef.db"), "no database");
    assert.deepEqual(findOrphaned(paths), { gone: [], away: [] });

    const [, deleted = "", away = ""] = places;
    rmSync(deleted, { recursive: true });
    // The mount point of a disk that is no longer mounted.
    renameSync(away, join(folder, "elsewhere"));
    const found = findOrphaned(paths);
    assert.deepEqual(
      found.gone.map(({ root, kind }) => [root, kind]),
      [
        [deleted, "code"],
        [deleted, "history"],
      ],
    );
    assert.deepEqual(found.away, [away]);

    const [code] = found.gone;
    assert.ok(code && code.bytes > 0);
    const held = acquireLock(code.path.replace(/db$/, "lock"), 0);
    assert.deepEqual(
      removeOrphaned(found.gone).map(({ kind }) => kind),
      ["history"],
      "what another process uses is left",
    );
    held?.release();
    assert.equal(removeOrphaned(findOrphaned(paths).gone).length, 1);
    assert.equal(existsSync(code.path), false);
    assert.deepEqual(findOrphaned(paths), { gone: [], away: [away] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
