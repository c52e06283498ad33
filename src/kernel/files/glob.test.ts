import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { matchesGlob } from "./glob.ts";

test("globs mean what they mean to Node", () => {
  const globs = [
    "**",
    "*",
    "docs/**",
    "docs/**/*.md",
    "**/*.md",
    "**/junit*.xml",
    "**/{test-results,reports}/**/*.xml",
    "*.{md,txt}",
    "a/{b,{c,d}}/e",
    "a?c/[x-z].md",
    "[!a]*.md",
    "README",
    "docs/.hidden/*",
    ".*",
    "a/**/b/**/c",
    "x/{y}",
    "x/{y",
  ];
  const paths = [
    "README",
    "a.md",
    "b.md",
    "b.txt",
    ".env",
    "docs/a.md",
    "docs",
    "docs/b/c/d.md",
    "docs/.hidden/a",
    "docs/.hidden/x.md",
    "junit.xml",
    "a/b/junit-1.xml",
    "t/test-results/u/v.xml",
    "reports/v.xml",
    "a/b/e",
    "a/c/e",
    "a/d/e",
    "abc/y.md",
    "abc/a.md",
    "a/b/c",
    "a/x/b/y/z/c",
    "x/{y}",
    "x/{y",
    "x/y",
  ];
  for (const glob of globs) {
    for (const each of paths) {
      assert.equal(matchesGlob(each, glob), path.matchesGlob(each, glob), `${glob} on ${each}`);
    }
  }
});

test("a glob made to be slow or endless is answered at once", () => {
  const name = "a".repeat(250);
  assert.equal(matchesGlob(name, `${"*a".repeat(500)}b`), false);
  assert.equal(matchesGlob(`${name}/`.repeat(16), `${"**/*a".repeat(200)}b`), false);
  assert.equal(matchesGlob("ab", "{a,b}".repeat(40)), false);
  assert.equal(matchesGlob("a", "{".repeat(3000)), false);
  assert.equal(matchesGlob("a", "*".repeat(100_000)), false);
  assert.equal(matchesGlob("a", "[[:constructor:]]"), false);
});
