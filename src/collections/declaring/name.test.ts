import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainlySource, nameOf } from "./name.ts";
import { parseSource } from "./source.ts";

test("paths and addresses are sources, words are packages", () => {
  for (const typed of [
    ".",
    "..",
    "./docs",
    "../a",
    "/srv/docs",
    "~/notes",
    "C:\\docs",
    "https://a.example/",
    "git@h:a/b",
  ])
    assert.ok(isPlainlySource(typed), typed);
  for (const typed of ["react", "react@18", "@scope/name", "npm:react", "docs", ".eslintrc", "pypi:flask"])
    assert.ok(!isPlainlySource(typed), typed);
});

test("a collection without a name has that of its folder, repository, file or host", () => {
  const named = (...words: string[]): string => nameOf(parseSource(words, "/srv/app"));
  assert.equal(named("./docs"), "app");
  assert.equal(named("/srv/app/handbook"), "handbook");
  assert.equal(named("/srv/app/docs/**/*.md"), "app");
  assert.equal(named("git+https://github.com/honojs/website"), "honojs");
  assert.equal(named("https://github.com/honojs/hono.git"), "hono");
  assert.equal(named("https://www.example.com/guide/"), "example.com");
  assert.equal(named("./kit 1.0.tar.gz"), "kit-1.0");
  assert.equal(named("https://example.com/api/manifest.json"), "manifest");
});
