/** The documentation checks find broken pages and accept correct ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { invalidCode } from "../../scripts/docs/blocks.ts";
import { callsIn, commandProblem, loadVerbs } from "../../scripts/docs/commands.ts";
import { errorCases } from "../../scripts/docs/error_cases.ts";
import { brokenLinks } from "../../scripts/docs/links.ts";
import { anchorsOf } from "../../scripts/docs/markdown.ts";
import { missingInComments, missingPaths } from "../../scripts/docs/paths.ts";
import { slipsIn } from "../../scripts/docs/prose.ts";
import { spansOf, wrapped } from "../../scripts/docs/session.ts";

const verbs = await loadVerbs();

/** The problems with the links of a page, given the other files. */
function linkProblems(text: string, files: Readonly<Record<string, string>> = {}): string[] {
  return brokenLinks([{ path: "docs/guide/page.md", text }], (path) => files[path]).map((each) => each.text);
}

function codeProblems(text: string): string[] {
  return invalidCode({ path: "page.md", text }, verbs).map((each) => `${each.line}: ${each.text}`);
}

async function slips(path: string, text: string): Promise<string[]> {
  return (await slipsIn({ path, text })).map((each) => `${each.line}: ${each.text.split(":")[0]}`);
}

test("a link must lead to a file, and its anchor to a heading", () => {
  const files = { "docs/guide/other.md": "# Other\n\n## Over HTTP\n", "docs/session.svg": "<svg/>", "src/a.ts": "" };
  const good =
    "[a](other.md) [b](other.md#over-http) ![c](../session.svg) [d](../../src/a.ts) [e](https://x.invalid/y#z)";
  assert.deepEqual(linkProblems(`# Page\n\n${good} [f](#page)\n`, files), []);
  assert.deepEqual(linkProblems("[a](missing.md)", files), ["the link to missing.md leads to no file"]);
  assert.deepEqual(linkProblems("[a](other.md#gone)", files), [
    "docs/guide/other.md has no heading for the anchor #gone",
  ]);
  assert.deepEqual(linkProblems("[a](#gone)", files), ["docs/guide/page.md has no heading for the anchor #gone"]);
  assert.deepEqual(linkProblems("[`dex x`](missing.md)", files).length, 1);
  assert.deepEqual(linkProblems("```\n[a](missing.md)\n```\n`[b](missing.md)`\n", files), []);
});

test("anchors are those that GitHub makes", () => {
  const anchors = anchorsOf("# The `dex` page: a, b\n## Set up\n## Set up\n```\n# not a heading\n```\n## naïve_case\n");
  assert.deepEqual([...anchors], ["the-dex-page-a-b", "set-up", "set-up-1", "naïve_case"]);
});

test("commands of dex in a line of shell are found", () => {
  assert.deepEqual(callsIn("$ dex list | head   # dex gone"), ["dex list"]);
  assert.deepEqual(callsIn("dex hooks off; dex hooks on && dex list > out"), [
    "dex hooks off",
    "dex hooks on",
    "dex list",
  ]);
  assert.deepEqual(callsIn('claude "$(dex handoff 3f2a --to codex)"'), ["dex handoff 3f2a --to codex"]);
  assert.deepEqual(callsIn("claude mcp add dex -- dex serve"), ["dex serve"]);
  assert.deepEqual(callsIn('dex search "a | b; c # d"'), ['dex search "a | b; c # d"']);
  assert.deepEqual(callsIn("npm install -g dex"), []);
});

test("a command must have its verb, its flags and their values", () => {
  const wrong = (command: string): string | undefined => commandProblem(command, verbs);
  for (const right of [
    "dex",
    "dex --help",
    "dex help search",
    "dex docs",
    "dex search 'a b' -p . --limit 3",
    "dex export <id> --format md|jsonl",
    "dex show <ids> --format … --max-tokens <tokens>",
    "dex serve -c react hono",
    "dex code index",
  ]) {
    assert.equal(wrong(right), undefined, right);
  }
  assert.equal(wrong("dex serach x"), "is not a command");
  assert.equal(wrong("dex docs serach x"), "is not a command");
  assert.equal(wrong("dex list --limt 3"), "has no --limt");
  assert.equal(wrong("dex list --limit three"), "wants a number for --limit");
  assert.equal(wrong("dex show 3f2a --format=outlin"), "does not take --format outlin");
  assert.equal(wrong("dex serve --prot 3000"), "has no --prot");
  assert.equal(wrong("dex stats notes-api"), "takes no arguments");
});

