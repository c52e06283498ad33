/** A block in memory is used only while its file is the same. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BlockCache, linesIn } from "./block_cache.ts";
import { encodeFrame, FRAME_DATA_OFFSET } from "./frames.ts";

test("a block is read once while its file is the same, and again when the file was replaced or is gone", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dex-blocks-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (lines: readonly string[]) => {
    const frame = encodeFrame("messages", `${lines.join("\n")}\n`, lines.length);
    writeFileSync(join(folder, "a"), frame);
    return { first: 0, count: lines.length, offset: FRAME_DATA_OFFSET, length: frame.length - FRAME_DATA_OFFSET };
  };
  const cache = new BlockCache(folder);
  const first = write(["one", "zwei ü", "drei"]);
  const lines = cache.lines("a", first);
  assert.deepEqual(linesIn(lines, 1, 9), ["zwei ü", "drei"]);
  assert.equal(cache.lines("a", first), lines);
  const unkept = new BlockCache(folder);
  assert.notEqual(unkept.lines("a", first, false), unkept.lines("a", first, false));
  const stamps = new Map();
  assert.equal(cache.lines("a", first, true, stamps), lines);
  const second = write(["other", "lines"]);
  assert.equal(cache.lines("a", first, true, stamps), lines, "one question looks a file up once");
  assert.deepEqual(linesIn(cache.lines("a", second), 0, 2), ["other", "lines"]);
  const medium = write(["z".repeat(40_000)]);
  assert.ok(cache.lines("a", medium).bytes.buffer.byteLength < 41_000, "it takes the memory that it needs");
  // Larger than a piece of memory, and more than may be kept.
  const large = write(["x".repeat(200_000), "y".repeat(2 << 20)]);
  assert.equal(linesIn(cache.lines("a", large), 1, 2)[0]?.length, 2 << 20);
  assert.notEqual(cache.lines("a", large), cache.lines("a", large));
  rmSync(join(folder, "a"));
  assert.throws(() => cache.lines("a", second));
});
