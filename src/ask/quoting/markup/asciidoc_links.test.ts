import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutAsciidocLinks } from "./asciidoc_links.ts";

test("references and links are shown as their text", () => {
  assert.equal(
    withoutAsciidocLinks("See <<jib,the jib>>, <<mast>>, xref:sea.adoc#salt[the sea] and link:https://x/y[here^]."),
    "See the jib, mast, the sea and here.",
  );
  assert.equal(withoutAsciidocLinks("See linkgit:git-log[1]."), "See git-log(1).");
  assert.equal(withoutAsciidocLinks("cat <<EOF and 1 << 2 >> 3"), "cat <<EOF and 1 << 2 >> 3");
});
