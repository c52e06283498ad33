import assert from "node:assert/strict";
import { test } from "node:test";
import { localLink, resolvePath } from "./local_link.ts";

test("a link to a file is its path, and its line or anchor", () => {
  const links = {
    "src/rates.ts": { path: "src/rates.ts" },
    "src/rates.ts#L12": { path: "src/rates.ts", line: 12 },
    "src/rates.ts#L12-L20": { path: "src/rates.ts", line: 12 },
    "src/rates.ts:12": { path: "src/rates.ts", line: 12 },
    "rates.ts:12:5": { path: "rates.ts", line: 12 },
    "/home/ada/ledger/src/rates.ts:7-9": { path: "/home/ada/ledger/src/rates.ts", line: 7 },
    "D:%5Cledger%5Crates.go": { path: "D:\\ledger\\rates.go" },
    "D:/ledger/rates.go:3": { path: "D:/ledger/rates.go", line: 3 },
    "../a%20guide.md#half-cents": { path: "../a guide.md", anchor: "half-cents" },
    "#half-cents": { path: "", anchor: "half-cents" },
    "%zz.md?raw=1": { path: "%zz.md" },
  };
  for (const [href, link] of Object.entries(links)) assert.deepEqual(localLink(href), link, href);
});

test("an address of the web, of a script or of another machine is not a file", () => {
  for (const href of [
    "https://example.org/a.ts:12",
    "javascript:alert(1)",
    "JAVASCRIPT:1",
    "data:text/html,x",
    "mailto:a@example.org",
    "tel:123",
    "file:///etc/passwd",
    "//example.org/a",
    "\\\\server\\share",
    "",
  ]) {
    assert.equal(localLink(href), undefined, href);
  }
});

test("a path is resolved within its root", () => {
  assert.equal(resolvePath("guide", "../README.md"), "README.md");
  assert.equal(resolvePath("", "./guide//data.md"), "guide/data.md");
  assert.equal(resolvePath("guide", "../../README.md"), undefined);
});
