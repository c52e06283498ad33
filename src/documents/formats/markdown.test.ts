import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseMarkdown } from "./markdown.ts";

/** Level and heading of every section, as `2 Name`. */
function headings(text: string, format: "markdown" | "mdx" = "markdown"): string[] {
  return parseMarkdown(text, format).sections.map(({ level, heading }) => `${level} ${heading}`.trim());
}

describe("headings of Markdown", () => {
  test("ATX, as CommonMark has them", () => {
    assert.deepEqual(headings("# foo\n## foo\n###### foo\n"), ["1 foo", "2 foo", "6 foo"]);
    assert.deepEqual(headings("####### foo\n"), ["0"], "seven are too many");
    assert.deepEqual(headings("#5 bolt\n\n#hashtag\n"), ["0"], "a space must follow");
    assert.deepEqual(headings("\\## foo\n"), ["0"], "escaped");
    assert.deepEqual(headings("# foo *bar* \\*baz\\*\n"), ["1 foo bar *baz*"]);
    assert.deepEqual(headings("#                  foo                     \n"), ["1 foo"]);
    assert.deepEqual(headings(" ### foo\n  ## foo\n   # foo\n"), ["3 foo", "2 foo", "1 foo"]);
    assert.deepEqual(headings("    # foo\n"), ["0"], "indented code");
    assert.deepEqual(headings("foo\n    # bar\n"), ["0"], "a paragraph goes on");
    assert.deepEqual(headings("## foo ##\n  ###   bar    ###\n# baz ##########\n"), ["2 foo", "3 bar", "1 baz"]);
    assert.deepEqual(headings("### foo ### b\n# foo#\n### foo \\###\n"), ["3 foo ### b", "1 foo#", "3 foo ###"]);
    assert.deepEqual(headings("****\n## foo\n****\n"), ["0", "2 foo"]);
    assert.deepEqual(headings("Foo bar\n# baz\nBar foo\n"), ["0", "1 baz"], "it may interrupt a paragraph");
    assert.deepEqual(headings("## \n#\n### ###\n"), ["0"], "an empty one opens no section");
    assert.deepEqual(headings("#\tFoo\n"), ["1 Foo"]);
  });

  test("setext, as CommonMark has them", () => {
    assert.deepEqual(headings("Foo *bar*\n=========\n\nFoo *bar*\n---------\n"), ["1 Foo bar", "2 Foo bar"]);
    assert.deepEqual(headings("Foo *bar\nbaz*\n====\n"), ["1 Foo bar baz"]);
    assert.deepEqual(headings("Foo\n-------------------------\n\nFoo\n=\n"), ["2 Foo", "1 Foo"]);
    assert.deepEqual(headings("    Foo\n    ---\n\n    Foo\n---\n"), ["0"], "indented code, then a rule");
    assert.deepEqual(headings("Foo\n= =\n\nFoo\n--- -\n"), ["0"]);
    assert.deepEqual(headings("`Foo\n----\n`\n"), ["2 `Foo"], "blocks come before spans");
    assert.deepEqual(headings("> Foo\n---\n"), ["0"]);
    assert.deepEqual(headings("- Foo\n---\n"), ["0"]);
    assert.deepEqual(headings("Foo\nBar\n---\n"), ["2 Foo Bar"]);
    assert.deepEqual(
      headings("---\nFoo\n---\nBar\n---\nBaz\n"),
      ["0", "2 Foo", "2 Bar"],
      "a rule opens no front matter",
    );
    assert.deepEqual(headings("\n====\n"), ["0"]);
    assert.deepEqual(headings("| a | b |\n|---|---|\n| 1 | 2 |\n---\n"), ["0"], "a table, then a rule");
    assert.deepEqual(headings("[foo]: /url\n===\n[foo]\n"), ["0"], "a definition is not text");
  });

  test("not in code, quotes, lists, HTML and comments", () => {
    const text = [
      "# Real",
      "```sh\n# comment\n```",
      "~~~\n# other\n```\n# still\n~~~",
      "    # indented",
      "> # quoted\n> Foo\n> ---",
      "- # item\n\n  ## in the item\n- Foo\n  ---",
      "<pre>\n# in pre\n\n# still pre\n</pre>",
      "<!--\n# gone\n\n# too\n-->",
      "<script>\n# no\n</script>",
      "1. one\n\n   ```\n   # fenced in a list\n   ```",
      "## Real too",
      "````md\n```\n# no\n```\n# no\n````",
      "```\nunclosed\n# no",
    ].join("\n\n");
    assert.deepEqual(headings(text), ["1 Real", "2 Real too"]);
  });

  test("markup in a heading is left out, its text stays", () => {
    assert.deepEqual(
      headings(
        "# Use `a_b()` with [docs](http://x) and ![logo](l.png) &amp; **bold**\n## [ref][r] ~~old~~ <b>x</b>\n\n[r]: /y\n",
      ),
      ["1 Use a_b() with docs and logo & bold", "2 ref old x"],
    );
  });

  test("an HTML heading of a README is one, with its id", () => {
    const { sections, title } = parseMarkdown('<h1 align="center" id="top">\n  <img src="x">\n  Name\n</h1>\n\ntext\n');
    assert.equal(title, "Name");
    assert.deepEqual([sections[0]?.first_line, sections[0]?.last_line, sections[0]?.text], [1, 6, "text"]);
    assert.deepEqual(sections[0]?.anchors, ["top"]);
    const boxed = parseMarkdown(
      '<div align="center">\n  <p>logo</p>\n\t<h1>Name</h1>\n<h3>\nSub\n</h3>\n</div>\n\ntext\n',
    );
    assert.deepEqual(
      boxed.sections.map(({ heading, first_line, text }) => [heading, first_line, text]),
      [
        ["", 1, '<div align="center">\n  <p>logo</p>'],
        ["Name", 3, ""],
        ["Sub", 4, "</div>\n\ntext"],
      ],
    );
    assert.deepEqual(headings("<h2>a</h2> <p>more</p>\n\n<pre>\n<h1>x</h1>\n</pre>\n"), ["0"]);
  });
});

