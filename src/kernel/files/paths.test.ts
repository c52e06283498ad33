import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isBelow, pathBelow } from "./paths.ts";

test("a path is relative to its folder; siblings and parents are outside", () => {
  const folder = join("/work", "shop");
  const cases: [string, string | undefined][] = [
    [folder, ""],
    [join(folder, "src", "cart.ts"), "src/cart.ts"],
    [join(folder, "..hidden", "a"), "..hidden/a"],
    [join("/work"), undefined],
    [join("/work", "shopping", "a"), undefined],
    [`${folder}/src/../../other`, undefined],
    [`${folder}/`, ""],
  ];
  for (const [path, below] of cases) {
    assert.equal(pathBelow(folder, path), below, path);
    assert.equal(isBelow(folder, path), below !== undefined, path);
  }
  assert.equal(pathBelow("/", "/work/a"), "work/a");
});
