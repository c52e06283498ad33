/** Collections of folders: which files are indexed, how they stay current, and unreadable files. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { DocsHome } from "../../test/support/documents/docs_home.ts";
import { makeZip } from "../../test/support/documents/packages.ts";
import { makePdf } from "../../test/support/documents/pdf.ts";
import { DexError } from "../kernel/errors.ts";
import { docsAdd } from "../operations/docs/collections/add.ts";
import { docsList } from "../operations/docs/collections/list.ts";
import { docsPack } from "../operations/docs/collections/pack.ts";
import { docsRemove } from "../operations/docs/collections/remove.ts";
import { docsSync } from "../operations/docs/collections/sync.ts";
import { docsDocuments } from "../operations/docs/documents.ts";
import { docsSearch } from "../operations/docs/search.ts";
import { docsShow } from "../operations/docs/show.ts";
import { reindex } from "../operations/upkeep/reindex.ts";
import { identityOf, parseSource } from "./declaring/source.ts";

async function paths(home: DocsHome, cwd?: string): Promise<string[]> {
  const { documents } = await home.run(docsDocuments, { limit: 100 }, cwd === undefined ? {} : { cwd });
  return documents.map(({ collection, document }) => `${collection}:${document}`);
}

/** Sets an older modification time, so the time alone shows whether the file changed. */
function settle(file: string): void {
  const then = new Date(Date.now() - 60_000);
  utimesSync(file, then, then);
}

test("a folder: documents only, .gitignore, hidden folders and node_modules left out, link loops survived", async () => {
  const home = new DocsHome();
  home.write("project/.gitignore", "build/\nsecret.md\n");
  for (const path of [
    "a.md",
    "sub/b.rst",
    "sub/c.txt",
    "secret.md",
    "build/x.md",
    ".hidden/y.md",
    "node_modules/p/z.md",
    "code.ts",
  ]) {
    home.write(`project/docs/${path}`, `# ${path}\n\nText of ${path}.\n`);
  }
  home.write("outside/private.md", "# Private\n\nNot of this project.\n");
  symlinkSync("..", join(home.project, "docs/sub/loop"));
  symlinkSync(join(home.home, "outside/private.md"), join(home.project, "docs/leak.md"));
  symlinkSync(join(home.home, "outside"), join(home.project, "docs/leaks"));
  const added = await home.run(docsAdd, { name: "own", source: ["docs"] });
  assert.equal(added.origin, "project");
  assert.equal(added.collection.complete, true);
  assert.deepEqual(await paths(home), ["own:a.md", "own:sub/b.rst", "own:sub/c.txt"]);
  const written = JSON.parse(readFileSync(join(home.project, "context.json"), "utf8"));
  assert.deepEqual(written, { collections: { own: { url: "file://./docs" } } });
});

test("globs and !globs", async () => {
  const home = new DocsHome();
  for (const path of ["docs/a.md", "docs/old/b.md", "guide/c.md", "guide/c.txt", "other/d.md"]) {
    home.write(`project/${path}`, `# ${path}\n\nWords.\n`);
  }
  await home.run(docsAdd, { name: "some", source: ["docs/**/*.md", "guide/*.md", "!docs/old/**"] });
  assert.deepEqual(await paths(home), ["some:docs/a.md", "some:guide/c.md"]);
  // The written declaration resolves to the same collection.
  const again = await home.run(docsSync, {});
  assert.equal(again.collections[0]?.unchanged, 2);
  assert.equal(again.collections[0]?.added, 0);
});

test("only changed files are read again; deleted ones are removed; a search notices by itself", async () => {
  const home = new DocsHome();
  const a = home.write("project/docs/a.md", "# A\n\nThe quick marmot.\n");
  const b = home.write("project/docs/b.md", "# B\n\nThe slow badger.\n");
  settle(a);
  settle(b);
  await home.run(docsAdd, { name: "own", source: ["docs"] });
  const none = await home.run(docsSync, {});
  assert.deepEqual([none.collections[0]?.unchanged, none.collections[0]?.bytes], [2, 0]);
  home.write("project/docs/a.md", "# A\n\nThe quick wolverine.\n");
  rmSync(b);
  home.write("project/docs/c.md", "# C\n\nA new capybara.\n");
  const found = await home.run(docsSearch, { query: "wolverine" });
  assert.equal(found.results[0]?.document, "a.md");
  assert.deepEqual(await paths(home), ["own:a.md", "own:c.md"]);
  assert.equal((await home.run(docsSearch, { query: "marmot" })).total, 0);
});

