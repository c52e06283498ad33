import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctNames, projectName, safeHref, shortPath, visible } from "./visible.ts";

test("characters that hide or reorder text are shown by their number; others stay", () => {
  assert.equal(visible("a\u202eb\u2066c"), "a⟨U+202E⟩b⟨U+2066⟩c");
  assert.equal(visible("zero\u200bwidth\ufeff\0"), "zero⟨U+200B⟩width⟨U+FEFF⟩⟨U+0000⟩");
  assert.equal(visible("tag\u{e0041}"), "tag⟨U+E0041⟩");
  assert.equal(visible("line\n\tnext 👩‍💻 é שלום"), "line\n\tnext 👩‍💻 é שלום");
});

test("only addresses of the web and of mail become links", () => {
  for (const href of ["https://example.org/a?b#c", "http://localhost:1", "mailto:a@example.org"]) {
    assert.equal(safeHref(href), href);
  }
  for (const href of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.org/x",
    "//example.org",
    "/relative",
    "#anchor",
    "",
  ]) {
    assert.equal(safeHref(href), undefined, href);
  }
});

test("the end of a path tells most", () => {
  assert.equal(shortPath("/home/ada/work/ledger/src/rates.ts"), "…/ledger/src/rates.ts");
  assert.equal(shortPath("src/rates.ts"), "src/rates.ts");
  assert.equal(projectName("D:\\work\\ledger"), "ledger");
  assert.equal(projectName("/home/ada/ledger/"), "ledger");
});

test("projects of one list get as many folders as make their names differ", () => {
  const paths = ["/home/ada/skills", "/home/ada/wt/skills", "D:\\work\\ledger", "/srv/work/ledger", "/home/ada/rates"];
  assert.deepEqual(paths.map(distinctNames(paths)), [
    "ada/skills",
    "wt/skills",
    "D:/work/ledger",
    "srv/work/ledger",
    "rates",
  ]);
  assert.equal(distinctNames(paths)("/elsewhere/notes"), "notes");
  // A folder and one inside it that has its name.
  const nested = ["/ledger", "/ledger/ledger"];
  assert.deepEqual(nested.map(distinctNames(nested)), ["ledger", "ledger/ledger"]);
});
