import assert from "node:assert/strict";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { crc32 } from "./plan.ts";

test("the checksum of a policy is CRC-32", () => {
  for (const text of ["", "a", "123456789", JSON.stringify({ exclude: ["**/ü/**"], headless: false })]) {
    assert.equal(crc32(Buffer.from(text)), zlib.crc32(text));
  }
});