test("secrets are redacted before anything is written", async () => {
  const home = new DocsHome();
  const secret = ["ghp", "_", "x7Kp2mQ9vR4tY8wZ1nB6cD3fG5hJ0kL2sA4e"].join("");
  home.write("project/docs/a.md", `# Setup\n\nUse the token ${secret} to log in.\n`);
  const { collection } = await home.run(docsAdd, { name: "own", source: ["docs"] });
  assert.ok(collection.redactions > 0);
  assert.equal(readFileSync(join(home.home, ".dex/documents.db")).includes(secret), false);
});

test("a PDF with a secret inside is indexed, packed and kept without it", async () => {
  const home = new DocsHome({ DEX_DOCS_ALLOW_PRIVATE: "true" });
  const secret = ["ghp", "_", "x7Kp2mQ9vR4tY8wZ1nB6cD3fG5hJ0kL2sA4e"].join("");
  const pdf = Buffer.from(makePdf([["Login", `The token is ${secret} today.`], ["Logout"]]));
  assert.ok(pdf.includes(secret));
  home.write("project/docs/login.pdf", pdf);
  home.write("project/docs/start.md", "# Start\n\nHere.\n");
  const { collection } = await home.run(docsAdd, { name: "own", source: ["docs"] });
  assert.ok(collection.redactions > 0);
  // When fetched, its text is also archived.
  const zip = home.write("kit.zip", makeZip([{ name: "login.pdf", content: pdf }]));
  const kept = await home.run(docsAdd, { name: "kit", source: [zip], global: true });
  assert.ok(kept.collection.redactions > 0);
  for (const name of ["own", "kit"]) {
    const { text } = await home.run(docsShow, { document: "login.pdf", collection: name });
    assert.match(text, /The token is \[REDACTED[^\]]*\] today/);
  }
  const packed = await home.run(docsPack, { folder: "docs", output: join(home.home, "own.tar.gz") });
  const held = [gunzipSync(readFileSync(packed.file))];
  for (const file of readdirSync(join(home.home, ".dex"), { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = readFileSync(join(file.parentPath, file.name));
    held.push(bytes, ...(bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528 ? [zstdDecompressSync(bytes)] : []));
  }
  assert.ok(held.length > 3);
  for (const bytes of held) assert.equal(bytes.includes(secret), false);
});

test("a huge document, a binary one, broken UTF-8 and an empty one: a sentence each, the rest is indexed", async () => {
  const home = new DocsHome();
  home.write("project/docs/good.md", "# Good\n\nFine.\n");
  home.write("project/docs/binary.md", Buffer.from([0x23, 0, 1, 2, 3, 0, 0, 9]));
  home.write(
    "project/docs/broken.md",
    Buffer.concat([Buffer.from("# Broken\n\nCaf"), Buffer.from([0xe9]), Buffer.from(" au lait.\n")]),
  );
  home.write("project/docs/empty.md", "");
  truncateSync(home.write("project/docs/huge.md", ""), 200_000_000);
  const { collection } = await home.run(docsAdd, { name: "own", source: ["docs"] });
  assert.equal(collection.complete, false);
  assert.equal(collection.added, 2);
  assert.match(collection.failed.find(({ path }) => path === "huge.md")?.error ?? "", /larger \(200 MB\)/);
  assert.match(collection.skipped.find(({ path }) => path === "binary.md")?.error ?? "", /binary/);
  assert.match(collection.skipped.find(({ path }) => path === "empty.md")?.error ?? "", /no text/);
  assert.match(collection.notes[0]?.error ?? "", /not valid UTF-8/);
  const { collections } = await home.run(docsList, {});
  assert.equal(collections[0]?.failed, 1);
  // A search does not report an unreadable file every time.
  const notices: string[] = [];
  const before = statSync(join(home.home, ".dex/documents.db")).mtimeMs;
  await home.run(docsSearch, { query: "fine" }, { notices });
  await home.run(docsSearch, { query: "fine" }, { notices });
  assert.deepEqual(notices, []);
  void before;
});

test("a deleted folder keeps its indexed documents, and the sync says so", async () => {
  const home = new DocsHome();
  home.write("project/docs/a.md", "# A\n\nStill known.\n");
  await home.run(docsAdd, { name: "own", source: ["docs"] });
  rmSync(join(home.project, "docs"), { recursive: true });
  const { collections, complete } = await home.run(docsSync, {});
  assert.equal(complete, false);
  assert.equal(collections[0]?.error?.code, "no_source");
  assert.equal(collections[0]?.error?.hint, "Correct the source. The documents of its last sync stay.");
  assert.equal((await home.run(docsSearch, { query: "known" })).results.length, 1);
  await assert.rejects(
    home.run(docsAdd, { name: "none", source: ["nowhere"] }),
    (error) =>
      error instanceof DexError &&
      error.code === "no_source" &&
      error.hint === "Correct the source. Nothing was added.",
  );
});

test("two projects with the same name and the same relative path have two collections", async () => {
  const home = new DocsHome();
  for (const name of ["one", "two"]) {
    mkdirSync(join(home.home, name, ".git"), { recursive: true });
    home.write(`${name}/docs/a.md`, `# ${name}\n\nThe words of ${name}.\n`);
    await home.run(docsAdd, { name: "docs", source: ["./docs"] }, { cwd: join(home.home, name) });
  }
  for (const name of ["one", "two"]) {
    const cwd = join(home.home, name);
    const { results, total } = await home.run(docsSearch, { query: "words" }, { cwd });
    assert.equal(total, 1);
    assert.equal(results[0]?.title, name);
  }
  assert.notEqual(
    identityOf(parseSource(["docs"], join(home.home, "one"))),
    identityOf(parseSource(["docs"], join(home.home, "two"))),
  );
  assert.equal(
    identityOf(parseSource(["docs"], join(home.home, "one"))),
    identityOf(parseSource(["file://../one/docs"], join(home.home, "two"))),
  );
});

test("the project's name wins over the global one, which stays as it is", async () => {
  const home = new DocsHome();
  home.write("elsewhere/a.md", "# Global\n\nGlobal words.\n");
  home.write("project/docs/a.md", "# Project\n\nProject words.\n");
  home.write(".dex/config.yaml", "# my settings\nsync:\n  threads: 1 # one\n");
  await home.run(docsAdd, { name: "docs", source: [join(home.home, "elsewhere")], global: true });
  await home.run(docsAdd, { name: "docs", source: ["docs"] });
  assert.equal((await home.run(docsSearch, { query: "words" })).results[0]?.title, "Project");
  assert.equal((await home.run(docsSearch, { query: "words" }, { cwd: home.home })).results[0]?.title, "Global");
  const config = readFileSync(join(home.home, ".dex/config.yaml"), "utf8");
  assert.match(config, /^# my settings\nsync:\n {2}threads: 1 # one\n/);
  await assert.rejects(
    home.run(docsAdd, { name: "docs", source: ["."] }),
    (error) => error instanceof DexError && error.code === "name_taken",
  );
  await home.run(docsRemove, { names: ["docs"], global: true });
  assert.equal((await home.run(docsSearch, { query: "words" }, { cwd: home.home })).results.length, 0);
  assert.equal((await home.run(docsSearch, { query: "words" })).results[0]?.title, "Project");
});

test("a collection that another project still declares is not dropped with this one's", async () => {
  const home = new DocsHome();
  home.write("shared/a.md", "# Shared\n\nShared words.\n");
  for (const name of ["one", "two"]) {
    mkdirSync(join(home.home, name, ".git"), { recursive: true });
    await home.run(docsAdd, { name: "shared", source: ["../shared"] }, { cwd: join(home.home, name) });
  }
  const first = await home.run(docsRemove, { names: ["shared"] }, { cwd: join(home.home, "one") });
  assert.equal(first.removed[0]?.dropped, false);
  const cwd = join(home.home, "two");
  assert.equal((await home.run(docsSearch, { query: "shared words" }, { cwd })).total, 1);
  assert.equal((await home.run(docsRemove, { names: ["shared"] }, { cwd })).removed[0]?.dropped, true);
});

test("a reindex restores everything without documents.db", async () => {
  const home = new DocsHome();
  home.write("project/docs/a.md", "# A\n\nA marmot.\n");
  await home.run(docsAdd, { name: "own", source: ["docs"] });
  const before = await home.run(docsSearch, { query: "marmot" });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(home.home, `.dex/documents.db${suffix}`), { force: true });
  assert.equal((await home.run(reindex, {})).documents, 1);
  assert.deepEqual(await home.run(docsSearch, { query: "marmot" }), before);
});

test("a collection removed while it is searched: the open library still answers, the next one does not", async () => {
  const home = new DocsHome();
  home.write("project/docs/a.md", "# A\n\nA marmot.\n");
  await home.run(docsAdd, { name: "own", source: ["docs"] });
  const { Dex } = await import("../dex.ts");
  const dex = await Dex.open({ vars: home.vars, cwd: home.project });
  const library = await dex.library();
  const [row] = library.reader.documents({}, 10, 0);
  assert.ok(row);
  await home.run(docsRemove, { names: ["own"] });
  assert.equal(library.reader.document(row.no), undefined);
  assert.equal(library.reader.text(row.no), "");
  assert.deepEqual((await dex.library()).collections, []);
  dex.close();
});

test("a document is found by its path on disk, from any folder", async () => {
  const home = new DocsHome();
  home.write("project/d/a.md", "# A\n\nThe tray.\n\n## Inner\n\nMore.\n");
  home.write("project/other/d/a.md", "# Other\n");
  home.write("project/loose.md", "# Loose\n");
  await home.run(docsAdd, { name: "wid", source: ["d"] });
  await home.run(docsAdd, { name: "others", source: ["other"] });
  const shown = async (document: string, cwd = home.project): Promise<string> =>
    (await home.run(docsShow, { document }, { cwd })).id;
  assert.equal(await shown("./d/a.md"), "wid:a.md");
  assert.equal(await shown(join(home.project, "d/a.md")), "wid:a.md");
  assert.equal(await shown("./d/a.md#inner"), "wid:a.md#a/inner");
  assert.equal(await shown("../other/d/a.md", join(home.project, "d")), "others:d/a.md");
  // In a collection, it is the path of another document.
  assert.equal(await shown("d/a.md"), "others:d/a.md");
  assert.equal(await shown("others:d/a.md"), "others:d/a.md");
  await assert.rejects(shown("loose.md"), /No collection here has/);
  await assert.rejects(shown("../loose.md", join(home.project, "d")), /No collection here has/);
});

test("notebooks of a folder are read, without secrets that span several of their lines", async () => {
  const home = new DocsHome();
  const secret = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
  const key = ["-----BEGIN PRIVATE KEY-----\n", `${secret}\n`, `${secret}\n`, "-----END PRIVATE KEY-----\n"];
  const cells = [
    { cell_type: "markdown", source: ["# Lab\n", "\n", "The centrifuge.\n"] },
    { cell_type: "code", source: ['key = """\n', ...key, '"""\n'] },
  ];
  home.write("project/lab/run.ipynb", JSON.stringify({ cells, nbformat: 4 }, undefined, 1));
  home.write("project/lab/broken.ipynb", "{}");
  const { collection } = await home.run(docsAdd, { name: "lab", source: ["lab"] });
  assert.deepEqual([collection.added, collection.failed.map(({ path }) => path)], [1, ["broken.ipynb"]]);
  assert.equal((await home.run(docsSearch, { query: "centrifuge" })).results[0]?.id, "lab:run.ipynb#lab");
  const { text, format } = await home.run(docsShow, { document: "run.ipynb" });
  assert.equal(format, "notebook");
  assert.match(text, /REDACTED/);
  assert.equal(text.includes(secret), false);
  // dex archives a fetched notebook as Markdown and reads it from there.
  const packed = JSON.stringify({ cells }, undefined, 1);
  home.write("project/kit.zip", makeZip([{ name: "kit/packed.ipynb", content: packed }]));
  await home.run(docsAdd, { name: "kit", source: ["kit.zip"] });
  const archived = await home.run(docsShow, { document: "packed.ipynb" });
  assert.deepEqual([archived.format, archived.title, archived.text], ["notebook", "Lab", text]);
});
