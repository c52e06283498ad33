import assert from "node:assert/strict";
import { test } from "node:test";
import { page, pagerCommand, pagerEnvironment, rowsOf } from "./pager.ts";

test("the pager comes from DEX_PAGER, then PAGER, then less", () => {
  assert.deepEqual(pagerCommand({}), ["less", "-FRX"]);
  assert.deepEqual(pagerCommand({ PAGER: "most -w" }), ["most", "-w"]);
  assert.deepEqual(pagerCommand({ PAGER: "most", DEX_PAGER: "less -S" }), ["less", "-S"]);
  assert.equal(pagerCommand({ PAGER: "most", DEX_PAGER: "" }), undefined);
  assert.equal(pagerCommand({ PAGER: "cat" }), undefined);
  // The words are not passed to a shell.
  assert.deepEqual(pagerCommand({ PAGER: "less; touch /tmp/x" }), ["less;", "touch", "/tmp/x"]);
});

test("rows as a terminal shows them", () => {
  assert.equal(rowsOf("", 10), 1);
  assert.equal(rowsOf("a\nb", 10), 2);
  assert.equal(rowsOf("x".repeat(21), 10), 3);
  assert.equal(rowsOf(`\u001b[1m${"x".repeat(10)}\u001b[0m`, 10), 1);
  assert.equal(rowsOf("日本語日本", 10), 1);
});

test("a missing pager, and one that exits early", async () => {
  assert.equal(await page("text", ["no-such-pager-anywhere"]), false);
  assert.equal(await page("text\n".repeat(200_000), ["true"]), true);
});

test("dex sets the pager's charset to UTF-8, unless the user has set another", () => {
  assert.equal(pagerEnvironment({ LANG: "C" }).LESSCHARSET, "utf-8");
  assert.equal(pagerEnvironment({ LESSCHARSET: "latin1" }).LESSCHARSET, "latin1");
});
