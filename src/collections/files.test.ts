/** Files that change while they are read. */
import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DexError } from "../kernel/errors.ts";
import { readStable } from "./files.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-files-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const HALF = "first half\n";
const WHOLE = `${HALF}second half\n`;

/** Changes the file between the read and the second stat, for the first `times` reads. */
function disturbed(path: string, disturb: (time: number) => void, times = 1): Buffer | undefined {
  let looks = 0;
  return readStable(path, 1000, () => {
    looks += 1;
    if (looks <= times) disturb(looks);
  });
}

test("a file that grows, shrinks or is replaced while it is read is read again, whole", () => {
  const path = join(folder, "a.md");
  writeFileSync(path, HALF);
  assert.equal(disturbed(path, () => writeFileSync(path, WHOLE))?.toString(), WHOLE);
  assert.equal(disturbed(path, () => writeFileSync(path, "short\n"))?.toString(), "short\n");
  // Same length, written in place: only the modification time differs.
  assert.equal(disturbed(path, () => writeFileSync(path, "trohs\n"))?.toString(), "trohs\n");
  // Replaced by another file: the open one is still complete, and the next sync finds the new one.
  const other = join(folder, "b.md");
  const before = disturbed(path, () => {
    writeFileSync(other, WHOLE);
    renameSync(other, path);
  });
  assert.ok(before?.toString() === "trohs\n" || before?.toString() === WHOLE);
  assert.equal(readStable(path, 1000)?.toString(), WHOLE);
});

test("a file that keeps changing is left for the next sync; a deleted one is absent", () => {
  const path = join(folder, "log.md");
  writeFileSync(path, "");
  assert.throws(
    () => disturbed(path, (time) => writeFileSync(path, "line\n".repeat(time)), 100),
    (error) => error instanceof DexError && error.code === "changing",
  );
  rmSync(path);
  assert.equal(readStable(path, 1000), undefined);
});

test("a file that grows beyond the limit while it is read is refused", () => {
  const path = join(folder, "large.md");
  writeFileSync(path, "small");
  assert.throws(
    () => disturbed(path, () => writeFileSync(path, "x".repeat(2000))),
    (error) => error instanceof DexError && error.code === "too_large",
  );
});
