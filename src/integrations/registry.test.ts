import assert from "node:assert/strict";
import { test } from "node:test";
import { SOURCE_IDS } from "./ids.ts";
import { SOURCES } from "./source_registry.ts";

test("the names are those of the registry", () => {
  assert.deepEqual(
    SOURCES.map(({ id }) => id),
    [...SOURCE_IDS],
  );
});
