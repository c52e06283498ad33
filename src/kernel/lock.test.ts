import assert from "node:assert/strict";
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { acquireLock } from "./lock.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-lock-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a damaged lock file is emptied, and a link in its place is removed without touching its target", {
  skip: process.platform === "win32" && "links need a right there",
}, () => {
  const precious = join(folder, "precious");
  const path = join(folder, "lock.db");
  writeFileSync(precious, "precious");
  symlinkSync(precious, path);
  for (const text of [undefined, "garbage"]) {
    if (text !== undefined) writeFileSync(path, text);
    const lock = acquireLock(path, 0);
    assert.equal(acquireLock(path, 0), undefined, "it is held");
    lock?.release();
  }
  assert.equal(readFileSync(precious, "utf8"), "precious");
  assert.ok(lstatSync(path).isFile());
});
