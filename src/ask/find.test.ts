import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Dex } from "../dex.ts";
import { docsAdd } from "../operations/docs/collections/add.ts";
import { runOperation } from "../operations/run.ts";
import { findInDocuments } from "./find.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-find-"));
after(() => rmSync(folder, { recursive: true }));

test("a passage is read for its meaning alone, but not one that is about something else", async () => {
  const docs = join(folder, "docs");
  mkdirSync(docs);
  writeFileSync(
    join(docs, "guide.md"),
    "# Guide\n\n## Access control\n\nReturn 401 in a middleware unless the user is authenticated.\n\n## Colours\n\nZebras are black and white.\n",
  );
  const vars = { HOME: folder, DEX_HOME: join(folder, ".dex"), TZ: "UTC" };
  const adding = await Dex.open({ vars, cwd: folder });
  await runOperation(adding, docsAdd, docsAdd.input.parse({ name: "zoo", source: [docs] }), {});
  adding.close();
  const dex = await Dex.open({ vars, cwd: folder });
  const found = await findInDocuments(dex, "can I protect it with a login?", 12);
  dex.close();
  assert.deepEqual(
    found.map(({ section }) => section),
    ["Access control"],
  );
});
