import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readContainedText, readRegularFile } from "./bounded_read.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-bounded-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = join(folder, "project");
mkdirSync(join(root, "docs"), { recursive: true });
writeFileSync(join(root, "docs/a.md"), "inside");
writeFileSync(join(folder, "outside.md"), "outside");

test("regular files up to the limit are read whole", () => {
  assert.equal(readContainedText(root, "docs/a.md", 6), "inside");
  assert.equal(readContainedText(root, "docs/a.md", 5), undefined);
  writeFileSync(join(root, "empty"), "");
  assert.equal(readContainedText(root, "empty", 10), "");
  assert.equal(readContainedText(root, "missing", 10), undefined);
  assert.equal(readContainedText(root, "docs", 10), undefined);
});

test("links that stay inside are followed, links that leave are not", () => {
  symlinkSync("docs/a.md", join(root, "in"));
  symlinkSync("../outside.md", join(root, "out"));
  symlinkSync("..", join(root, "up"));
  assert.equal(readContainedText(root, "in", 100), "inside");
  assert.equal(readContainedText(root, "out", 100), undefined);
  assert.equal(readContainedText(root, "up/outside.md", 100), undefined);
  assert.equal(readContainedText(root, "../outside.md", 100), undefined);
  assert.equal(readRegularFile(join(root, "in"), 100), undefined);
});

test("devices and fifos give nothing, at once", { skip: process.platform === "win32" && "no devices" }, () => {
  symlinkSync("/dev/zero", join(root, "endless"));
  assert.equal(readContainedText(root, "endless", 1 << 20), undefined);
  assert.equal(readRegularFile("/dev/zero", 1 << 20), undefined);
  assert.equal(spawnSync("mkfifo", [join(root, "fifo")]).status, 0);
  assert.equal(readContainedText(root, "fifo", 100), undefined);
});

test("a file that states no size is still bounded", { skip: process.platform !== "linux" && "needs /proc" }, () => {
  assert.ok((readRegularFile("/proc/self/status", 1 << 20)?.length ?? 0) > 100);
  assert.equal(readRegularFile("/proc/self/status", 100), undefined);
});
