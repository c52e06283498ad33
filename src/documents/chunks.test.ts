import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimateTokens } from "../tokens/estimate.ts";
import { CHUNK_TOKENS, CODE_TOKENS, chunksOf, MAX_LINE_CHARS } from "./chunks.ts";
import { parseMarkdown } from "./formats/markdown.ts";
import { parseRst } from "./formats/rst.ts";
import type { Chunk } from "./model.ts";

const chunks = (text: string): Chunk[] => chunksOf(parseMarkdown(text));
const paragraph = (words: number): string => "every word of it counts ".repeat(words / 5).trim();
const code = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => `const value${i} = compute(${i}, "some text");`).join("\n");

describe("chunksOf", () => {
  test("a section that fits is one chunk, without its heading", () => {
    const text = "before\n\n# One\n\na\n\n```\ncode\n```\n\n## Two\nb\n";
    assert.deepEqual(chunks(text), [
      { section: 0, first_line: 1, last_line: 1, text: "before" },
      { section: 1, first_line: 5, last_line: 9, text: "a\n\n```\ncode\n```" },
      { section: 2, first_line: 12, last_line: 12, text: "b" },
    ]);
  });

  test("a heading with nothing under it is found when no section below names it", () => {
    assert.deepEqual(
      chunks("# Api\n## one()\n## two()\ntext\n").map(({ section, text }) => [section, text]),
      [
        [1, ""],
        [2, "text"],
      ],
    );
  });

  test("a longer one is split between paragraphs", () => {
    const found = chunks(`# A\n\n${Array.from({ length: 10 }, () => paragraph(100)).join("\n\n")}\n`);
    assert.ok(found.length >= 3);
    for (const { text } of found) {
      assert.ok(estimateTokens(text) <= CHUNK_TOKENS + 60);
      assert.ok(text.startsWith("every") && text.endsWith("counts"), "whole paragraphs");
    }
  });

  test("code stays whole, with the line that announces it", () => {
    const block = `\`\`\`ts\n${code(60)}\n\n# comment\n\n${code(5)}\n\`\`\``;
    assert.ok(estimateTokens(block) > CHUNK_TOKENS && estimateTokens(block) < CODE_TOKENS);
    const found = chunks(`# A\n\n${paragraph(150)}\n\nLike this:\n\n${block}\n\n${paragraph(150)}\n`);
    assert.deepEqual(
      found.map(({ text }) => text),
      [paragraph(150), `Like this:\n\n${block}`, paragraph(150)],
    );
  });

  test("code in a list, in a quotation, indented code and literal blocks stay whole, too", () => {
    for (const block of [
      `- item\n\n  \`\`\`\n${code(30).replace(/^/gm, "  ")}\n\n  x\n  \`\`\``,
      `> \`\`\`\n${code(30).replace(/^/gm, "> ")}\n> \`\`\``,
      `${code(30).replace(/^/gm, "    ")}\n\n    more`,
    ]) {
      const found = chunks(`# A\n\n${paragraph(300)}\n\n${block}\n\n${paragraph(300)}\n`);
      const last = block.split("\n").at(-1) ?? "";
      assert.ok(found.some(({ text }) => text.includes("value0 ") && text.includes(`value29 `) && text.includes(last)));
    }
    const literal = `Like::\n\n${code(30).replace(/^/gm, "   ")}\n\n   more`;
    const found = chunksOf(parseRst(`A\n=\n\n${paragraph(300)}\n\n${literal}\n\n${paragraph(300)}\n`));
    assert.ok(found.some(({ text }) => text.includes(literal)));
  });

  test("code beyond the hard bound is cut at line ends", () => {
    const found = chunks(`# A\n\n\`\`\`\n${code(1000)}\n\`\`\`\n`);
    assert.ok(found.length > 3);
    for (const { text } of found) assert.ok(estimateTokens(text) <= CODE_TOKENS * 1.1);
    assert.equal(found.map(({ text }) => text).join("\n"), `\`\`\`\n${code(1000)}\n\`\`\``);
  });

  test("lists are split between items, tables between rows", () => {
    const items = Array.from({ length: 60 }, (_, i) => `- item ${i} says\n  something on two lines`).join("\n");
    for (const { text } of chunks(`# A\n\n${items}\n`)) assert.ok(text.startsWith("- item") && text.endsWith("lines"));
    const rows = Array.from({ length: 200 }, (_, i) => `| ${i} | some words here |`).join("\n");
    const found = chunks(`# A\n\n| n | text |\n|---|---|\n${rows}\n`);
    assert.ok(found.length > 2);
    for (const { text } of found) assert.ok(estimateTokens(text) <= CHUNK_TOKENS + 60);
  });

  test("a very long line is split into chunks that hold all of its words", () => {
    const words = Array.from({ length: 5000 }, (_, i) => `word${i}`).join(" ");
    assert.ok(words.length > MAX_LINE_CHARS);
    const found = chunks(`# A\n\nfirst\n\n${words}\n\nlast\n`);
    assert.deepEqual([found[0]?.text, found.at(-1)?.text], ["first", "last"]);
    const parts = found.slice(1, -1);
    assert.ok(parts.length > 10);
    assert.equal(parts.map(({ text }) => text).join(" "), words);
    for (const { first_line, last_line, text } of parts) {
      assert.deepEqual([first_line, last_line], [5, 5]);
      assert.ok(estimateTokens(text) <= CHUNK_TOKENS);
    }
  });

  test("a long line without spaces is split after marks, and inside no character", () => {
    const json = JSON.stringify(Array.from({ length: 2000 }, (_, i) => `key${i}`));
    const found = chunks(`# A\n\n\`\`\`json\n${json}\n\`\`\`\n`);
    assert.ok(
      found
        .map(({ text }) => text)
        .join("")
        .includes(json),
    );
    assert.ok(found.some(({ text }) => text.includes('"key1999"')));
    const pictures = "🦀".repeat(10_000);
    assert.equal(
      chunks(pictures)
        .map(({ text }) => text)
        .join(""),
      pictures,
    );
    for (const { text } of chunks(pictures)) assert.ok(text.isWellFormed());
  });

  test("only the first part of inlined data is indexed, and the words after it", () => {
    const found = chunks(`# A\n\nfirst\n\n![](data:image/png;base64,${"QUJD".repeat(100_000)}) caption\n`);
    assert.ok(found.length < 6, String(found.length));
    assert.ok(found.some(({ text }) => text.includes("caption")));
  });
});
