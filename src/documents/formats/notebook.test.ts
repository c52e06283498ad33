import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../parse.ts";
import { notebookMarkdown } from "./notebook.ts";

const NOTEBOOK = {
  nbformat: 4,
  metadata: { kernelspec: { name: "ir", language: "R" }, language_info: { name: "R" } },
  cells: [
    { cell_type: "markdown", source: ["# Trays\n", "\n", "How trays are counted.\n"] },
    {
      cell_type: "code",
      source: "# not a heading\ncount <- function(x) length(x)\n",
      outputs: [{ output_type: "stream", text: ["output is not indexed"] }],
    },
    { cell_type: "markdown", source: "## Open fence\n\n```sh\nls" },
    { cell_type: "markdown", source: "## After", attachments: { "a.png": { "image/png": "aGVsbG8=" } } },
    { cell_type: "code", source: ["s <- '````'"] },
    { cell_type: "code", source: [] },
    { cell_type: "unknown", source: "left out" },
    null,
  ],
};

test("Markdown cells stay, code cells are fenced, outputs are left out", () => {
  assert.equal(
    notebookMarkdown(JSON.stringify(NOTEBOOK)),
    [
      "# Trays\n\nHow trays are counted.",
      "```r\n# not a heading\ncount <- function(x) length(x)\n```",
      "## Open fence\n\n```sh\nls\n```",
      "## After",
      "`````r\ns <- '````'\n`````",
    ].join("\n\n"),
  );
});

test("a notebook has the sections of its cells", async () => {
  const result = await parseDocument("lab/Count.ipynb", Buffer.from(JSON.stringify(NOTEBOOK)));
  assert.ok("document" in result);
  const { format, title, sections } = result.document;
  assert.deepEqual([format, title], ["notebook", "Trays"]);
  assert.deepEqual(
    sections.map(({ slug }) => slug),
    ["trays", "trays/open-fence", "trays/after"],
  );
  assert.match(sections[0]?.text ?? "", /length\(x\)/);
});

test("version 3 has worksheets, headings and inputs", () => {
  const old = {
    nbformat: 3,
    worksheets: [
      {
        cells: [
          { cell_type: "heading", level: 2, source: "Old" },
          { cell_type: "code", language: "python", input: ["x = 1\n", "y = 2"] },
        ],
      },
    ],
  };
  assert.equal(notebookMarkdown(JSON.stringify(old)), "## Old\n\n```python\nx = 1\ny = 2\n```");
});

test("a file that is not a notebook, or has no text, is skipped with the reason", async () => {
  const skipped = async (text: string): Promise<string> => {
    const result = await parseDocument("a.ipynb", Buffer.from(text));
    return "skipped" in result ? result.reason : "read";
  };
  for (const text of ["{", "[]", "{}", '{"cells": 5}', "# Title"])
    assert.match(await skipped(text), /is not one/, text);
  for (const text of ['{"cells": []}', '{"cells": [{"cell_type": "code", "source": 5}]}', " "])
    assert.match(await skipped(text), /no text/, text);
});
