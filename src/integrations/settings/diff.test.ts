import assert from "node:assert/strict";
import { test } from "node:test";
import { unifiedDiff } from "./diff.ts";

test("a change is shown with two lines of context and the names of both files", () => {
  const before = "1\n2\n3\n4\n5\n6\n";
  assert.equal(
    unifiedDiff("/a b.json", before, "1\n2\n3\nfour\n5\n6\n"),
    ["--- /a b.json", "+++ /a b.json", "@@ -2,5 +2,5 @@", " 2", " 3", "-4", "+four", " 5", " 6"].join("\n"),
  );
});

test("a created or deleted file is compared with /dev/null", () => {
  assert.equal(unifiedDiff("/a", undefined, "x\n"), "--- /dev/null\n+++ /a\n@@ -0,0 +1,1 @@\n+x");
  assert.equal(unifiedDiff("/a", "x\n", undefined), "--- /a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x");
});

test("carriage returns are not shown, and a last line without a line break is a line like any other", () => {
  assert.equal(unifiedDiff("/a", "x\r\ny\r\n", "x\r\nz\r\n"), "--- /a\n+++ /a\n@@ -1,2 +1,2 @@\n x\n-y\n+z");
  assert.equal(unifiedDiff("/a", "x", "x\ny"), "--- /a\n+++ /a\n@@ -1,1 +1,2 @@\n x\n+y");
});
