/** A line without an end costs little: holes of sparse files, lines that are no JSON. */
import assert from "node:assert/strict";
import { ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { leastCpu } from "../../../test/support/cost.ts";
import { readLines } from "./lines.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-lines-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A record, a hole of so many bytes, and another record. */
function withHole(bytes: number, before = ""): string {
  const path = join(folder, "sparse.jsonl");
  const fd = openSync(path, "w");
  const first = `{"a":1}\n${before}`;
  writeSync(fd, first);
  ftruncateSync(fd, first.length + bytes);
  writeSync(fd, '\n{"b":2}\n', first.length + bytes);
  return path;
}

test("the records around a hole are read, and the hole is a line that is too long", () => {
  for (const before of ["", '{"text":"']) {
    const lines = [...readLines(withHole(64 << 20, before))];
    assert.deepEqual(
      lines.map(({ text, oversized }) => [text, oversized]),
      [
        ['{"a":1}', false],
        ["", true],
        ['{"b":2}', false],
      ],
    );
  }
});

test("a hole costs no work for each byte", () => {
  const hole = leastCpu(() => void [...readLines(withHole(256 << 20))]);
  const text = leastCpu(() => void [...readLines(withHole(0, `{"text":"${"x".repeat(16 << 20)}"}`))]);
  assert.ok(hole < 8 * text, `${hole} µs for a hole, ${text} µs for a line of a sixteenth of it`);
});
