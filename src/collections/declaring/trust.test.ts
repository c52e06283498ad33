/** Sources that a repository declares outside itself need `dex trust`, again after every change. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DocsHome } from "../../../test/support/documents/docs_home.ts";
import { DocsServer } from "../../../test/support/documents/docs_server.ts";
import { docsAdd } from "../../operations/docs/collections/add.ts";
import { docsList } from "../../operations/docs/collections/list.ts";
import { docsSync } from "../../operations/docs/collections/sync.ts";
import { trust } from "../../operations/docs/collections/trust.ts";
import { docsSearch } from "../../operations/docs/search.ts";

function context(collections: Record<string, string>): string {
  return JSON.stringify({
    collections: Object.fromEntries(Object.entries(collections).map(([name, url]) => [name, { url }])),
  });
}

test("sources inside the project need no trust; those outside do, again after a change", async () => {
  const home = new DocsHome();
  home.write("private/diary.md", "# Diary\n\nNobody's business.\n");
  home.write("project/docs/a.md", "# A\n\nThe project's business.\n");
  home.write("project/context.json", context({ own: "file://./docs", diary: "file://../private" }));
  const first = await home.run(docsSync, {});
  assert.equal(first.complete, false);
  assert.deepEqual(
    first.collections.map(({ name, error }) => [name, error?.code]),
    [
      ["diary", "untrusted"],
      ["own", undefined],
    ],
  );
  const notices: string[] = [];
  const listed = await home.run(docsList, {}, { notices });
  assert.deepEqual(
    listed.collections.map(({ name }) => name),
    ["own"],
  );
  assert.match(notices.join(), /points "diary" at .*private, outside the project.*dex trust/);
  const shown = await home.run(trust, { show: true });
  assert.deepEqual(shown.files[0]?.outside, [{ name: "diary", source: join(home.home, "private") }]);
  assert.equal((await home.run(trust, {})).files[0]?.status, "trusted");
  assert.equal((await home.run(docsSync, {})).complete, true);
  assert.equal((await home.run(docsSearch, { query: "business" })).total, 2);
  assert.equal(statSync(join(home.home, ".dex/trust.json")).mode & 0o777, 0o600);
  home.write(
    "project/context.json",
    context({ own: "file://./docs", diary: "file://../private", more: "npm:left-pad" }),
  );
  assert.equal((await home.run(docsSearch, { query: "business" })).total, 1);
  assert.equal((await home.run(trust, {})).files[0]?.status, "trusted");
  assert.equal((await home.run(trust, { remove: true })).files[0]?.status, "distrusted");
  assert.equal((await home.run(docsSearch, { query: "business" })).total, 1);
});

test("a collection that another project synced is not seen through an untrusted file", async () => {
  const home = new DocsHome();
  home.write("private/diary.md", "# Diary\n\nNobody's business.\n");
  await home.run(docsAdd, { name: "diary", source: [join(home.home, "private")], global: true });
  home.write("project/context.json", context({ diary2: join(home.home, "private") }));
  home.write("project/.dex.yaml", "docs:\n  collections:\n    diary3: ../private\n");
  const { collections } = await home.run(docsList, {});
  assert.deepEqual(
    collections.map(({ name }) => name),
    ["diary"],
  );
});

test("a .dex.yaml that names a web host is not followed either", async () => {
  const server = await DocsServer.start({ "/": "<h1>Hi</h1><p>there</p>" });
  try {
    const home = new DocsHome({ DEX_DOCS_ALLOW_PRIVATE: "true" });
    home.write("project/.dex.yaml", `docs:\n  collections:\n    site: ${server.origin}/\n`);
    const { collections } = await home.run(docsSync, {});
    assert.equal(collections[0]?.error?.code, "untrusted");
    assert.deepEqual(server.asked, []);
    await home.run(trust, {});
    assert.equal((await home.run(docsSync, {})).complete, true);
  } finally {
    await server.close();
  }
});

test("a manifest of the project that lists files on the web needs trust of its own", async () => {
  const server = await DocsServer.start({ "/a.md": { body: "# A\n\nFrom afar.\n", type: "text/markdown" } });
  try {
    const home = new DocsHome({ DEX_DOCS_ALLOW_PRIVATE: "true" });
    home.write(
      "project/manifest.json",
      JSON.stringify({ name: "m", version: "1", sources: { files: [{ url: `${server.origin}/a.md` }] } }),
    );
    home.write("project/context.json", context({ m: "file://./manifest.json" }));
    assert.equal((await home.run(docsSync, {})).collections[0]?.error?.code, "untrusted");
    assert.deepEqual(server.asked, []);
    const { files } = await home.run(trust, {});
    assert.equal(files.find(({ path }) => path.endsWith("manifest.json"))?.status, "trusted");
    assert.equal((await home.run(docsSync, {})).collections[0]?.added, 1);
  } finally {
    await server.close();
  }
});

test("adding to a file that already points elsewhere does not trust the rest of it", async () => {
  const home = new DocsHome();
  home.write("private/diary.md", "# Diary\n\nNobody's business.\n");
  home.write("project/docs/a.md", "# A\n\nBusiness.\n");
  home.write("project/context.json", context({ diary: "file://../private" }));
  await home.run(docsAdd, { name: "own", source: ["docs"] });
  const { collections } = await home.run(docsSync, {});
  assert.equal(collections.find(({ name }) => name === "diary")?.error?.code, "untrusted");
});

test("an entry that cannot be used is named and left out; the others work, and the file is not trusted with it", async () => {
  const home = new DocsHome();
  home.write("project/docs/a.md", "# A\n\nThe project's business.\n");
  const entries = { own: "file://./docs", "a bad name": "file://./docs", odd: "gopher://nowhere/docs" };
  home.write("project/context.json", context(entries));
  const notices: string[] = [];
  assert.equal((await home.run(docsSync, {}, { notices })).complete, true);
  assert.match(notices.join("\n"), /"a bad name" has a name that dex cannot use.*leaves it out/);
  assert.match(notices.join("\n"), /"odd" has a source that dex cannot read/);
  assert.equal((await home.run(docsSearch, { query: "business" })).total, 1);
  await assert.rejects(home.run(trust, {}), { code: "bad_context" });
});
