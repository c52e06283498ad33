import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { removeTemporaryFiles, writeFileAtomic } from "./atomic_write.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-write-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("planted links are not written through", () => {
  const victim = join(folder, "victim");
  writeFileSync(victim, "mine");
  const path = join(folder, "settings.json");
  symlinkSync(victim, path);
  // The name that was used before, which anybody can tell.
  symlinkSync(victim, `${path}.${process.pid}.tmp`);
  writeFileAtomic(path, "new", 0o640);
  assert.equal(readFileSync(victim, "utf8"), "mine");
  assert.equal(readFileSync(path, "utf8"), "new");
  assert.equal(lstatSync(path).isSymbolicLink(), false);
  assert.equal(lstatSync(path).mode & 0o777 & ~0o640, 0);
  assert.deepEqual(readdirSync(folder).sort(), ["settings.json", `settings.json.${process.pid}.tmp`, "victim"]);
});

test("leftovers of killed processes are removed; files being written, and the user's own with such names, stay", () => {
  const hour = 3_600_000;
  const old = ["a.json.0123456789abcdef.tmp", "b.json.4711.tmp"];
  const kept = ["c.json.fedcba9876543210.tmp", "notes.tmp", "d.json"];
  for (const name of [...old, ...kept]) writeFileSync(join(folder, name), "");
  const now = Date.now();
  for (const name of [...old, "notes.tmp", "d.json"]) {
    utimesSync(join(folder, name), (now - 2 * hour) / 1000, (now - 2 * hour) / 1000);
  }
  assert.equal(removeTemporaryFiles(folder, now, true), 2);
  assert.ok(existsSync(join(folder, "b.json.4711.tmp")));
  assert.equal(removeTemporaryFiles(folder, now), 2);
  for (const name of old) assert.equal(existsSync(join(folder, name)), false);
  for (const name of kept) assert.ok(existsSync(join(folder, name)));
});
