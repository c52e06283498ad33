import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { distinctNames, isAbsolutePath, isBelow, isOfThisSystem, pathBelow, resolvePath } from "./paths.ts";

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

test("paths of Windows are absolute on every system, and never inside a folder of another one", () => {
  assert.equal(resolvePath("D:\\shop", "D:\\shop\\src\\cart.ts"), "D:\\shop\\src\\cart.ts");
  assert.equal(resolvePath("D:\\shop", "D:/shop/src/cart.ts"), "D:\\shop\\src\\cart.ts");
  assert.equal(resolvePath("D:\\shop", "src/cart.ts"), "D:\\shop\\src\\cart.ts");
  assert.equal(resolvePath(process.cwd(), "\\\\server\\share\\a.ts"), "\\\\server\\share\\a.ts");
  assert.equal(resolvePath(process.cwd(), "a.ts"), join(process.cwd(), "a.ts"));
  assert.equal(pathBelow("D:\\shop", "d:/Shop/src/cart.ts"), "src/cart.ts");
  assert.equal(pathBelow("D:\\shop", "D:\\shopping\\cart.ts"), undefined);
  assert.ok(isAbsolutePath("D:\\shop") && isAbsolutePath("D:/shop") && !isAbsolutePath("src/d:x"));
  if (process.platform === "win32") return;
  assert.equal(pathBelow(process.cwd(), "D:\\shop"), undefined);
  assert.ok(isOfThisSystem("/shop") && !isOfThisSystem("D:\\shop"));
});

test("names of paths are as short as it takes to tell them apart", () => {
  const paths = ["/a/work/sync", "/b/work/sync", "/c/sync", "D:\\shop", "/home/notes", "", "sync"];
  assert.deepEqual(distinctNames(paths), ["a/work/sync", "b/work/sync", "c/sync", "shop", "notes", "", "sync"]);
  assert.deepEqual(distinctNames(["/a/x", "/a/x"]), ["a/x", "a/x"]);
});
