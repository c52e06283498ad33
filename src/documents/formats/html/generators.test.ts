import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHtml } from "./html.ts";

const textOf = (body: string): string => parseHtml(`<body>${body}</body>`).text;

test("a table that places things on the page is not a table: its headings, lists and code stay", () => {
  const menu = "<table><tr><td><b>Menu</b></td></tr><tr><td><ul><li>Sea</li></ul></td></tr></table>";
  const text = textOf(
    `<table><tr><td>${menu}</td><td><h2>Sails</h2><p>Use them.</p><pre>hoist</pre></td></tr></table>`,
  );
  assert.equal(text, "Menu\n\n- Sea\n\n## Sails\n\nUse them.\n\n```\nhoist\n```");
});

test("heads of rows, cells over several rows and columns, code in a cell", () => {
  const rows = "<tr><th>Sail</th><th colspan=2>Use</th></tr><tr><th rowspan=2>jib</th><td>sea</td><td>lake</td></tr>";
  assert.equal(
    textOf(`<table>${rows}<tr><td>up</td><td><pre>hoist\n<code>jib</code></pre></td></tr></table>`),
    "| Sail | Use |  |\n| --- | --- | --- |\n| jib | sea | lake |\n| jib | up | `hoist jib` |",
  );
  assert.equal(
    textOf("<table><tr><th>Syntax:</th><td>hoist</td></tr><tr><th>Default:</th><td>jib</td></tr></table>"),
    "| Syntax: | hoist |\n| Default: | jib |",
  );
});

test("doxygen: the title, code that is written as lines, what a function is called with", () => {
  const title = '<div class="header"><div class="headertitle"><div class="title">Sails</div></div></div>';
  const line = (code: string): string => `<div class="line"><span class="lineno">1</span>${code}</div>\n`;
  const code = `<div class="fragment">${line("if (wind) {")}${line("  hoist();")}${line("}")}</div>`;
  const call = '<table class="memname"><tr><td>int hoist</td><td>(</td>\n<td>int sail</td>\n<td>)</td></tr></table>';
  assert.equal(
    textOf(`${title}<p>Like this:</p>${code}${call}`),
    "# Sails\n\nLike this:\n\n```\nif (wind) {\n  hoist();\n}\n```\n\n```\nint hoist ( int sail )\n```",
  );
});

test("doxygen: the title of a part of a table is a heading", () => {
  const row = "<tr><td>int</td><td>hoist()</td></tr>";
  const text = textOf(`<table><tr><td colspan=2><h2>Functions</h2></td></tr>${row}${row}</table>`);
  assert.equal(text, "## Functions\n\n| int | hoist() |\n| int | hoist() |");
});

test("javadoc: members in a table of divs", () => {
  const cell = (name: string, text: string): string => `<div class="${name}">${text}</div>`;
  const head = cell("table-header col-first", "Type") + cell("table-header col-last", "Method");
  const row = cell("col-first even-row-color", "int") + cell("col-last even-row-color", "<code>hoist()</code>");
  assert.equal(
    textOf(`<div class="summary-table two-column-summary">${head}${row}</div><p>After.</p>`),
    "| Type | Method |\n| --- | --- |\n| int | `hoist()` |\n\nAfter.",
  );
});

test("the name of a box leads its text, wherever it is", () => {
  const cells = '<td class="icon"><div class="title">Note</div></td><td class="content">Reef early.</td>';
  assert.equal(textOf(`<table><tr>${cells}</tr></table><p>Sail.</p>`), "Note: Reef early.\n\nSail.");
});

test("text that no reader sees is dropped; parts of a page that a script shows later are not", () => {
  for (const style of [
    "display:none",
    "color: red; visibility: hidden",
    "opacity:0",
    "font-size:0px",
    "position:absolute;left:-9999px",
  ]) {
    const hidden = `<p style="${style}">Hidden</p><div style="${style}"><ul><li>Hidden</li></ul></div>`;
    assert.equal(
      textOf(`<p>Seen <span class="x" style="${style}">hidden</span></p>${hidden}<p>Sea</p>`),
      "Seen\n\nSea",
    );
  }
  for (const style of ["opacity:0.8", "left:-900px", "font-size:0.85em", "color: transparent; background-clip: text"])
    assert.equal(textOf(`<p hidden>Hidden</p><p style="${style}">Sea</p>`), "Sea", style);
  const tab = '<div role="tabpanel" hidden><p>Tab</p></div><div id="more" style="display:none"><p>More</p></div>';
  assert.equal(textOf(tab), "Tab\n\nMore");
  assert.equal(parseHtml('<body style="visibility:hidden"><p>Page</p></body>').text, "Page");
});

test("links around the content are dropped", () => {
  const texinfo =
    '<div class="header"><p>Next: <a>Jib</a>, Previous: <a>Mast</a>, Up: <a>Top</a> [<a>Contents</a>]</p></div>';
  const menu = "<ul><li><a>Home</a></li><li><a>Sea</a></li></ul>";
  const links = "<table><tr><td>[ &lt; ]</td><td>[ Up ]</td><td>[ &gt; ]</td></tr></table>";
  const skip = "<p><a>Skip to content</a></p>";
  assert.equal(
    textOf(`${skip}${menu}${texinfo}${links}<h1>Sails</h1>${menu}<p>Text.</p>`),
    "# Sails\n\n- Home\n- Sea\n\nText.",
  );
  // A page of links alone.
  assert.equal(textOf(menu), "- Home\n- Sea");
});

test("the class of a heading's section may name what else it has", () => {
  const heading = '<section class="method has-srclink"><a class="srclink">source</a><h4>hoist()</h4></section>';
  assert.equal(textOf(heading), "#### hoist()");
});

test("a menu or a tip that unfolds at a word is left out of the sentence", () => {
  const menu = `<ul class="dropdown-menu"><li class="dropdown-header">Available in:</li><li><a href="#b">Bind</a></li></ul>`;
  const body = `<p>Like "<span class="dropdown"><a href="#u">uid</a>${menu}</span>", by name<span role="tooltip">Hint</span>.</p>`;
  assert.match(textOf(`<main>${body}</main>`), /^Like "uid", by name\.$/m);
});