describe("sections of Markdown", () => {
  test("lines, text, path and slug", () => {
    const { sections } = parseMarkdown("before\n\n# One\n\na\nb\n\n### Deep\n## Two\nc\n\n\n# One\n");
    assert.deepEqual(
      sections.map(({ slug, first_line, last_line, text }) => [slug, first_line, last_line, text]),
      [
        ["", 1, 1, "before"],
        ["one", 3, 6, "a\nb"],
        ["one/deep", 8, 8, ""],
        ["one/two", 9, 10, "c"],
        ["one-2", 13, 13, ""],
      ],
    );
    assert.deepEqual(sections[2]?.path, ["One", "Deep"]);
  });

  test("front matter gives title and description, and is not a section", () => {
    const text = '---\ntitle: "A: guide"\ndescription: >\n  Two\n  lines\n---\n\n# Start\ntext\n';
    const { title, description, sections } = parseMarkdown(text);
    assert.deepEqual([title, description], ["A: guide", "Two lines"]);
    assert.deepEqual(
      sections.map(({ heading, first_line }) => [heading, first_line]),
      [["Start", 8]],
    );
    assert.equal(parseMarkdown("---\ntitle: {{ x }}\ndescription: y\n---\nz\n").description, "y", "broken YAML");
    assert.equal(parseMarkdown('+++\ntitle = "T"\n+++\nz\n').title, "T");
    assert.deepEqual(headings("---\n---\n# A\n"), ["1 A"]);
    assert.deepEqual(headings("---\ntitle: never closed\n\n# A\n"), ["0", "1 A"]);
  });

  test("anchors: explicit ids, HTML before and inside a heading, and in the text", () => {
    const text = [
      "## One {#first .big}",
      'text <a name="inside"></a> more',
      '<a id="lead"></a>\n<a id=lead2></a>',
      "## Two <a name='own'></a>",
      '`<a id="code">`',
      '```\n<a id="fence"></a>\n```',
      "## Three {/* #third */}",
    ].join("\n\n");
    assert.deepEqual(
      parseMarkdown(text).sections.map(({ heading, anchors }) => [heading, anchors]),
      [
        ["One", ["first", "inside"]],
        ["Two", ["lead", "lead2", "own", "code"]],
        ["Three", ["third"]],
      ],
    );
  });

  test("MDX: imports, exports, comments and indented JSX are text", () => {
    const text = [
      "import { A } from './a'\n# not a heading",
      "export const x = {\n# no\n}",
      "{/*\n# no\n\n# no\n*/}",
      "# Title",
      "<Tabs>\n  <Tab>",
      "    indented\n\n## Inside",
      "  </Tab>\n</Tabs>",
    ].join("\n\n");
    assert.deepEqual(headings(text, "mdx"), ["0", "1 Title", "2 Inside"]);
  });

  test("headings behind very deep nesting are found", () => {
    assert.deepEqual(headings(`${"- ".repeat(200)}x\n\n# After\n`), ["0", "1 After"]);
    assert.deepEqual(headings(`${"> ".repeat(5000)}x\n\n# After\n`), ["0", "1 After"]);
    const stairs = Array.from({ length: 120 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n");
    assert.deepEqual(headings(`${stairs}\n\n# After\n`), ["0", "1 After"]);
  });
});
