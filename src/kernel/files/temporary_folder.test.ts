import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "./temporary_folder.ts";

test("a new folder removes abandoned ones of its name, and neither young ones nor what a link leads to", () => {
  const other = mkdtempSync(join(tmpdir(), "dex-other-"));
  const prefix = `dex-test-${basename(other)}-`;
  const [old, young, link] = ["old", "young", "link"].map((name) => join(tmpdir(), prefix + name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [old, young]) mkdirSync(folder);
  writeFileSync(join(old, "copy.db"), "x");
  writeFileSync(join(other, "kept"), "x");
  symlinkSync(other, link);
  const longAgo = new Date(Date.now() - 3 * 24 * 3600_000);
  for (const folder of [old, other]) utimesSync(folder, longAgo, longAgo);
  const made = temporaryFolder(prefix);
  try {
    assert.ok(existsSync(made));
    assert.deepEqual([old, young, link, join(other, "kept")].map(existsSync), [false, true, true, true]);
  } finally {
    for (const path of [made, young, link, other]) rmSync(path, { recursive: true, force: true });
  }
});
