import assert from "node:assert/strict";
import { test } from "node:test";
import { sentences, unitsOf } from "./blocks.ts";

const shape = (text: string): string[] =>
  unitsOf(text).map(({ kind, text: said }) => `${kind}: ${said.split("\n")[0]}`);

test("units are sentences, items, rows and code blocks, but not headings and comments", () => {
  const text = `# Title
<!-- note -->
First sentence, e.g. this one. Second
goes on here.

- one
  more of one
- two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`sh
# not a heading
run it
\`\`\`
Setext
======
After it.`;
  assert.deepEqual(shape(text), [
    "sentence: First sentence, e.g. this one.",
    "sentence: Second goes on here.",
    "item: - one more of one",
    "item: - two",
    "row: | 1 | 2 |",
    "code: ```sh",
    "sentence: After it.",
  ]);
  assert.equal(unitsOf(text).find(({ kind }) => kind === "row")?.head, "| a | b |\n|---|---|");
});

test("code blocks stay whole: other fences, indented, unclosed; a horizontal rule is not a fence", () => {
  assert.deepEqual(shape("----\nlisting\n----\nText here."), ["code: ----", "sentence: Text here."]);
  assert.deepEqual(shape("Before it.\n\n----\n\nText here."), ["sentence: Before it.", "sentence: Text here."]);
  assert.equal(unitsOf("    a = 1\n\n    b = 2")[0]?.text, "```\na = 1\n\nb = 2\n```");
  assert.deepEqual(shape("```\nnever closed"), ["code: ```"]);
});

test("splits text into sentences", () => {
  assert.deepEqual(sentences("Use v1.2.3 of it. Then `run()`. 你好。再见。"), [
    "Use v1.2.3 of it.",
    "Then `run()`.",
    "你好。",
    "再见。",
  ]);
});
