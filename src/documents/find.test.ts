import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findSection, outlineOf, sectionAt, sectionText } from "./find.ts";
import { parseMarkdown } from "./formats/markdown.ts";

const TEXT = [
  "intro",
  "# Guide",
  "hello",
  "## Setup {#install-me}",
  "do this",
  "### Linux",
  "apt",
  "## Database setup",
  "sql",
  "### Linux",
  "dnf",
  "# 2026",
  "news",
].join("\n");
const { sections } = parseMarkdown(TEXT);

function found(name: string): string {
  const result = findSection(sections, name);
  if ("section" in result) return result.section.slug;
  if ("candidates" in result) return `? ${result.candidates.map(({ slug }) => slug).join(" ")}`;
  return `~ ${result.near.join(" ")}`;
}

describe("findSection", () => {
  test("by slug path, its end, heading, anchor, headings joined, line", () => {
    assert.equal(found("guide/setup/linux"), "guide/setup/linux");
    assert.equal(found("#guide/setup/"), "guide/setup");
    assert.equal(found("setup"), "guide/setup", "not the one that only holds the word");
    assert.equal(found("setup/linux"), "guide/setup/linux");
    assert.equal(found("Database setup"), "guide/database-setup");
    assert.equal(found("DATABASE SETUP"), "guide/database-setup");
    assert.equal(found("## Setup"), "guide/setup");
    assert.equal(found("install-me"), "guide/setup");
    assert.equal(found("Guide > Setup"), "guide/setup");
    assert.equal(found("7"), "guide/setup/linux");
    assert.equal(found("L1"), "");
    assert.equal(found("line 9"), "guide/database-setup");
    assert.equal(found("2026"), "2026", "a heading before a line");
  });

  test("a section below long headings by its whole slug", () => {
    const long = parseMarkdown(`# ${"zebra ".repeat(60)}\n\n## ${"giraffe ".repeat(60)}\n\ntext`).sections;
    for (const section of long) assert.deepEqual(findSection(long, section.slug), { section });
  });

  test("an ambiguous name gives the candidates, an unknown one near names", () => {
    assert.equal(found("linux"), "? guide/setup/linux guide/database-setup/linux");
    assert.equal(found("Linux"), "? guide/setup/linux guide/database-setup/linux");
    assert.match(found("linx"), /^~ .*linux/);
    assert.match(found("database"), /^~ guide\/database-setup/);
    assert.equal(found("zzzzzzzzzz"), "~ ");
    assert.equal(found(""), "~ ");
    assert.equal(found("0"), "~ 2026", "no line has this number");
  });
});

test("outlineOf sums the subsections", () => {
  const outline = outlineOf(sections);
  assert.deepEqual(
    outline.map(({ depth, slug, first_line, last_line }) => [depth, slug, first_line, last_line]),
    [
      [0, "", 1, 1],
      [1, "guide", 2, 11],
      [2, "guide/setup", 4, 7],
      [3, "guide/setup/linux", 6, 7],
      [2, "guide/database-setup", 8, 11],
      [3, "guide/database-setup/linux", 10, 11],
      [1, "2026", 12, 13],
    ],
  );
  const own = outline.slice(1, 6).reduce((sum, { tokens }) => sum + tokens, 0);
  assert.equal(outline[1]?.tokens_below, own);
});

test("sectionText with and without subsections", () => {
  assert.equal(sectionText(TEXT, sections, 2, { below: false }), "## Setup {#install-me}\ndo this");
  assert.equal(sectionText(TEXT, sections, 2, { below: true }), "## Setup {#install-me}\ndo this\n### Linux\napt");
  assert.equal(sectionText(TEXT, sections, 0, { below: true }), "intro");
  assert.equal(sectionText(TEXT, sections, 99, { below: true }), "");
  assert.equal(sectionAt(sections, 500)?.slug, "2026");
});
