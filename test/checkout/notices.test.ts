/** The package passes on the licences of all code of others that is in it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { grammars } from "../../src/code/languages/registry.ts";
import { RUNTIME } from "../../src/code/parsing/locate.ts";

const dist = join(import.meta.dirname, "../../dist");

test("the licence of every grammar and bundled library is in the package, once", async () => {
  const text = readFileSync(join(dist, "notices.txt"), "utf8");
  const names = [...text.matchAll(/^(\S+)\n=+$/gm)].map(([, name]) => name);
  const languages = (await grammars()).map((language) => language.package);
  for (const name of [
    ...languages,
    RUNTIME.package,
    "htmlparser2",
    "markdown-it",
    "postgres",
    "unpdf",
    "yaml",
    "zod",
  ]) {
    assert.equal(names.filter((each) => each === name).length, 1, name);
  }
  assert.match(text, /TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION/, "the Apache License, for PDF.js");
  assert.match(text, /Contains PDF\.js/);
});
