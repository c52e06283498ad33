/** `dex docs add zoo@2`: documentation of packages, from a registry and repositories made here. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { DocsHome } from "../../../test/support/documents/docs_home.ts";
import { DocsServer } from "../../../test/support/documents/docs_server.ts";
import { makeTar } from "../../../test/support/documents/packages.ts";
import { GitServer } from "../../../test/support/servers/git_server.ts";
import { DexError } from "../../kernel/errors.ts";
import { ask } from "../../operations/ask/ask.ts";
import { docsAdd } from "../../operations/docs/collections/add.ts";
import { docsList } from "../../operations/docs/collections/list.ts";
import { docsSync } from "../../operations/docs/collections/sync.ts";
import { docsDocuments } from "../../operations/docs/documents.ts";
import { docsSearch } from "../../operations/docs/search.ts";
import { docsShow } from "../../operations/docs/show.ts";
import { reindex } from "../../operations/upkeep/reindex.ts";

let server: DocsServer;
const gitServers: GitServer[] = [];

before(async () => {
  server = await DocsServer.start();
});
after(async () => {
  await server.close();
  for (const each of gitServers) await each.close();
});

function newHome(vars: Record<string, string> = {}): DocsHome {
  return new DocsHome({
    DEX_DOCS_ALLOW_PRIVATE: "true",
    DEX_DOCS_REGISTRY: `${server.origin}/registry/`,
    ...vars,
  });
}

interface Release {
  files?: Record<string, string>;
  time?: string;
  metadata?: object;
}

function publish(name: string, releases: Record<string, Release>, latest = Object.keys(releases).at(-1)): void {
  const versions: Record<string, unknown> = {};
  const time: Record<string, string> = {};
  for (const [version, { files = { "README.md": `# ${name} ${version}\n\nShort.\n` }, ...release }] of Object.entries(
    releases,
  )) {
    const entries = Object.entries(files).map(([path, content]) => ({ name: `package/${path}`, content }));
    const tarball = gzipSync(makeTar([{ name: "package/package.json", content: "{}" }, ...entries]));
    const path = `/registry/${name}/-/${version}.tgz`;
    server.set(path, { body: tarball, type: "application/octet-stream" });
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    versions[version] = { name, version, ...release.metadata, dist: { tarball: `${server.origin}${path}`, integrity } };
    time[version] = release.time ?? "2024-01-01T00:00:00Z";
  }
  const listing = { name, "dist-tags": { latest }, versions, time };
  server.set(`/registry/${name.replace("/", "%2f")}`, { body: JSON.stringify(listing), type: "application/json" });
}

class Repository {
  readonly folder: string;

  constructor(home: DocsHome, name: string) {
    this.folder = join(home.home, "repos", name);
    mkdirSync(this.folder, { recursive: true });
    this.git("init", "-q", "-b", "main");
    this.git("config", "uploadpack.allowFilter", "true");
    this.git("config", "uploadpack.allowAnySHA1InWant", "true");
  }

  git(...args: string[]): string {
    return this.#run(args, {});
  }

  commit(files: Record<string, string>, home: DocsHome, date = "2024-01-01T12:00:00Z"): void {
    for (const [path, text] of Object.entries(files))
      home.write(join("repos", this.folder.split("/").at(-1) ?? "", path), text);
    this.git("add", "-A");
    this.#run(["commit", "-q", "-m", "change"], { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date });
  }

  #run(args: string[], vars: Record<string, string>): string {
    const who = ["-c", "user.name=Sam", "-c", "user.email=sam@example.com", "-c", "commit.gpgsign=false"];
    const env = { PATH: process.env.PATH ?? "", HOME: this.folder, GIT_CONFIG_NOSYSTEM: "1", ...vars };
    return execFileSync("git", [...who, "-C", this.folder, ...args], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  }
}

const long = (subject: string): string =>
  `# ${subject}\n\n${`All about the ${subject} and how it is kept. `.repeat(500)}\n`;

async function paths(home: DocsHome, collection: string): Promise<string[]> {
  const { documents } = await home.run(docsDocuments, { collections: [collection], limit: 100 });
  return documents.map(({ document }) => document);
}

test("the documentation of a package's repository at the tag of the version, over http, without other files", async () => {
  const home = newHome();
  const repository = new Repository(home, "keeper");
  repository.commit(
    {
      "docs/feeding.md": long("lion"),
      "docs/logo.png": "x",
      "src/big.js": randomBytes(1 << 20).toString("hex"),
      "docs/ja/feeding.md": "# ライオン\n\n餌\n",
    },
    home,
  );
  repository.git("tag", "-a", "v2.1.0", "-m", "v2.1.0");
  repository.commit({ "docs/feeding.md": long("tiger") }, home);
  const web = await GitServer.start(join(home.home, "repos"));
  gitServers.push(web);
  publish("zoo", { "2.1.0": { metadata: { repository: { type: "git", url: `${web.origin}/keeper` } } } });
  const { name, collection } = await home.run(docsAdd, { name: "zoo@2" });
  assert.deepEqual([name, collection.complete], ["zoo@2", true], JSON.stringify(collection));
  assert.deepEqual(await paths(home, "zoo@2"), ["README.md", "keeper/docs/feeding.md"]);
  assert.ok(web.bytes < 1 << 20, "only the documents were fetched");
  const [own, found] = collection.package?.parts ?? [];
  assert.deepEqual([own?.from, own?.documents, found?.from, found?.documents], ["package", 1, "repository", 1]);
  assert.match(found?.note ?? "", /^tag v2\.1\.0 \([0-9a-f]{12}\)$/);
  assert.ok((found?.tokens ?? 0) > 3000);
  assert.match((await home.run(docsShow, { document: "zoo@2:feeding.md" })).text, /lion/);

  web.asked.length = 0;
  const again = await home.run(docsSync, {});
  assert.deepEqual([again.collections[0]?.unchanged, again.collections[0]?.package?.version], [2, "2.1.0"]);
  assert.deepEqual(web.asked, [], "the tag of a pinned version does not move");
});

test("the user's catalogue names a repository; a version without a tag is an error that says so", async () => {
  const home = newHome();
  const repository = new Repository(home, "docs-of-zoo");
  repository.commit({ "content/start.md": long("start"), "other.md": "# Other\n\nx\n" }, home);
  repository.git("tag", "zoo@1.0.0");
  publish("zoo", { "1.0.0": {}, "1.1.0": {} });
  const entry = `git+file://${repository.folder}?path=content`.replace("?path", "#?path");
  home.write(".dex/config.yaml", `docs:\n  catalogue:\n    zoo: ${JSON.stringify(entry)}\n`);
  await home.run(docsAdd, { name: "zoo@1.0.0" });
  assert.deepEqual(await paths(home, "zoo@1.0.0"), ["README.md", "docs-of-zoo/start.md"]);
  const { collection } = await home.run(docsAdd, { name: "zoo@1.1.0" });
  assert.equal(collection.complete, false);
  assert.match(collection.failed[0]?.error ?? "", /has no tag for version 1\.1\.0 of zoo/);
  assert.match(collection.package?.advice ?? "", /little documentation of zoo 1\.1\.0/);
});

test("documentation on a branch: an older version is documented by the last commit before the next one", async () => {
  const home = newHome();
  const repository = new Repository(home, "site");
  repository.commit({ "src/content/a.md": long("first edition") }, home, "2023-05-01T00:00:00Z");
  repository.commit({ "src/content/a.md": long("second edition") }, home, "2024-02-01T00:00:00Z");
  const web = await GitServer.start(join(home.home, "repos"));
  gitServers.push(web);
  const { docsPlace } = await import("./place.ts");
  const listing = {
    versions: { "1.0.0": {}, "1.5.0": {}, "2.0.0-beta.1": {}, "2.0.0": {} },
    time: { "2.0.0-beta.1": "2023-04-01T00:00:00Z", "2.0.0": "2024-01-15T00:00:00Z" },
  };
  const context = { packages: { repositories: true, catalogue: {} }, limits: { allowPrivate: true } };
  const place = docsPlace("react", "1.5.0", listing, context as unknown as Parameters<typeof docsPlace>[3]);
  assert.deepEqual(place?.at, { kind: "before", time: Date.parse("2024-01-15T00:00:00Z"), next: "2.0.0" });
  const latest = docsPlace("react", "2.0.0", listing, context as unknown as Parameters<typeof docsPlace>[3]);
  assert.deepEqual(latest?.at, { kind: "branch", ref: "HEAD" });
  assert.ok(place);
  const given: string[] = [];
  const { giveRepository } = await import("./repository.ts");
  const { note } = await giveRepository(
    { ...place, url: `${web.origin}/site` },
    { name: "react", exclude: [] },
    "1.5.0",
    {
      vars: home.vars,
      limits: { allowPrivate: true, maxFiles: 100, maxBytes: 1 << 20, maxTotal: 1 << 24 },
      sink: {
        file: async ({ bytes }: { bytes: Uint8Array }) => void given.push(Buffer.from(bytes).toString()),
        failed: (path: string, error: string) => assert.fail(`${path}: ${error}`),
      },
    } as unknown as Parameters<typeof giveRepository>[3],
    () => 0,
  );
  assert.match(note, /as of 2024-01-15, when 2\.0\.0 was published/);
  assert.deepEqual(
    given.map((text) => /first|second/.exec(text)?.[0]),
    ["first"],
  );
});

test("an unreachable repository leaves the package's own documents, and the next sync tries again", async () => {
  const home = newHome();
  const repository = new Repository(home, "late");
  repository.commit({ "docs/a.md": long("late") }, home);
  repository.git("tag", "v1.0.0");
  const web = await GitServer.start(join(home.home, "repos"));
  gitServers.push(web);
  publish("late", { "1.0.0": { metadata: { repository: `${web.origin}/missing` } } });
  const first = await home.run(docsAdd, { name: "late@1" });
  assert.equal(first.collection.complete, false);
  assert.deepEqual(await paths(home, "late@1"), ["README.md"]);
  assert.match(first.collection.package?.advice ?? "", /Run `dex docs sync` again/);
  publish("late", { "1.0.0": { metadata: { repository: `${web.origin}/late` } } });
  assert.equal((await home.run(docsSync, {})).complete, true);
  assert.deepEqual(await paths(home, "late@1"), ["README.md", "late/docs/a.md"]);
  rmSync(repository.folder, { recursive: true });
  publish("late", {
    "1.0.0": { metadata: { repository: `${web.origin}/late` } },
    "1.0.1": { metadata: { repository: `${web.origin}/late` } },
  });
  assert.equal((await home.run(docsSync, {})).complete, false);
  assert.deepEqual(await paths(home, "late@1"), ["README.md", "late/docs/a.md"], "earlier documents stay");
});

test("no repository is asked if the package ships enough, if settings forbid it, or if it is a local one", async () => {
  const home = newHome();
  const repository = new Repository(home, "private");
  repository.commit({ "docs/secret.md": long("secret") }, home);
  repository.git("tag", "v1.0.0");
  const web = await GitServer.start(join(home.home, "repos"));
  gitServers.push(web);
  const metadata = { repository: `${web.origin}/private` };
  publish("rich", {
    "1.0.0": { metadata, files: { "docs/a.md": long("a"), "docs/b.md": long("b"), "docs/c.md": long("c") } },
  });
  await home.run(docsAdd, { name: "rich@1" });
  publish("poor", { "1.0.0": { metadata } });
  const closed = await home.run(docsAdd, { name: "poor@1" }, { vars: { DEX_DOCS_REPOSITORIES: "false" } });
  assert.deepEqual([closed.collection.complete, closed.collection.package?.parts.length], [true, 1]);
  assert.deepEqual(web.asked, []);
  publish("thief", { "1.0.0": { metadata: { repository: `git+file://${repository.folder}` } } });
  const { collection } = await home.run(docsAdd, { name: "thief@1" });
  assert.deepEqual(await paths(home, "thief@1"), ["README.md"]);
  assert.match(collection.package?.advice ?? "", /If it is elsewhere, name that place/);
});

test("the pages of a homepage's llms.txt, if nothing else has documentation, for the latest version only", async () => {
  const home = newHome();
  server.set("/llms.txt", { body: `# Aviary\n\n- [Owls](${server.origin}/guide/owls.md)\n`, type: "text/plain" });
  server.set("/guide/owls.md", { body: long("owl"), type: "text/markdown" });
  const metadata = { homepage: `${server.origin}/#readme` };
  publish("aviary", { "1.0.0": { metadata }, "2.0.0": { metadata } });
  const { collection } = await home.run(docsAdd, { name: "aviary@2" });
  assert.deepEqual(
    collection.package?.parts.map(({ from, documents }) => [from, documents]),
    [
      ["package", 1],
      ["homepage", 1],
    ],
  );
  assert.ok((await paths(home, "aviary@2")).includes("homepage/guide/owls.md"));
  const old = await home.run(docsAdd, { name: "aviary@1" });
  assert.deepEqual(
    old.collection.package?.parts.map(({ from }) => from),
    ["package"],
  );
});

test("an API reference from declaration files, or from those of the @types package of the same version", async () => {
  const home = newHome({ DEX_DOCS_REPOSITORIES: "false" });
  const types = (animal: string): string =>
    `/** Feeds the ${animal} with fresh hay. */\nexport declare function feed(): void;\n`;
  publish("typed", { "1.0.0": { files: { "README.md": "# Typed\n\nShort.\n", "dist/index.d.ts": types("zebra") } } });
  publish("bare", { "1.2.0": {}, "2.0.0": {} });
  publish("@types/bare", {
    "1.2.7": { files: { "index.d.ts": types("giraffe") } },
    "2.0.1": { files: { "index.d.ts": types("rhino") } },
  });
  const own = await home.run(docsAdd, { name: "typed@1" });
  assert.deepEqual(
    own.collection.package?.parts.map(({ from, documents }) => [from, documents]),
    [
      ["package", 1],
      ["types", 1],
    ],
  );
  const [found] = (await home.run(docsSearch, { query: "feed zebra hay" })).results;
  assert.equal(found?.id, "typed@1:api/dist/index.md#api-of-typed-distindex/feed");
  const other = await home.run(docsAdd, { name: "bare@1" });
  assert.equal(other.collection.package?.parts[1]?.place, "npm:@types/bare@1.2.7");
  assert.match((await home.run(docsShow, { document: "bare@1:api/index.md" })).text, /giraffe/);
});

test("versions side by side: the one in the lock file is searched, another only by its name", async () => {
  const home = newHome({ DEX_DOCS_REPOSITORIES: "false" });
  const files = (keeper: string): Record<string, string> => ({
    "README.md": `# Feeding\n\nThe keeper ${keeper} feeds the animals.\n`,
  });
  publish("zoo", {
    "1.4.0": { files: files("Ada") },
    "1.5.0": { files: files("Bea") },
    "2.0.0": { files: files("Cleo") },
  });
  const lock = (version: string): string =>
    home.write("project/package-lock.json", JSON.stringify({ packages: { "node_modules/zoo": { version } } }));
  for (const name of ["zoo@1", "npm:zoo@^2.0"]) await home.run(docsAdd, { name });
  const keeper = async (collections: string[] = [], notices: string[] = []): Promise<string | undefined> => {
    const { results } = await home.run(docsSearch, { query: "keeper feeds", collections }, { notices });
    return results.map(({ snippet }) => /Ada|Bea|Cleo/.exec(snippet)?.[0]).join();
  };
  lock("1.4.0");
  const notices: string[] = [];
  assert.equal(await keeper([], notices), "Bea");
  assert.match(
    notices.join(),
    /Searched zoo@1, not zoo@2\.0: package-lock\.json has zoo 1\.4\.0; this is the nearest version here\./,
  );
  assert.equal(await keeper(["zoo"]), "Bea");
  assert.equal(await keeper(["zoo@2.0"]), "Cleo");
  assert.equal(await keeper(["zoo@1", "zoo@2.0"]).then((found) => found?.split(",").toSorted().join()), "Bea,Cleo");
  lock("2.0.0");
  assert.equal(await keeper(["zoo"]), "Cleo");
  assert.equal(await keeper(), "Cleo");
  const asked = await home.run(ask, { query: "Which keeper feeds the animals?", no_model: true });
  assert.match(asked.answer, /Cleo/);
  assert.doesNotMatch(asked.answer, /Bea/);
  const show = await home.run(docsShow, { document: "zoo@1:README.md" });
  assert.match(show.text, /Bea/);

  const { collections } = await home.run(docsList, {});
  assert.deepEqual(
    collections.map(({ name, version, source, chosen }) => [name, version, source, chosen?.reason]),
    [
      ["zoo@1", "1.5.0", "npm:zoo@1", undefined],
      ["zoo@2.0", "2.0.0", "npm:zoo@^2.0", "package-lock.json has zoo 2.0.0."],
    ],
  );
  await home.run(reindex, {});
  assert.equal((await home.run(docsList, {})).collections[0]?.version, "1.5.0", "a rebuilt index knows the version");

  publish("zoo", {
    "1.4.0": { files: files("Ada") },
    "1.6.0": { files: files("Dora") },
    "2.0.0": { files: files("Cleo") },
    "3.0.0": { files: files("Eve") },
  });
  const versions = (await home.run(docsSync, {})).collections.map(({ package: about }) => about?.version);
  assert.deepEqual(versions, ["1.6.0", "2.0.0"], "a range stays in its range");
});

