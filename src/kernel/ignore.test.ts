import assert from "node:assert/strict";
import { test } from "node:test";
import { isIgnored, parseIgnore } from "./ignore.ts";

function left(rules: string, path: string, isFolder = false): boolean {
  return isIgnored(parseIgnore(rules, "", undefined), path, isFolder);
}

test("names anywhere, paths from the top, folders only", () => {
  assert.equal(left("*.log", "a/b.log"), true);
  assert.equal(left("/build", "build", true), true);
  assert.equal(left("/build", "a/build", true), false);
  assert.equal(left("build/", "a/build", true), true);
  assert.equal(left("build/", "a/build"), false);
  assert.equal(left("docs/*.txt", "docs/a.txt"), true);
  assert.equal(left("docs/*.txt", "docs/x/a.txt"), false);
  assert.equal(left("**/gen/**", "a/gen/b.md"), true);
  assert.equal(left("a/**/b", "a/b"), true);
  assert.equal(left("a/**/b", "a/x/y/b"), true);
  assert.equal(left("file[0-9].md", "file7.md"), true);
  assert.equal(left("\\#note", "#note"), true);
  assert.equal(left("# note", "# note"), false);
});

test("a later rule takes a file back, and a nearer file wins", () => {
  assert.equal(left("*.md\n!keep.md", "keep.md"), false);
  const above = parseIgnore("*.md", "", undefined);
  const near = parseIgnore("!*.md", "docs", above);
  assert.equal(isIgnored(near, "docs/a.md", false), false);
  assert.equal(isIgnored(above, "a.md", false), true);
});

test("a pattern made to be slow is none", () => {
  assert.equal(left(`${"*a".repeat(40)}b`, "a".repeat(200)), false);
});
