import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ParsedDocument } from "../model.ts";
import { parseAsciidoc } from "./asciidoc.ts";
import { parseHtml } from "./html/html.ts";
import { parsePlain } from "./plain.ts";
import { parseRst } from "./rst.ts";

function outline({ sections }: ParsedDocument): string[] {
  return sections.map(({ level, heading }) => `${level} ${heading}`.trim());
}

describe("reStructuredText", () => {
  test("levels follow the order of the styles; overlined and underlined are different styles", () => {
    const text = [
      "=====\nTitle\n=====",
      "Intro.",
      "One\n===\ntext",
      "Sub *em* ``code`` :ref:`other <x>`\n----------------------------------\ntext",
      "Two\n===",
      "  Centred\n~~~~~~~~~",
    ].join("\n\n");
    const parsed = parseRst(text);
    assert.deepEqual(outline(parsed), ["1 Title", "2 One", "3 Sub em code other", "2 Two"]);
    assert.equal(parsed.title, "Title");
    assert.deepEqual([parsed.sections[1]?.first_line, parsed.sections[1]?.text], [7, "text"]);
  });

  test("literal blocks, directives, comments, tables and transitions are not headings", () => {
    const text = [
      "Real\n====",
      "Example::\n\n    Not\n    ===\n\n    Nor this\n    --------",
      ".. code-block:: md\n\n   Title\n   =====",
      ".. comment\n   Nope\n   ====",
      "=====  =====\ncol a  col b\n=====  =====\n1      2\n=====  =====",
      "+----+\n| a  |\n+====+\n| b  |\n+----+",
      "text\n\n----\n\nmore",
      "Also real\n---------",
    ].join("\n\n");
    assert.deepEqual(outline(parseRst(text)), ["1 Real", "2 Also real"]);
  });

  test("labels are anchors of the text after them", () => {
    const text = ".. _first:\n.. _`two words`:\n\nTitle\n=====\n\n.. _inner:\n\ntext\n\n.. _link: http://x\n";
    assert.deepEqual(parseRst(text).sections[0]?.anchors, ["first", "two words", "inner"]);
  });

  test("a short line of marks does not underline a longer text", () => {
    assert.deepEqual(outline(parseRst("Wait for it\n...\n\nAbc\n===\n")), ["0", "1 Abc"]);
  });
});

describe("AsciiDoc", () => {
  test("headings, ids and the description", () => {
    const text = [
      "= Guide\n:description: About it",
      "[[start]]\n[.lead]\n== Start `here` ==",
      "text [[mid]]more",
      "[#deep.role]\n=== Deep *one*",
      "Older form\n----------\ntext",
    ].join("\n\n");
    const parsed = parseAsciidoc(text);
    assert.deepEqual(outline(parsed), ["1 Guide", "2 Start here", "3 Deep one", "2 Older form"]);
    assert.deepEqual(
      parsed.sections.map(({ anchors }) => anchors),
      [[], ["start", "mid"], ["deep"], []],
    );
    assert.deepEqual([parsed.title, parsed.description], ["Guide", "About it"]);
    assert.equal(parsed.sections[3]?.text, "text");
  });

  test("no headings in delimited blocks; a delimiter that is never closed opens none", () => {
    const text = [
      "== Real",
      "----\n== listing\n----",
      "....\n== literal\n....",
      "====\n== example\n====",
      "////\n== comment\n////",
      "```ruby\n== fence\n```",
      "|===\n== cell\n|===",
      "++++\n== raw\n++++",
      "== Also real",
      "----\nnever closed",
      "== Last",
    ].join("\n\n");
    assert.deepEqual(outline(parseAsciidoc(text)), ["2 Real", "2 Also real", "2 Last"]);
  });
});