test("without a version: the project's own, else the latest", async () => {
  const home = newHome({ DEX_DOCS_REPOSITORIES: "false" });
  publish("zoo", { "1.4.0": {}, "2.0.0": {} });
  const latest = await home.run(docsAdd, { name: "zoo" });
  assert.deepEqual(
    [latest.name, latest.collection.source, latest.collection.package?.version],
    ["zoo", "npm:zoo@latest", "2.0.0"],
  );
  home.write("project/yarn.lock", 'zoo@^1.0.0:\n  version "1.4.0"\n');
  const notices: string[] = [];
  const pinned = await home.run(docsAdd, { name: "zoo" }, { notices });
  assert.deepEqual([pinned.name, pinned.collection.source], ["zoo@1.4.0", "npm:zoo@1.4.0"]);
  assert.match(notices.join(), /yarn\.lock has zoo 1\.4\.0, so dex takes that version/);
  const hint = (expected: RegExp) => (error: unknown) =>
    error instanceof DexError && expected.test(`${error.message} ${error.hint}`);
  home.write("project/guide/a.md", "# A\n\nText.\n");
  await assert.rejects(home.run(docsAdd, { name: "guide" }), hint(/"guide" is a path here.*docs add \.\/guide/));
  await assert.rejects(home.run(docsAdd, { name: "pypi:flask@3" }), hint(/npm packages, not of pypi/));
  assert.equal((await home.run(docsAdd, { name: "./guide" })).name, "project");
  await assert.rejects(home.run(docsAdd, { name: "/" }), hint(/gives the collection no name/));
  await assert.rejects(home.run(docsAdd, { name: "zoo@9" }), hint(/zoo has no version 9/));
  await assert.rejects(home.run(docsAdd, { name: "../zoo" }), hint(/zoo/));
  await assert.rejects(home.run(docsAdd, { name: "a/../zoo" }), hint(/is not the name of an npm package/));
  await assert.rejects(
    home.run(docsAdd, { name: "a b", source: ["guide"] }),
    hint(/cannot be the name of a collection/),
  );
});
