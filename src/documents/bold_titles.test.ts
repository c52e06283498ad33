import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHtml } from "./formats/html/html.ts";
import { parseMarkdown } from "./formats/markdown.ts";
import { parseRst } from "./formats/rst.ts";
import type { ParsedDocument } from "./model.ts";

const outlineOf = ({ sections }: ParsedDocument): string[] => sections.map(({ path }) => path.join(" > "));

test("paragraphs of bold text divide a section of Markdown, and keep their text", () => {
  const document = parseMarkdown(
    "# Sails\n\nIntro.\n\n**When do I reef?**\n\nEarly.\n\n__Which `sail` first?__\n\nThe jib.\n\n## Masts\n\nTall.\n",
  );
  assert.deepEqual(outlineOf(document), [
    "Sails",
    "Sails > When do I reef?",
    "Sails > Which sail first?",
    "Sails > Masts",
  ]);
  assert.equal(document.sections[1]?.text, "Early.");
  assert.equal(document.sections[1]?.first_line, 5);
  assert.equal(document.title, "Sails");
});

test("captions, labels, sentences and a single bold paragraph title nothing", () => {
  const code = "```js\nhoist();\n```";
  for (const body of [
    `**a.js**\n\n${code}\n\n**b.js**\n\n${code}`,
    "**Before:**\n\nOne.\n\n**After:**\n\nTwo.",
    "**Never sail alone.**\n\nOne.\n\n**Never sail drunk!**\n\nTwo.",
    "**Example**\n\nOne.\n\n**Example**\n\nTwo.",
    "**Sizes**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n**Weights**\n\n| a | b |\n| - | - |\n| 1 | 2 |",
    "**Alone**\n\nOne.",
    "**One**\n\n**Two**\n\n**Three**",
    "- **One**\n\n  Text.\n- **Two**\n\n  Text.",
    "**One** and\n\nText.\n\nAnd **two**\n\nText.",
  ])
    assert.deepEqual(outlineOf(parseMarkdown(`# Sails\n\n${body}\n`)), ["Sails"], body);
});

test("a page of HTML: questions in paragraphs, titles of the items of a list, no terms, no menus", () => {
  const menu = "<p><b>Sea</b></p><p>One</p><p><b>Lake</b></p><p>Two</p>";
  const questions =
    "<p><b>(1) When?</b></p><blockquote><p>Early.</p></blockquote><p><strong>(2) How?</strong></p><p>Fast.</p>";
  const items = "<ol><li><p><b>Largest sail</b></p><p>40.</p></li><li><p><b>Most sails</b></p><p>3.</p></li></ol>";
  const terms = "<dl><dt><b>jib</b></dt><dd>A sail.</dd><dt><b>boom</b></dt><dd>A pole.</dd></dl>";
  const document = parseHtml(
    `<body>${menu}<h1>FAQ</h1>${questions}<h2>Limits</h2><p>Known.</p>${items}<h2>Terms</h2>${terms}</body>`,
  );
  assert.deepEqual(outlineOf(document).slice(-7), [
    "FAQ",
    "FAQ > (1) When?",
    "FAQ > (2) How?",
    "FAQ > Limits",
    "FAQ > Limits > Largest sail",
    "FAQ > Limits > Most sails",
    "FAQ > Terms",
  ]);
  assert.equal(document.sections.find(({ heading }) => heading === "Largest sail")?.text.trim(), "40.");
});

test("reStructuredText: bold paragraphs, but not bold text within a paragraph or a list", () => {
  const document = parseRst(
    "Sails\n=====\n\n**Early reefing**\n\nReef.\n\n**Late reefing**\n\nWait.\n\n* **Item one**\n\n  Text.\n\n**Bold**\nand plain.\n",
  );
  assert.deepEqual(outlineOf(document), ["Sails", "Sails > Early reefing", "Sails > Late reefing"]);
});
