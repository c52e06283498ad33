import assert from "node:assert/strict";
import { test } from "node:test";
import { highestIn } from "./ranges.ts";

const VERSIONS = [
  "0.1.0",
  "0.1.5",
  "0.2.0",
  "1.0.0",
  "1.2.0",
  "1.2.9",
  "1.10.0",
  "2.0.0-beta.2",
  "2.0.0-beta.10",
  "3.0.0-rc.1",
  "3.0.0",
];

test("ranges as people write them", () => {
  const expected: Record<string, string | undefined> = {
    "1": "1.10.0",
    "1.x": "1.10.0",
    "1.2": "1.2.9",
    "^1.2.0": "1.10.0",
    "~1.2.0": "1.2.9",
    "^0.1.0": "0.1.5",
    "^0.0.3": undefined,
    "*": "3.0.0",
    "": "3.0.0",
    ">=1 <2": "1.10.0",
    "> 1.2.0 <= 1.2.9": "1.2.9",
    "0.1.0 - 1.0.0": "1.0.0",
    "1.0.0 || ^0.2": "1.0.0",
    "=1.2.0": "1.2.0",
    "v1.2.0": "1.2.0",
    "9": undefined,
    "not a range": undefined,
  };
  for (const [range, version] of Object.entries(expected)) assert.equal(highestIn(range, VERSIONS), version, range);
});

test("a pre-release only where there is no release, the newest by number", () => {
  assert.equal(highestIn("2", VERSIONS), "2.0.0-beta.10");
  assert.equal(highestIn("3", VERSIONS), "3.0.0");
});
