import assert from "node:assert/strict";
import { test } from "node:test";
import { closed } from "../markup/fences.ts";
import { sentences } from "./sentences.ts";
import { unitsOf } from "./units.ts";

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

test("tildes and backticks as wide as a heading underline it, and do not open code", () => {
  const text = `File Uploads
\`\`\`\`\`\`\`\`\`\`\`\`

Uploaded files are in memory.

Limits
~~~~~~
The limit is 4 MB.

For example:
~~~
limit: 5
~~~
As above.`;
  assert.deepEqual(shape(text), [
    "sentence: Uploaded files are in memory.",
    "sentence: The limit is 4 MB.",
    "sentence: For example:",
    "code: ~~~",
    "sentence: As above.",
  ]);
  assert.equal(closed(text), text);
});

test("code blocks stay whole: other fences, indented, unclosed; a horizontal rule is not a fence", () => {
  assert.deepEqual(shape("----\nlisting\n----\nText here."), ["code: ----", "sentence: Text here."]);
  assert.deepEqual(shape("Before it.\n\n----\n\nText here."), ["sentence: Before it.", "sentence: Text here."]);
  assert.equal(unitsOf("    a = 1\n\n    b = 2")[0]?.text, "```\na = 1\n\nb = 2\n```");
  assert.deepEqual(shape("```\nnever closed"), ["code: ```"]);
});

const texts = (text: string): string[] => unitsOf(text).map((unit) => unit.text);

test("code of reStructuredText stays whole: directives with options, literal blocks, any indentation", () => {
  const python = "def make():\n    app = Zoo(\n        a=1,\n    )\n\n    return app";
  const indented = python.replace(/^(?=.)/gm, "   ");
  assert.deepEqual(texts(`Make one:\n\n.. code-block:: python\n   :caption: app.py\n\n${indented}\n\nReady.\n`), [
    "Make one:",
    `\`\`\`python\n${python}\n\`\`\``,
    "Ready.",
  ]);
  assert.deepEqual(texts(`Make one::\n\n${indented}\n\nReady.`), ["Make one:", `\`\`\`\n${python}\n\`\`\``, "Ready."]);
});

test("items of reStructuredText that are numbered by their place are items", () => {
  assert.deepEqual(shape("#.  First it starts\n    slowly.\n#.  Then it runs."), [
    "item: - First it starts slowly.",
    "item: - Then it runs.",
  ]);
});

test("text below a described option of reStructuredText belongs to it; text below a note does not", () => {
  const described = unitsOf(
    ".. py:data:: TIDE\n\n    How high it is. In metres.\n\n    Default: ``3``\n\n.. note:: Moon\n\n    It rises.\n\n    It sets.\n",
  );
  assert.deepEqual(
    described.map(({ kind, text, lead }) => [kind, text, lead]),
    [
      ["item", "TIDE: How high it is.", undefined],
      ["sentence", "In metres.", 0],
      ["sentence", "Default: ``3``", 0],
      ["sentence", "Moon: It rises.", undefined],
      ["sentence", "It sets.", undefined],
    ],
  );
});

test("each field of reStructuredText is an item; options are left out at the start of a directive only", () => {
  assert.deepEqual(
    shape("The codes:\n\n:Code 0: It is open.\n:Code 1: It is closed,\n  and dark.\n\n:class:`Zoo` names them."),
    [
      "sentence: The codes:",
      "item: :Code 0: It is open.",
      "item: :Code 1: It is closed, and dark.",
      "sentence: :class:`Zoo` names them.",
    ],
  );
  assert.deepEqual(
    shape(".. function:: feed(animal)\n   :async:\n\n   :param animal: Any animal.\n   :returns: The rest.\n"),
    ["item: feed(animal)", "item: :param animal: Any animal.", "item: :returns: The rest."],
  );
});

