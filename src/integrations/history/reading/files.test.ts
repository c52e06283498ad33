import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { listDir, presenceBelow } from "./files.ts";

const root = mkdtempSync(join(tmpdir(), "dex-files-"));
after(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, "home");
mkdirSync(join(home, ".config/agent"), { recursive: true });
writeFileSync(join(root, "elsewhere"), "");

test("paths below a folder, the folder itself and paths elsewhere are found where they exist", () => {
  const isPresent = presenceBelow(home);
  const present = [home, join(home, ".config"), join(home, ".config/agent"), join(root, "elsewhere")];
  const missing = [join(home, ".agent"), join(home, ".config/other"), join(home, ".agent/data"), join(root, "nowhere")];
  assert.deepEqual(present.filter(isPresent), present);
  assert.deepEqual(missing.filter(isPresent), []);
  assert.ok(presenceBelow(`${home}/`)(join(home, ".config")));
  assert.ok(presenceBelow(join(root, "nowhere"))(home));
});

test("a folder that was listed before shows added, removed and renamed entries", () => {
  const folder = join(root, "listed");
  const names = (): string[] =>
    listDir(folder)
      .map(({ name }) => name)
      .toSorted();
  assert.deepEqual(names(), []);
  mkdirSync(folder);
  writeFileSync(join(folder, "one"), "");
  assert.deepEqual(names(), ["one"]);
  writeFileSync(join(folder, "two"), "");
  assert.deepEqual(names(), ["one", "two"]);
  // As if nothing had changed for days: the system still knows when the folder changed.
  const before = new Date(Date.now() - 1e9);
  utimesSync(folder, before, before);
  assert.deepEqual(names(), ["one", "two"]);
  rmSync(join(folder, "one"));
  renameSync(join(folder, "two"), join(folder, "three"));
  utimesSync(folder, before, before);
  assert.deepEqual(names(), ["three"]);
});
