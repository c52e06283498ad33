import assert from "node:assert/strict";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dexPaths } from "../config/paths.ts";
import { forgetInFiles } from "./files.ts";

test("removes files that quote; keeps dex's own compiled code, whatever words are in it", () => {
  const home = mkdtempSync(join(tmpdir(), "dex-forget-files-"));
  const compiled = join(home, "compile-cache", "v24", "014fea3b");
  const loose = join(home, "notes.txt");
  mkdirSync(join(compiled, ".."), { recursive: true });
  for (const path of [compiled, loose]) writeFileSync(path, "when this was said");
  const { files } = forgetInFiles(dexPaths({ DEX_HOME: home }), (text) => text.includes("said"), false);
  assert.deepEqual(files, ["notes.txt"]);
  assert.equal(existsSync(loose), false);
  assert.equal(existsSync(compiled), true);
});

test("an unreadable file or folder is named, and the others are cleaned all the same", (t) => {
  if (process.getuid === undefined) {
    t.skip("this system has no user ids");
    return;
  }
  const home = mkdtempSync(join(tmpdir(), "dex-forget-unreadable-"));
  mkdirSync(join(home, "closed"));
  for (const name of ["closed.txt", "open.txt"]) writeFileSync(join(home, name), "when this was said");
  chmodSync(join(home, "closed"), 0);
  chmodSync(join(home, "closed.txt"), 0);
  const { files, unreadable } = asPlainUser(home, () =>
    forgetInFiles(dexPaths({ DEX_HOME: home }), (text) => text.includes("said"), false),
  );
  assert.deepEqual(files, ["open.txt"]);
  assert.deepEqual(unreadable, ["closed", "closed.txt"]);
  assert.equal(existsSync(join(home, "open.txt")), false);
  assert.equal(existsSync(join(home, "closed.txt")), true);
});

/** Permissions do not bind root. */
function asPlainUser<T>(home: string, work: () => T): T {
  const nobody = 65_534;
  if (process.getuid?.() !== 0) return work();
  chownSync(home, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