test("code of AsciiDoc stays whole, with its language; terms of a list are items", () => {
  const code = "def make():\n    app = Zoo(\n        a=1,\n    )\n\n    return app";
  assert.deepEqual(
    texts(`Make one:\n\n[source,python]\n----\n${code}\n----\n\n\`--all\`::\n\tAll.\n+\nReally.\n\`--no\`::\n\tNone.`),
    ["Make one:", `\`\`\`python\n${code}\n\`\`\``, "`--all`:: All. Really.", "`--no`:: None."],
  );
  assert.deepEqual(texts(`[source,python]\n------\n${code}\n------\nDone.`), [
    `\`\`\`python\n${code}\n\`\`\``,
    "Done.",
  ]);
  assert.deepEqual(shape("Title\n-----\nText here."), ["sentence: Text here."]);
  assert.deepEqual(
    shape("[[zoo-open]]\nIt opens:\n\n[source,sh]\n----\ninclude::{dir}/open.sh[tags=a]\n----\nThen it closes."),
    ["sentence: It opens:", "sentence: Then it closes."],
  );
});

test("in plain text, an indented paragraph is prose, and names of a place at the right are left out", () => {
  assert.deepEqual(
    shape(
      "Feeding\n\n\t\t\t*zoo-feed* *E12*\n\n\tThe keeper feeds them twice a day\n\t(see p. 12). Nobody else may.\n\n\tfeed --all\n",
    ),
    [
      "sentence: Feeding",
      "sentence: The keeper feeds them twice a day (see p. 12).",
      "sentence: Nobody else may.",
      "code: ```",
    ],
  );
});

test("an underline that looks like a fence makes a heading, not code", () => {
  assert.deepEqual(shape("NAME\n----\nzoo - keeps animals\n\nFiles\n~~~~~\nThey are here.\n\n`a`::\n\tOne."), [
    "sentence: zoo - keeps animals",
    "sentence: They are here.",
    "item: `a`:: One.",
  ]);
  assert.deepEqual(shape("The whole command is this one:\n----\n$ zoo open\n----\nText here."), [
    "sentence: The whole command is this one:",
    "code: ----",
    "sentence: Text here.",
  ]);
});

test("splits text into sentences", () => {
  assert.deepEqual(sentences("Use v1.2.3 of it. Then `run()`. 你好。再见。"), [
    "Use v1.2.3 of it.",
    "Then `run()`.",
    "你好。",
    "再见。",
  ]);
});

test("Markdown: a list interrupts a paragraph; quotations lose their marks; tags that fold text are left out", () => {
  assert.deepEqual(shape("Default:\n- `limit`: `2`\n- `methods`: `get`\n\nIt was\n- 3 years ago."), [
    "sentence: Default:",
    "item: - `limit`: `2`",
    "item: - `methods`: `get`",
    "sentence: It was",
    "item: - 3 years ago.",
  ]);
  assert.deepEqual(shape("Before it.\n> [!NOTE]\n> Quote the\n> pattern.\n>\n> ```sh\n> run\n> ```\nAfter it."), [
    "sentence: Before it.",
    "sentence: Quote the pattern.",
    "code: ```sh",
    "sentence: After it.",
  ]);
  assert.equal(unitsOf("```md\n> kept\n```")[0]?.text, "```md\n> kept\n```");
  assert.deepEqual(shape("<details>\n<summary>Click to expand</summary>\n\nText here.\n\n</details>"), [
    "sentence: Text here.",
  ]);
});

test("the rows of a table need no pipes at their ends, and may follow a sentence at once", () => {
  const text =
    "The limits are:\nKey | Default\n--- | ---\n`files` | Infinity\n`parts` | 10\n\n| Flag | Use\n|:-----|:---\n| `-j` | jobs\n";
  assert.deepEqual(shape(text), [
    "sentence: The limits are:",
    "row: `files` | Infinity",
    "row: `parts` | 10",
    "row: | `-j` | jobs",
  ]);
});

test("a sentence below a term on its own line, and a row with an empty first cell, belong to the unit above", () => {
  const leads = (text: string): (number | undefined)[] => unitsOf(text).map(({ lead }) => lead);
  assert.deepEqual(leads("HISTSIZE\nThe length of the list. Zero turns it off. Unset means 500."), [undefined, 0, 0]);
  assert.deepEqual(leads("Two words\nstart this paragraph. It goes on."), [undefined, undefined]);
  assert.deepEqual(leads("| bool | empty() |\n| | True if nothing was passed. |\n| int | size() |"), [
    undefined,
    0,
    undefined,
  ]);
});
