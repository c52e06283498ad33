import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { rounds } from "../../test/support/program/limits.ts";
import { between, pick, type Random, randomText, seeded } from "../../test/support/random.ts";
import { chunksOf, MAX_LINE_CHARS } from "./chunks.ts";
import { findSection, outlineOf, sectionText } from "./find.ts";
import { readFrontMatter } from "./formats/front_matter.ts";
import { isBlank, type Lines, linesOf, sliceLines } from "./lines.ts";
import type { ParsedDocument } from "./model.ts";
import { parseDocument } from "./parse.ts";
import { firstTextLine } from "./sections.ts";

/** Fragments of every format: each document is a random mix of them, valid and invalid for its own format. */
const PARTS =
  '# One|## Two|### Three ###|####### seven|Title|=====|-----|~~~~~|^^^|= Doc|== Sec ==|=== Sub|```|```js|~~~|    code|\tcode|> quote|> # q|- item|* a|  - deep|1. one|2) two|| a | b |||---|---||[ref]: /x|[[id]]|[#id]|[source]|----|....|====|////|++++||===|.Title|.. _label:|.. code-block:: js|.. note::|   indented|Like this::|::|<h1>Html</h1>|<h2 id="x">Html <b>two</b></h2>|<a name="y"></a>|<div>|</div>|<pre>|</pre>|<ul><li>|<table><tr><td>|</table>|<script>|</script>|<!--|-->|<main>|</main>|<nav>|{#id}|# A {#b}|---|+++|title: t|import a from \'b\'|export const c = {|{/*|*/}|<Tabs>|NAME|SYNOPSIS|1.1 Chapter|****||\uFEFF|&amp;|\\|***|\u2028|+---+|| x ||*a*|`b`|.TH A 1|.SH One|.SS Two|.TP|.nf|.fi|.RS|.RE|.IP a|.de X|..|.TS|.TE|\\fBb\\fP|.Bl|.It Fl a|.El'.split(
    "|",
  );

function randomDocument(random: Random): string {
  let text = "";
  const count = between(random, 3, 60);
  for (let i = 0; i < count; i += 1) {
    const kind = random();
    if (kind < 0.7) text += pick(random, PARTS);
    else if (kind < 0.95) text += randomText(random, between(random, 1, 30));
    else text += randomText(random, between(random, 300, 900));
    text += pick(random, ["\n", "\n", "\n\n", "\n\n", "\r\n", " ", ""]);
  }
  return text;
}

/** A document with some bytes changed at random. */
function randomBytes(random: Random): Buffer {
  const bytes = Buffer.from(randomDocument(random));
  if (random() < 0.2)
    for (let i = 0; i < 5; i += 1) bytes[between(random, 0, bytes.length - 1)] = between(random, 128, 255);
  return bytes;
}

function check(document: ParsedDocument): void {
  const { text, sections } = document;
  const lines = linesOf(text);
  const front = ["markdown", "mdx", "notebook"].includes(document.format) ? readFrontMatter(text).from : 1;
  const slugs = new Set(sections.map(({ slug }) => slug));
  assert.equal(slugs.size, sections.length, "slugs are unique");
  assert.ok(sections.length > 0);
  let line = front;
  for (const [index, section] of sections.entries()) {
    assert.equal(section.index, index);
    assert.equal(section.level === 0, section.heading === "");
    assert.ok(section.level <= 6 && (section.level > 0 || index === 0));
    assert.equal(section.path.at(-1) ?? "", section.heading);
    assert.ok(section.first_line >= line && section.last_line >= section.first_line, "in order");
    assertBlank(lines, line, section.first_line - 1);
    assert.ok(section.last_line <= lines.starts.length);
    const from = firstTextLine(section);
    assert.equal(sliceLines(lines, from, section.last_line), section.text);
    if (section.level > 0) assert.ok(from > section.first_line, "a heading has a line");
    assert.ok(sectionText(text, sections, index, { below: false }).endsWith(section.text));
    const found = section.slug === "" ? undefined : findSection(sections, section.slug);
    if (found) assert.deepEqual(found, { section });
    line = section.last_line + 1;
  }
  assertBlank(lines, line, lines.starts.length);
  assert.equal(outlineOf(sections).length, sections.length);
  checkChunks(document, lines);
}

