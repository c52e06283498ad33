/** Programs are found in absolute folders of the PATH alone. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { findOnPath, pathFolders, programFile, withSafePath } from "./programs.ts";

function folderWith(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-programs-")));
  writeFileSync(join(folder, name), "#!/bin/sh\necho started\n");
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test("empty and relative folders of the PATH are not searched, and not passed on", () => {
  const hostile = folderWith("tool");
  mkdirSync(join(hostile, "bin"));
  const good = folderWith("tool");
  const before = process.cwd();
  process.chdir(hostile);
  try {
    for (const path of ["", ".", "bin", `${delimiter}bin`, `.${delimiter}${delimiter}./bin${delimiter}../x`]) {
      const vars = { PATH: path, OTHER: "1" };
      assert.equal(findOnPath(["tool"], vars), undefined, path);
      const run = spawnSync(programFile("tool", vars), { env: withSafePath(vars), encoding: "utf8" });
      assert.equal((run.error as NodeJS.ErrnoException | undefined)?.code, "ENOENT", path);
      assert.notEqual(withSafePath(vars).PATH, "", "an empty PATH means the current folder");
      assert.deepEqual(pathFolders(withSafePath(vars)).length, 1);
      assert.equal(withSafePath(vars).OTHER, "1");
    }
    const vars = { PATH: `.${delimiter}${delimiter}${good}${delimiter}bin` };
    assert.equal(programFile("tool", vars), join(good, "tool"));
    assert.equal(withSafePath(vars).PATH, good);
    // The user chose this file.
    assert.equal(programFile("./tool", vars), "./tool");
  } finally {
    process.chdir(before);
  }
});

test("every program is started by a file that dex has looked up", () => {
  const source = join(import.meta.dirname, "..");
  const starts = (readdirSync(source, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
    .flatMap((name) => {
      const text = readFileSync(join(source, name), "utf8");
      return [
        ...text.matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\(\s*(["'`][^"'`]*["'`])/g),
      ]
        .filter(() => text.includes('"node:child_process"'))
        .map((match) => `${name}: ${match[1]}`);
    });
  assert.deepEqual(starts, []);
});
