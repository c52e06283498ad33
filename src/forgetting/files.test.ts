import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
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
