import assert from "node:assert/strict";
import { test } from "node:test";
import { DocsHome } from "../../../test/support/documents/docs_home.ts";
import { ask } from "../../operations/ask/ask.ts";
import { docsAdd } from "../../operations/docs/collections/add.ts";
import { docsList } from "../../operations/docs/collections/list.ts";
import { docsRemove } from "../../operations/docs/collections/remove.ts";
import { docsSearch } from "../../operations/docs/search.ts";
import { doctor } from "../../operations/upkeep/doctor.ts";

function newHome(vars: Record<string, string> = {}): DocsHome {
  return new DocsHome({ DEX_DOCS_PROJECT: "true", ...vars });
}

async function names(home: DocsHome, cwd = home.project): Promise<string[]> {
  return (await home.run(docsList, {}, { cwd })).collections.map(({ name }) => name);
}

async function found(home: DocsHome, query: string): Promise<string[]> {
  return (await home.run(docsSearch, { query })).results.map(({ document }) => document);
}

test("the documents of a repository are found without a word from the user, and again after a change", async () => {
  const home = newHome();
  home.write("project/README.md", "# Otter\n\nOtter mirrors repositories. The port is 4100.\n");
  home.write(
    "project/docs/adr/0001-queue.md",
    "# Use one queue\n\nAll jobs wait in one queue, because retries must keep their order.\n",
  );
  home.write("project/src/otter.ts", "export const port = 4100;\n");
  for (const other of ["CHANGELOG.md", "test/fixtures/page.md", "vendor/lib/README.md", "node_modules/a/README.md"]) {
    home.write(`project/${other}`, "# Other\n\nThe queue is mentioned here.\n");
  }
  assert.deepEqual(await found(home, "queue"), ["docs/adr/0001-queue.md"]);
  assert.deepEqual(await names(home), ["project"]);
  const answer = await home.run(ask, { query: "Why do jobs wait in one queue?", no_model: true });
  assert.match(answer.answer, /retries must keep their order/);
  assert.equal(answer.sources[0]?.collection, "project");

  home.write("project/docs/retries.md", "# Retries\n\nA walrus retries three times.\n");
  assert.deepEqual(await found(home, "walrus"), ["docs/retries.md"]);
  const notSynced = newHome();
  assert.deepEqual(
    (await notSynced.run(doctor, {})).problems.map(({ code }) => code),
    [],
  );
});

test("no documents are taken outside a repository, where the user said no, or where a folder was chosen", async () => {
  const home = newHome();
  home.write("project/README.md", "# A\n\nText.\n");
  home.write("loose/README.md", "# A\n\nText.\n");
  assert.deepEqual(await names(home, `${home.home}/loose`), []);
  assert.deepEqual(await names(newHome({ DEX_DOCS_PROJECT: "false" })), []);
  home.write("project/guide/a.md", "# A\n\nText.\n");
  await home.run(docsAdd, { name: "guide", source: ["guide"] });
  assert.deepEqual(await names(home), ["guide"]);
});

test("the documents of a repository have no declaration to remove; a declared collection of the same name replaces them", async () => {
  const home = newHome();
  home.write("project/README.md", "# A\n\nText.\n");
  await assert.rejects(home.run(docsRemove, { names: ["project"] }), /is not declared anywhere/);
  home.write("other/a.md", "# Marmot\n\nA marmot.\n");
  await home.run(docsAdd, { name: "project", source: [`${home.home}/other`] });
  assert.deepEqual(await found(home, "marmot"), ["a.md"]);
  assert.deepEqual(await names(home), ["project"]);
});

test("a search of documents names words that no passage has, and words that the best passage lacks", async () => {
  const home = newHome();
  home.write("project/README.md", "# Otter\n\nOtter mirrors repositories.\n\n## Port\n\nIt listens on a walrus.\n");
  const noted = async (query: string): Promise<string | undefined> => (await home.run(docsSearch, { query })).note;
  assert.equal(await noted("walrus flamingo"), "No passage contains: flamingo.");
  assert.equal(await noted("mirrors walrus"), "The best passage lacks 1 of the 2 words: mirrors.");
  assert.equal(await noted("walrus"), undefined);
});
