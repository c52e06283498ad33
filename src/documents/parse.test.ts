import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makePdf, type PdfLine } from "../../test/support/documents/pdf.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { chunksOf } from "./chunks.ts";
import { findSection, outlineOf } from "./find.ts";
import type { ParsedDocument } from "./model.ts";
import { MAX_TEXT_BYTES, parseDocument } from "./parse.ts";

async function parsed(path: string, content: string | Uint8Array): Promise<ParsedDocument> {
  const result = await parseDocument(path, typeof content === "string" ? Buffer.from(content) : content);
  if ("skipped" in result) return assert.fail(result.reason);
  return result.document;
}

async function skipped(path: string, content: string | Uint8Array): Promise<string> {
  const result = await parseDocument(path, typeof content === "string" ? Buffer.from(content) : content);
  if ("document" in result) return assert.fail("it was read");
  assert.match(result.reason, /^It .*\.$/);
  return result.skipped;
}

describe("parseDocument", () => {
  test("no format by the name of a member that every object has", async () => {
    for (const name of ["a.constructor", "constructor", "a.__proto__"])
      assert.equal((await parsed(name, "Plain words.\n")).format, (await parsed("a.unknown", "Plain words.\n")).format);
  });

  test("the format by name, else by content", async () => {
    const names = { "a.md": "markdown", "B.MDX": "mdx", "a.rst": "rst", "a.adoc": "asciidoc", "x/a.htm": "html" };
    for (const [name, format] of Object.entries(names)) assert.equal((await parsed(name, "text")).format, format);
    assert.equal((await parsed("README", "# Hello\n\ntext")).format, "markdown");
    assert.equal((await parsed("docs/page", "<!-- x -->\n<!DOCTYPE html><p>x")).format, "html");
    assert.equal((await parsed("LICENSE", "Permission is granted.")).format, "text");
    assert.equal((await parsed("guide.v2/notes", "just words")).title, "just words");
    assert.equal((await parsed("docs/getting-started.md", "no heading")).title, "getting-started");
    assert.equal((await parsed("docs\\.hidden", `${"long line ".repeat(40)}`)).title, ".hidden");
  });

  test("binary, empty and oversized files say so", async () => {
    assert.equal(await skipped("a.md", Uint8Array.of(0x23, 0x20, 0, 1, 2)), "binary");
    assert.equal(
      await skipped(
        "a.md",
        Uint8Array.from({ length: 100 }, (_, i) => (i % 8) + 1),
      ),
      "binary",
    );
    assert.equal(await skipped("a.pdf", "no pdf at all"), "binary");
    assert.equal(await skipped("a.md", ""), "empty");
    assert.equal(await skipped("a.md", " \n\n\t\n"), "empty");
    assert.equal(await skipped("a.md", "---\ntitle: nothing else\n---\n"), "empty");
    assert.equal(await skipped("a.html", "<html><body><script>x</script></body></html>"), "empty");
    assert.equal(await skipped("a.md", new Uint8Array(MAX_TEXT_BYTES + 1).fill(0x61)), "too_large");
  });

  test("line ends, byte order marks, other encodings and broken bytes", async () => {
    const windows = await parsed("a.md", "\uFEFF# A\r\n\r\ntext\r\n## B\rold\r");
    assert.equal(windows.text, "# A\n\ntext\n## B\nold\n");
    const wide = await parsed("a.md", Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("# Wide ünï", "utf16le")]));
    assert.equal(wide.sections[0]?.heading, "Wide ünï");
    const broken = Buffer.concat([Buffer.from("# A \uFFFD "), Buffer.of(0xff), Buffer.from(" b "), Buffer.of(0xc3)]);
    const result = await parseDocument("a.md", broken);
    assert.ok("document" in result);
    assert.equal(result.replaced, 2, "the one that was there is not counted");
  });

  test("slugs as GitHub makes them", async () => {
    const { sections } = await parsed(
      "a.md",
      "# What's new in v1.2?\n# Ünïcode & 日本語 – ok\n# `foo_bar()` -- x\n# !!!\n# Foo  bar\n# A\n# A 2\n# A\n# a\n",
    );
    assert.deepEqual(
      sections.map(({ slug }) => slug),
      ["whats-new-in-v12", "ünïcode--日本語--ok", "foo_bar----x", "section", "foo-bar", "a", "a-2", "a-3", "a-4"],
    );
  });
});

