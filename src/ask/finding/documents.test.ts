import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Dex } from "../../dex.ts";
import { docsAdd } from "../../operations/docs/collections/add.ts";
import { runOperation } from "../../operations/run.ts";
import type { Passage } from "../passage.ts";
import { findInDocuments } from "./documents.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-find-"));
after(() => rmSync(folder, { recursive: true }));

async function foundIn(name: string, docs: string, query: string): Promise<Passage[]> {
  const vars = { HOME: folder, DEX_HOME: join(folder, `.dex-${name}`), TZ: "UTC" };
  const adding = await Dex.open({ vars, cwd: folder });
  await runOperation(adding, docsAdd, docsAdd.input.parse({ name, source: [docs] }), {});
  adding.close();
  const dex = await Dex.open({ vars, cwd: folder });
  const found = await findInDocuments(dex, query, 12);
  dex.close();
  return found;
}

test("a passage is read for its meaning alone, but not one that is about something else", async () => {
  const docs = join(folder, "docs");
  mkdirSync(docs);
  writeFileSync(
    join(docs, "guide.md"),
    "# Guide\n\n## Access control\n\nReturn 401 in a middleware unless the user is authenticated.\n\n## Colours\n\nZebras are black and white.\n",
  );
  const found = await foundIn("zoo", docs, "can I protect it with a login?");
  assert.deepEqual(
    found.map(({ section }) => section),
    ["Access control"],
  );
});

test("a table of contents is not a passage, and a part of a long code block stays code", async () => {
  const docs = join(folder, "long");
  mkdirSync(docs);
  const options = Array.from({ length: 400 }, (_, i) => `  option${i}: true, // turns feature number ${i} on`);
  writeFileSync(
    join(docs, "readme.md"),
    `# Widget\n\n## Contents\n\n- [The zebra setting](#zebra)\n- [Options](#options)\n\n## Options\n\nAll options:\n\n\`\`\`js\n{\n${options.join("\n")}\n  zebra: 3, // the zebra setting\n}\n\`\`\`\n`,
  );
  const found = await foundIn("widget", docs, "what is the zebra setting?");
  assert.deepEqual(
    found.map(({ section }) => section),
    ["Options"],
  );
  assert.match(found[0]?.text ?? "", /```js\n(?:(?!```)[\s\S])*zebra: 3[\s\S]*\n```$/);
});

test("a section with a problem is replaced by the one that solves it; one that ends in a colon is read with its subsections", async () => {
  const docs = join(folder, "problems");
  mkdirSync(docs);
  const filler = "The keeper of the zoo writes a report about every day of the week. ".repeat(10);
  writeFileSync(
    join(docs, "gate.md"),
    `# Gate\n\n## Issue\n\nThe gate squeaks when visitors open it.\n\n## Background\n\n${filler}\n\n## Solution\n\n${filler}Use oil:\n\n### Hinges\n\nThree drops each.\n\n## Notes\n\n${filler}\n`,
  );
  const [first] = await foundIn("problems", docs, "why does the gate squeak when visitors open it?");
  assert.equal(first?.section, "Solution");
  assert.match(first?.problem ?? "", /The gate squeaks/);
  assert.match(first?.text ?? "", /Use oil:[\s\S]*Three drops each\.\s*$/);
});