test("code blocks and code marks must be valid", () => {
  const good = '```sh\ndex list --limit 3 # a comment\n```\n```json\n{"a": 1}\n{"b": 2}\n```\n```yaml\na: [1]\n```\n';
  assert.deepEqual(codeProblems(`Run \`dex stats\`, not \`npm\`.\n\n${good}`), []);
  assert.deepEqual(codeProblems("# A\n\n```sh\nls\ndex list --limt 3\n```\n"), [
    "5: `dex list --limt 3` has no --limt",
  ]);
  assert.deepEqual(codeProblems("Text\n\nand `dex\nserach`.\n"), ["3: `dex serach` is not a command"]);
  assert.deepEqual(codeProblems("```json\n{a: 1}\n```\n"), ["2: this JSON cannot be parsed"]);
  assert.deepEqual(codeProblems("```yaml\na: [1\n```\n"), ["2: this YAML cannot be parsed"]);
});

test("files that a page names must exist", () => {
  const text = "# A\n\n`src/a.ts` and `src/gone.ts`, `npm`, `src/**`.\n\n```\n`src/gone.ts`\n```\n";
  const problems = missingPaths({ path: "page.md", text }, (path) => path === "src/a.ts");
  assert.deepEqual(problems, [{ path: "page.md", line: 3, text: "src/gone.ts does not exist" }]);
});

test("files that a comment names must exist, except those of invented projects", () => {
  const code =
    '/** See `docs/guide/a.md` and sync/gone.ts. */\nconst a = "sync/gone.ts"; // src/sync/gone.ts\n// `src/auth.ts`, …/sync/x.ts\n';
  const exists = new Set(["src", "src/sync", "docs", "docs/guide", "docs/guide/a.md"]);
  const problems = missingInComments({ path: "src/a.ts", text: code }, (path) => exists.has(path));
  assert.deepEqual(
    problems.map(({ line, text }) => [line, text]),
    [
      [1, "sync/gone.ts does not exist"],
      [2, "src/sync/gone.ts does not exist"],
    ],
  );
});

test("old wording is found in pages, and in the comments and strings of code", async () => {
  assert.deepEqual(
    await slips("a.md", "# What dex keeps\n\nThis is no longer odd. There is no way. What is it?\n"),
    [],
  );
  assert.deepEqual(await slips("a.md", "First line,\nthis is no\nserver.\n"), ['2: "is no s"']);
  assert.deepEqual(await slips("a.md", "- One.\n- What is over a limit is refused.\n"), [
    '2: "What is over a limit is refused."',
  ]);
  assert.deepEqual(await slips("a.md", "Call `is no x` and `MOST_X`.\n"), []);
  const code = 'const MAX_A = 1; // fine\n/** Sent to who asks. */\nconst b = "It is mended.";\nconst is = no;\n';
  assert.deepEqual(await slips("a.ts", code), ['2: "to who"', '3: "mended"']);
});

test("errors are found where they are made, and through the functions that make them", async () => {
  const source = `
    const refused = (code: string, message: string): DexError => new DexError(code, message, { hint: "Try." });
    function gone(sentence: string) { return new DexError("gone", sentence, { exitCode: 1 }); }
    if (a) throw new DexError("one", \`No \${names.join(", ")} in \${path}.\`, { hint: b ? "Short." : "The longer hint." });
    if (b) throw refused(full ? "two" : "three", "It is full.");
    if (c) throw gone("It went.");
    throw new DexError(error.code, "again");
  `;
  const cases = await errorCases([{ file: "a.ts", text: source }]);
  assert.deepEqual(
    cases.map(({ code, message, hint, exitCode }) => [code, message, hint, exitCode]),
    [
      ["one", "No ‹names› in ‹path›.", "The longer hint.", 2],
      ["two", "It is full.", "Try.", 2],
      ["three", "It is full.", "Try.", 2],
      ["gone", "It went.", "", 1],
    ],
  );
  const hidden = [{ file: "a.ts", text: "throw new DexError(makeCode(), 'x');" }];
  await assert.rejects(errorCases(hidden), /a\.ts:1: .*cannot be listed/);
});

test("output is drawn by its colours and broken between words", () => {
  const esc = String.fromCharCode(27);
  const spans = spansOf(`  ${esc}[1mbold words${esc}[0m and plain`);
  assert.deepEqual(spans, [
    { text: "  ", style: "" },
    { text: "bold words", style: "bold" },
    { text: " and plain", style: "" },
  ]);
  assert.deepEqual(
    wrapped(spans, 12).map((line) => line.map(({ text }) => text).join("")),
    ["  bold words ", "  and plain"],
  );
});