describe("HTML", () => {
  const page = `<!DOCTYPE html><html><head><title>Site: Page</title><meta name="description" content="About &amp; more">
    <style>.x{}</style><script>var h = "<h1>no</h1>";</script></head><body>
    <nav><h2>Menu</h2><ul><li>Home</li></ul></nav>
    <main><h1 id="top">The <em>Page</em> <a class="headerlink" href="#top">¶</a></h1>
    <p>First   paragraph with <code>a &lt; b</code>.</p>
    <section id="setup"><h2>C# setup</h2><p>Do:</p>
    <pre class="highlight"><code class="language-sh"># not a heading
npm   install <span>x</span>
</code></pre>
    <ol><li>one<ul><li>deep</li></ul></li><li>two <a id="spot"></a></li></ol>
    <table><thead><tr><th>Name</th><th>Value</th></tr></thead><tr><td>a|b</td><td>1</td></tr></table>
    <aside>A note.</aside></section></main><footer><h2>Foot</h2></footer></body></html>`;

  test("the main content as Markdown would have it", () => {
    const parsed = parseHtml(page);
    assert.equal(
      parsed.text,
      [
        "# The Page\n",
        "First paragraph with `a < b`.\n",
        "## C# setup\n",
        "Do:\n",
        "```sh\n# not a heading\nnpm   install x\n```\n",
        "1. one\n  - deep\n2. two\n",
        "| Name | Value |\n| --- | --- |\n| a\\|b | 1 |\n",
        "A note.",
      ].join("\n"),
    );
    assert.deepEqual(outline(parsed), ["1 The Page", "2 C# setup"]);
    assert.deepEqual(
      parsed.sections.map(({ anchors }) => anchors),
      [["top"], ["setup", "spot"]],
    );
    assert.deepEqual([parsed.title, parsed.description], ["The Page", "About & more"]);
  });

  test("without a main element the body; a page whose main is empty is read whole", () => {
    assert.equal(parseHtml("<body><nav>x</nav><p>text</p><footer>y</footer>").text, "text");
    assert.equal(parseHtml("<main></main><div>outside</div>").text, "outside");
    const words = "many words of the page itself ".repeat(5).trim();
    assert.equal(parseHtml(`<div>${words}</div><article>card</article>`).text.includes(words.slice(0, 50)), true);
    assert.equal(parseHtml(`<div>menu</div><article>${words}</article>`).text.includes("menu"), false);
    assert.equal(parseHtml("<title>T</title><p>x").title, "T");
    assert.equal(parseHtml("bare words<pre>code</pre>more").text, "bare words\n\n```\ncode\n```\n\nmore");
  });

  test("an unclosed heading ends where the next block begins", () => {
    const unclosed = "<h1>Title<p>First text.</p><h2>Second<div>More <b>text</b></div><pre>code</pre></body>";
    const parsed = parseHtml(unclosed);
    assert.equal(parsed.text, "# Title\n\nFirst text.\n\n## Second\n\nMore text\n\n```\ncode\n```");
    assert.deepEqual([parsed.title, ...outline(parsed)], ["Title", "1 Title", "2 Second"]);
    assert.deepEqual(outline(parseHtml("<h1><div>Inside a <i>block</i></div></h1><p>x")), ["1 Inside a block"]);
    assert.equal(parseHtml("<h1>Title<div>New</div></h1>after<p>x").text, "# Title\n\nNew\nafter\n\nx");
  });

  test("a definition list is a list: the term leads its description, and further paragraphs belong to it", () => {
    const list =
      "<dl><dt><code>-a</code></dt><dt><code>--all</code></dt><dd><p>Everybody.</p><p>Also guests:</p><pre>feed -a</pre></dd>" +
      "<dt>limit</dt><dd>Three.<dl><dt>type</dt><dd><p>number</p></dd></dl></dd><dt>Alone</dt></dl><p>After.</p>";
    assert.equal(
      parseHtml(list).text,
      [
        "- `-a`, `--all`: Everybody.\n",
        "  Also guests:\n",
        "  ```\n  feed -a\n  ```\n",
        "- limit: Three.",
        "  - type: number\n",
        "- Alone\n",
        "After.",
      ].join("\n"),
    );
  });

  test("the title of a box begins no section; links to the pages around are left out", () => {
    const boxes =
      '<div class="navheader"><table><tr><td>Prev</td><td>Next</td></tr></table></div><h2>Keys</h2>' +
      '<div class="tip"><h3 class="title">Tip</h3><p>Keep them.</p></div>' +
      '<div class="admonition"><p class="admonition-title">Note</p><p>And count.</p><ul><li>one</li></ul></div>';
    const parsed = parseHtml(boxes);
    assert.equal(parsed.text, "## Keys\n\nTip: Keep them.\n\nNote: And count.\n\n- one");
    assert.deepEqual(outline(parsed), ["2 Keys"]);
  });

  test("code holds its own fences, its lines and no line numbers", () => {
    assert.equal(parseHtml("<pre>```\nx\n```</pre>").text, "````\n```\nx\n```\n````");
    assert.equal(parseHtml("<pre>a<br>b</pre>").text, "```\na\nb\n```");
    assert.equal(parseHtml("<pre><div>a</div><div>b</div></pre>").text, "```\na\nb\n```");
    const numbered = '<table><tr><td class="linenos"><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>';
    assert.equal(parseHtml(numbered).text, "```\na\nb\n```");
  });

  test("long paragraphs are wrapped, and too deep nesting keeps the words", () => {
    const long = parseHtml(`<p>${"word ".repeat(200)}</p>`).text.split("\n");
    assert.ok(long.length > 5 && long.every((line) => line.length <= 120));
    assert.equal(parseHtml(`${"<div>".repeat(5000)}deep words`).text, "deep words");
  });
});

describe("plain text", () => {
  test("paragraphs, and the chapters of a manual page or a specification", () => {
    assert.deepEqual(outline(parsePlain("Hello\n\nSHOUTING HERE\n\ntext\n")), ["0"]);
    assert.equal(parsePlain("Release notes\n\nText.\n").title, "Release notes");
    const manual = "LS(1)\n\nNAME\n       ls - list\n\nSYNOPSIS\n       ls [x]\n\nEXIT STATUS\n       0\n";
    assert.deepEqual(outline(parsePlain(manual)), ["0", "1 NAME", "1 SYNOPSIS", "1 EXIT STATUS"]);
    const numbered = "Spec\n\n1. Introduction\n\na\n\n1.1. Words\n\nb\n\n2. Rules\n\nc\n";
    assert.deepEqual(outline(parsePlain(numbered)), ["0", "1 1. Introduction", "2 1.1. Words", "1 2. Rules"]);
    assert.deepEqual(outline(parsePlain("Do\n\n1. First\n2. Second\n3. Third\n")), ["0"], "a list");
  });
});
