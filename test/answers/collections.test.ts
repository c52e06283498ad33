/** Collections of documentation, from the built program: verbs, exit statuses, kills and two writers at once. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { DocsServer } from "../support/documents/docs_server.ts";
import { TestHome } from "../support/program/dex.ts";
import { TestRepository } from "../support/repository.ts";

let home: TestHome;
let server: DocsServer;
before(async () => {
  home = new TestHome({ vars: { DEX_DOCS_ALLOW_PRIVATE: "127.0.0.1", DEX_DOCS_DELAY_MS: "0" } });
  server = await DocsServer.start();
});
after(() => server.close());

function write(path: string, content: string): void {
  const file = join(home.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

interface Synced {
  complete: boolean;
  collections: { name: string; added: number; unchanged: number; failed: unknown[]; error?: { code: string } }[];
}

test("add, list, sync, search and remove", () => {
  write("notes/a.md", "# Marmots\n\nThey sleep all winter.\n");
  const added = home.run("docs", "add", "notes", "notes");
  assert.equal(added.status, 0, added.stderr);
  assert.match(added.stdout, /Added notes for every project.*\n.*1 added/);
  assert.match(home.run("docs", "list").stdout, /notes\s+global\s+1/);
  assert.match(home.run("docs", "search", "who sleeps in winter").stdout, /notes:a\.md/);
  write("notes/b.md", "# Badgers\n\nThey dig.\n");
  assert.equal(home.json<Synced>("docs", "sync").collections[0]?.added, 1);
  assert.match(home.run("docs", "sync", "nots").stderr, /Did you mean notes/);
  assert.equal(home.run("docs", "remove", "notes").status, 0);
  assert.equal(home.run("docs", "remove", "notes").status, 1);
  assert.equal(home.run("docs", "list").status, 1);
});

test("dex removes the context.json it made with its last collection, and keeps one that says more", () => {
  const own = new TestHome();
  const repo = new TestRepository(join(own.home, "den"));
  repo.commit("docs: dens", { "notes/a.md": "# Dens\n\nThey are deep.\n" });
  own.cwd = repo.root;
  const file = join(repo.root, "context.json");
  assert.equal(own.run("docs", "add", "notes", "notes").status, 0);
  assert.ok(existsSync(file));
  assert.equal(own.run("docs", "remove", "notes").status, 0);
  assert.ok(!existsSync(file));
  writeFileSync(file, '{ "owner": "us" }\n');
  assert.equal(own.run("docs", "add", "notes", "notes").status, 0);
  assert.equal(own.run("docs", "remove", "notes").status, 0);
  assert.match(readFileSync(file, "utf8"), /"owner": "us"/);
  assert.match(own.run("trust", "nowhere").stderr, /nowhere is not a folder/);
});

test("a source that is not there is one sentence and adds nothing", () => {
  const missing = home.run("docs", "add", "none", "nowhere");
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /nowhere does not exist/);
  const metadata = home.run("docs", "add", "none", "http://169.254.169.254/latest/meta-data/");
  assert.equal(metadata.status, 2);
  assert.match(metadata.stderr, /not a public address.*\n.*docs\.allowPrivate/);
  assert.equal(home.run("docs", "list").status, 1);
});

test("a sync that is killed loses nothing, and the next one completes it", async () => {
  const count = 400;
  for (let i = 0; i < count; i += 1) {
    write(`many/${i}.md`, `# Page ${i}\n\n${`Sentence about subject ${i} and its parts. `.repeat(60)}\n`);
  }
  write(".dex/config.yaml", `docs:\n  collections:\n    many: ${join(home.home, "many")}\n`);
  for (const delay of [200, 350, 500]) {
    const child = home.start("docs", "sync");
    const ended = once(child, "exit");
    await pause(delay);
    child.kill("SIGKILL");
    await ended;
    assert.equal(home.run("docs", "list").status, 0);
  }
  const { complete, collections } = home.json<Synced>("docs", "sync");
  assert.equal(complete, true);
  assert.equal((collections[0]?.added ?? 0) + (collections[0]?.unchanged ?? 0), count);
  const { total } = home.json<{ total: number }>("docs", "documents", "--limit", "1");
  assert.equal(total, count);
});

test("two syncs at once: both end, nothing is doubled", async () => {
  rmSync(join(home.dexHome, "documents.db"), { force: true });
  const children = [home.start("docs", "sync"), home.start("docs", "sync")];
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  assert.deepEqual(codes, [0, 0]);
  assert.equal(home.json<{ total: number }>("docs", "documents", "--limit", "1").total, 400);
});

test("a fetched collection survives its server, the index and a reindex", async () => {
  server.set("/d/", "<h1>Start</h1><p>The wolverine page.</p><a href='b'>b</a>");
  server.set("/d/b", "<h1>Second</h1><p>The capybara page.</p>");
  // The program runs beside this process, which serves the pages.
  const child = home.start("docs", "add", "site", `${server.origin}/d/`);
  assert.equal((await once(child, "exit"))[0], 0);
  await server.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(home.dexHome, `documents.db${suffix}`), { force: true });
  const again = home.json<{ documents: number; documents_failed: unknown[] }>("reindex");
  assert.deepEqual([again.documents, again.documents_failed], [402, []]);
  assert.match(home.run("docs", "search", "capybara").stdout, /site:b\.html/);
  const failed = home.run("docs", "sync", "site");
  assert.equal(failed.status, 2);
  assert.match(failed.stderr, /cannot be reached/);
  assert.match(home.run("docs", "search", "capybara").stdout, /site:b\.html/);
  assert.ok(existsSync(join(home.dexHome, "archive/documents")));
  server = await DocsServer.start();
});

test("a sync that is not complete says what failed and does not end as if it were", () => {
  const own = new TestHome();
  const file = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(own.home, path)), { recursive: true });
    writeFileSync(join(own.home, path), text);
  };
  file("notes/a.md", "# A\n\nText.\n");
  assert.equal(own.run("docs", "add", "notes", "notes").status, 0);
  file("notes/broken.pdf", "%PDF-1.4\nno more than this\n");
  const failed = own.run("docs", "sync", "--json");
  assert.equal(failed.status, 1);
  const { complete, collections }: Synced = JSON.parse(failed.stdout);
  assert.equal(complete, false);
  assert.equal(collections[0]?.failed.length, 1);
  assert.match(own.run("docs", "sync").stdout, /broken\.pdf/);
  const added = own.run("docs", "add", "again", "notes/*");
  assert.equal(added.status, 1, "added, and something of it is missing");
  assert.match(added.stdout, /Added again[\s\S]*broken\.pdf/);
  // The doctor remembers it.
  const doctor = own.json<{
    collections: { name: string; documents: number; synced: string | null; failed: number; trusted: boolean }[];
    problems: { what: string; fix: string }[];
  }>("doctor");
  assert.deepEqual(
    doctor.collections.map(({ name, documents, failed: failures, trusted }) => ({
      name,
      documents,
      failures,
      trusted,
    })),
    [
      { name: "again", documents: 1, failures: 1, trusted: true },
      { name: "notes", documents: 1, failures: 1, trusted: true },
    ],
  );
  assert.ok(doctor.collections.every(({ synced }) => synced !== null));
  assert.ok(
    doctor.problems.some(({ what, fix }) => /"notes" was not complete/.test(what) && fix === "dex docs sync notes"),
  );
  assert.match(own.run("doctor").stdout, /documentation:\n {2}again: 1 document, synced .*, 1 failure/);
  rmSync(join(own.home, "notes/broken.pdf"));
  assert.equal(own.run("docs", "sync").status, 0);
  // A project's file that points elsewhere waits for trust.
  file("project/.git/HEAD", "ref: refs/heads/main\n");
  file("project/context.json", JSON.stringify({ collections: { away: { url: "https://docs.example/" } } }));
  own.cwd = join(own.home, "project");
  assert.match(own.run("doctor").stdout, /away \(project\): not trusted; run `dex trust`/);
});

test("a source that a person adds is trusted where a project's file already declares it, unless the file points elsewhere too", () => {
  const own = new TestHome();
  const project = join(own.home, "project");
  const outside = join(own.home, "outside");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(outside, "a.md"), "# Marmots\n\nThey sleep all winter.\n");
  own.cwd = project;
  const declare = (collections: Record<string, { url: string }>): void =>
    writeFileSync(join(project, "context.json"), JSON.stringify({ collections }));
  declare({ notes: { url: outside }, web: { url: "https://docs.example/" } });
  assert.match(own.run("docs", "add", "notes", outside).stderr, /points "notes" at .*outside.*dex trust/);
  declare({ notes: { url: outside } });
  assert.equal(own.run("docs", "add", "notes", outside).stderr, "");
  assert.match(own.run("docs", "search", "who sleeps").stdout, /notes:a\.md/);
  // The index of documents is lost: no answer says that the collection was never read.
  for (const name of readdirSync(own.dexHome)) if (name.startsWith("documents.db")) rmSync(join(own.dexHome, name));
  assert.match(own.run("docs", "list").stderr, /index of documents is missing.*dex docs sync/);
  assert.equal(own.run("docs", "sync").status, 0);
  assert.equal(own.run("docs", "list").stderr, "");
});

test("collections and settings that are written at the same time are all there", async () => {
  const own = new TestHome();
  const names = Array.from({ length: 3 }, (_, i) => `kit${i}`);
  for (const name of names) {
    mkdirSync(join(own.home, name));
    writeFileSync(join(own.home, name, "a.md"), `# ${name}\n\nText.\n`);
  }
  const keys = ["docs.maxPages", "llm.model", "llm.maxTokens"];
  const values = ["77", "some-model", "555"];
  const answers = await Promise.all([
    ...names.map((name) => own.runBeside("docs", "add", name, name)),
    ...keys.map((key, i) => own.runBeside("config", "set", key, values[i] ?? "")),
  ]);
  for (const { status, stderr } of answers) assert.equal(status, 0, stderr);
  const { collections } = own.json<{ collections: { name: string }[] }>("docs", "list");
  assert.deepEqual(collections.map(({ name }) => name).toSorted(), names);
  const { settings } = own.json<{ settings: { key: string; value: unknown }[] }>("config", "list");
  for (const [i, key] of keys.entries()) {
    assert.equal(String(settings.find((setting) => setting.key === key)?.value), values[i], key);
  }
});
