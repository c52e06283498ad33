import assert from "node:assert/strict";
import { test } from "node:test";
import { forPrograms } from "./for_programs.ts";

const NAMES = new Map([
  ["search", "dex_search"],
  ["docs search", "documents_search"],
  ["code", "dex_code"],
]);

test("commands become tool names and flags become parameters; a shell command stays as typed", () => {
  const cases: [text: string, expected: string][] = [
    ["`dex search` shows ids; give --max-tokens.", "dex_search shows ids; give max_tokens."],
    ["`dex docs search` finds it.", "documents_search finds it."],
    ["`dex code map` lists them.", "`dex_code map` lists them."],
    ["Run `dex code index` first.", "Run `dex code index` first."],
    ["Run `dex doctor --fix`.", "Run `dex doctor --fix`."],
    ["Run `dex sync --full` or (--all).", "Run `dex sync --full` or (all)."],
    [
      "`--all` also looks at unsure ones; `dex pin` keeps one.",
      "`all` also looks at unsure ones; `dex pin` keeps one.",
    ],
    ["Run `npm install --prefix /srv x`, or give `--in all`.", "Run `npm install --prefix /srv x`, or give `in all`."],
    ["`dex search --explain x` says why.", "`dex search --explain x` says why."],
  ];
  for (const [text, expected] of cases) assert.equal(forPrograms(text, NAMES), expected);
});