/** Every line of a section's text is in one chunk, in order. */
function checkChunks(document: ParsedDocument, lines: Lines): void {
  const next = document.sections.map(firstTextLine);
  let partOf = 0;
  let left = "";
  for (const { section, first_line, last_line, text } of chunksOf(document)) {
    if (text === "") {
      assert.equal(document.sections[section]?.text, "");
      continue;
    }
    const from = next[section] ?? 0;
    const whole = sliceLines(lines, first_line, last_line);
    if (first_line === last_line && whole.length > MAX_LINE_CHARS) {
      // A part of a long line: the parts follow each other, with only spaces between them.
      const rest = first_line === partOf ? left : whole;
      const at = rest.indexOf(text);
      assert.ok(at >= 0 && rest.slice(0, at).trim() === "", "the parts of a long line hold all of it");
      partOf = first_line;
      left = rest.slice(at + text.length);
      next[section] = left.trim() === "" ? last_line + 1 : first_line;
      continue;
    }
    assert.ok(first_line >= from && last_line >= first_line);
    assertBlank(lines, from, first_line - 1);
    assert.equal(text, whole);
    next[section] = last_line + 1;
  }
  for (const section of document.sections) assertBlank(lines, next[section.index] ?? 0, section.last_line);
}

function assertBlank(lines: Lines, first: number, last: number): void {
  for (let line = first; line <= last; line += 1) assert.ok(isBlank(lines, line), `line ${line} is lost`);
}

for (const extension of ["md", "mdx", "rst", "adoc", "html", "txt", "1"]) {
  test(`any ${extension} document has sections and chunks that hold all of its text`, async () => {
    const random = seeded(extension.length * 31 + extension.charCodeAt(0));
    const all = rounds(80, 300);
    let read = 0;
    for (let round = 0; round < all; round += 1) {
      const made = randomBytes(random);
      const bytes = extension === "1" ? Buffer.concat([Buffer.from(".TH A 1\n"), made]) : made;
      const result = await parseDocument(`a.${extension}`, bytes);
      if ("skipped" in result) {
        assert.notEqual(result.skipped, "unreadable", result.reason);
        continue;
      }
      try {
        check(result.document);
        read += 1;
      } catch (error) {
        throw new Error(`round ${round}: ${JSON.stringify(bytes.toString("utf8"))}`, { cause: error });
      }
    }
    assert.ok(read > (2 / 3) * all, "most of them were read");
  });
}

test("any notebook has sections and chunks that hold all of its text; a damaged one is read or skipped", async () => {
  const random = seeded(11);
  for (let round = 0; round < rounds(60, 300); round += 1) {
    const cells = Array.from({ length: between(random, 1, 6) }, () => {
      const text = randomDocument(random);
      const source = random() < 0.5 ? text : text.split(/(?<=\n)/);
      return { cell_type: pick(random, ["markdown", "markdown", "code", "raw", "heading", "other"]), source, level: 3 };
    });
    const whole = Buffer.from(JSON.stringify({ cells }));
    const sound = await parseDocument("a.ipynb", whole);
    if ("document" in sound) check(sound.document);
    else assert.equal(sound.skipped, "empty");
    for (let i = 0; i < between(random, 1, 10); i += 1)
      whole[between(random, 0, whole.length - 1)] = between(random, 32, 126);
    const damaged = await parseDocument("a.ipynb", whole);
    if ("document" in damaged) check(damaged.document);
  }
});

test("any damaged PDF is read or skipped, and ends nothing", () => {
  const script = join(import.meta.dirname, "../../test/support/documents/read_damaged_pdfs.ts");
  const printed = execFileSync(process.execPath, [script, String(rounds(100, 300))], { encoding: "utf8" });
  const read = JSON.parse(printed) as ParsedDocument[];
  assert.ok(read.length > 0);
  for (const document of read) check(document);
});