describe("a .txt, or a name without an extension", () => {
  const formats = async (text: string): Promise<string[]> => [
    (await parsed("notes.txt", text)).format,
    (await parsed("README", text)).format,
  ];

  test("reStructuredText by its directives, roles and underlined headings", async () => {
    const text =
      "======\nModels\n======\n\n.. module:: zoo\n\nOne model::\n\n    x = 1\n\nSaving\n======\n\nCall :meth:`save`.\n";
    const document = await parsed("topics/models.txt", text);
    assert.deepEqual([document.format, document.title], ["rst", "Models"]);
    assert.deepEqual(
      document.sections.map(({ heading }) => heading),
      ["Models", "Saving"],
    );
    assert.deepEqual(await formats("Zoo\n===\n\nAnimals.\n\nFood\n----\n\nHay.\n"), ["rst", "rst"]);
  });

  test("AsciiDoc by its attributes, macros and headings of either form", async () => {
    const older =
      "zoo-feed(1)\n===========\n\nNAME\n----\nzoo-feed - feeds\n\nSYNOPSIS\n--------\n[verse]\n'zoo feed'\n\nOPTIONS\n-------\n--all::\n\tEverybody.\n";
    const document = await parsed("zoo-feed.txt", older);
    assert.deepEqual([document.format, document.title], ["asciidoc", "zoo-feed(1)"]);
    assert.equal(document.sections.length, 4);
    assert.deepEqual(await formats("= Zoo\n:toc:\n\n== Food\n\n[source,sh]\n----\nfeed\n----\n"), [
      "asciidoc",
      "asciidoc",
    ]);
  });

  test("Markdown by a title and a heading below it", async () => {
    assert.deepEqual(await formats("# Zoo\n\n> All of it.\n\n## Docs\n\n- [Food](food.md)\n"), [
      "markdown",
      "markdown",
    ]);
  });

  test("plain text is parted by rules across the page, and below them by lines in capitals", async () => {
    const rule = "=".repeat(78);
    const text = `zoo.txt for visitors\n\n${rule}\n1. Food\t\t*zoo-food*\n\nHay.\n\nAT NIGHT\n\nNone.\n\n${rule}\n*2.1* Tours\n\nDaily.\n`;
    const { sections } = await parsed("zoo.txt", text);
    assert.deepEqual(
      sections.map(({ path }) => path.join(" > ")),
      ["", "1. Food", "1. Food > AT NIGHT", "Tours"],
    );
  });

  test("everything else is plain text", async () => {
    for (const text of [
      "# a comment\nname = 1\n# another\n",
      "Release notes\n-------------\n\nText.\n",
      "NAME\n       ls - list\n\nSYNOPSIS\n       ls [x]\n",
      "A table\n\nname  size\n----  ----\na     1\n",
      "Use std::vector here.\n\nSee a:: b.\n",
      "a = b\n== c\n",
    ]) {
      assert.equal((await parsed("a.txt", text)).format, "text", text);
    }
  });
});

