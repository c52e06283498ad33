import assert from "node:assert/strict";
import { test } from "node:test";
import { treeOf } from "./tree.ts";

const file = (path: string) => ({ path, value: 1, test: false });

test("files hang below their folders, and lonely folders are joined", () => {
  const tree = treeOf([file("a.ts"), file("src/main/java/B.java"), file("src/main/java/c/D.java")], "");
  assert.deepEqual(
    tree.children?.map(({ name, path }) => [name, path]),
    [
      ["src/main/java", "src/main/java"],
      ["a.ts", "a.ts"],
    ],
  );
  assert.deepEqual(
    tree.children?.[0]?.children?.map(({ path }) => path),
    ["src/main/java/c", "src/main/java/B.java"],
  );
});

test("a chosen folder is the root", () => {
  const tree = treeOf([file("src/web/a.ts"), file("src/web/views/b.ts")], "src/web");
  assert.deepEqual(
    tree.children?.map(({ name, path }) => [name, path]),
    [
      ["views", "src/web/views"],
      ["a.ts", "src/web/a.ts"],
    ],
  );
});