describe("PDF", () => {
  test("a section a page without an outline", async () => {
    const document = await parsed(
      "a.pdf",
      makePdf([["First words manip-", "ulated second line"], [], ["Third (page)"]]),
    );
    assert.deepEqual(
      document.sections.map(({ heading, text }) => [heading, text]),
      [
        ["Page 1", "First words manipulated\nsecond line"],
        ["Page 3", "Third (page)"],
      ],
    );
    assert.equal(document.title, "a");
  });

  test("sections by the outline where there is one", async () => {
    const pages = [["Cover"], ["1. Setup", "install it", "2. Use", "run it"], ["more of it"]];
    const outline = [
      { title: "Setup", page: 1 },
      { title: "Use", page: 1 },
      { title: "Unseen", page: 2 },
    ];
    const document = await parsed("a.pdf", makePdf(pages, outline));
    assert.deepEqual(
      document.sections.map(({ heading, text }) => [heading, text]),
      [
        ["", "Cover"],
        ["Setup", "install it"],
        ["Use", "run it"],
        ["Unseen", "more of it"],
      ],
    );
  });

  test("a heading that wraps onto further lines stays in its place", async () => {
    const pages = [
      [
        "1. Start",
        "the end of the start",
        "2. Why does the second heading",
        "need two lines or",
        "even three?",
        "because",
      ],
      ["more of it"],
    ];
    const outline = [
      { title: "Start", page: 0 },
      { title: "Why does the second heading need two lines or even three?", page: 0 },
    ];
    const { sections } = await parsed("a.pdf", makePdf(pages, outline));
    assert.deepEqual(
      sections.map(({ heading, text }) => [heading, text]),
      [
        ["Start", "the end of the start"],
        ["Why does the second heading need two lines or even three?", "because\n\nmore of it"],
      ],
    );
  });

  test("paragraphs stay apart, code is fenced; running heads and lines of contents are left out", async () => {
    const page = (number: number, lines: readonly PdfLine[]): readonly PdfLine[] => [
      number % 2 === 0 ? `Zoo guide ${number}` : `${number} Zoo guide`,
      { skip: 20 },
      ...lines,
    ];
    const pages = [
      page(1, ["Hay . . . . . . . . 2", "Feeding is simple.", "Use the feed program:", { skip: 10 }]),
      page(2, [
        "Call it:",
        { skip: 10 },
        { code: "feed --all" },
        { code: "if hungry:" },
        { code: "    feed" },
        { skip: 10 },
      ]),
      page(3, ["It takes an hour.", { skip: 10 }, "Then clean up."]),
      page(4, ["The end."]),
    ];
    const { sections } = await parsed("zoo.pdf", makePdf(pages));
    assert.deepEqual(
      sections.map(({ text }) => text),
      [
        "Feeding is simple.\nUse the feed program:",
        "Call it:\n\n```\nfeed --all\nif hungry:\n    feed\n```",
        "It takes an hour.\n\nThen clean up.",
        "The end.",
      ],
    );
  });

  test("one without text, a cut one and a broken one are skipped", async () => {
    assert.equal(await skipped("a.pdf", makePdf([[]])), "empty");
    assert.equal(await skipped("a.pdf", "%PDF-1.4\nnothing"), "unreadable");
    assert.equal(await skipped("a.pdf", "\n%PDF-1.4\nnothing"), "unreadable");
    // A text about PDFs is not one.
    const about = await parseDocument("a.md", Buffer.from("# Formats\n\nA file begins with %PDF-1.7.\n"));
    assert.equal("document" in about && about.document.title, "Formats");
    const bytes = makePdf([["text"]]);
    for (const end of [100, 300, 500]) await parseDocument("a.pdf", bytes.subarray(0, end));
    assert.ok(bytes.byteLength > 500, "the caller's bytes are its own still");
  });
});

/** Each would take minutes if anything in it were quadratic. */
describe("hostile documents come to an end", () => {
  const size = rounds(60_000, 300_000);
  const filled = (part: string): string => part.repeat(Math.ceil(size / part.length));
  const hostile: Record<string, string> = {
    "one line": filled("x"),
    "many headings": Array.from({ length: rounds(20_000, 100_000) }, (_, i) => `# h${i % 7}`).join("\n"),
    brackets: filled("["),
    "brackets in headings": filled(`# ${"[".repeat(1900)}\n`),
    stars: filled("*a"),
    "stars in headings": filled(`# ${"*a".repeat(900)}\n`),
    backticks: filled("`a"),
    "growing backticks": Array.from({ length: 1400 }, (_, i) => "`".repeat(i)).join(" "),
    quotes: filled("> "),
    "quotes on lines": filled(`${"> ".repeat(200)}x\n`),
    lists: filled("- "),
    stairs: Array.from({ length: 1200 }, (_, i) => `${" ".repeat(i)}- x`).join("\n"),
    definitions: filled("[a]: b\n"),
    "open tags": filled("<a id="),
    anchors: filled("<a id=x>"),
    elements: filled("<div>"),
    "elements closed wrongly": filled(`${"<b>".repeat(800)}${"</i>".repeat(800)}${"</b>".repeat(800)}`),
    cells: `|a|\n|-|\n${filled("|")}`,
    rows: filled("a|b\n-|-\n"),
    "front matter": `---\n${"title: &a [*a]\n".repeat(4000)}---\ntext`,
    spaces: `# a${filled(" ")}b {#c`,
    delimiters: filled("----\n....\n"),
    "block ids": filled("[[a"),
    adornments: filled("====\na\n"),
    roles: filled(`${":a".repeat(200)}\`\n====\n`),
  };
  for (const [name, text] of Object.entries(hostile)) {
    test(name, async () => {
      for (const path of ["a.md", "a.mdx", "a.rst", "a.adoc", "a.html", "a.txt"]) {
        const result = await parseDocument(path, Buffer.from(text));
        if ("skipped" in result) {
          assert.notEqual(result.skipped, "unreadable", result.reason);
          continue;
        }
        chunksOf(result.document);
        outlineOf(result.document.sections);
        findSection(result.document.sections, "no such name");
      }
    });
  }
});
