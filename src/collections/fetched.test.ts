/** Remote collections: repositories, npm packages, archives and manifests, from real ones made here. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { DocsHome } from "../../test/support/documents/docs_home.ts";
import { DocsServer } from "../../test/support/documents/docs_server.ts";
import { makeTar, makeZip } from "../../test/support/documents/packages.ts";
import { DexError } from "../kernel/errors.ts";
import { docsAdd } from "../operations/docs/collections/add.ts";
import { docsPack } from "../operations/docs/collections/pack.ts";
import { docsSync } from "../operations/docs/collections/sync.ts";
import { docsDocuments } from "../operations/docs/documents.ts";
import { docsSearch } from "../operations/docs/search.ts";
import { docsShow } from "../operations/docs/show.ts";
import { reindex } from "../operations/upkeep/reindex.ts";

let server: DocsServer;
before(async () => {
  server = await DocsServer.start();
});
after(async () => {
  await server.close();
});

function newHome(vars: Record<string, string> = {}): DocsHome {
  return new DocsHome({ DEX_DOCS_ALLOW_PRIVATE: "true", ...vars });
}

async function listed(home: DocsHome): Promise<Record<string, string>> {
  const { documents } = await home.run(docsDocuments, { limit: 100 });
  return Object.fromEntries(documents.map(({ document, title }) => [document, title]));
}

function code(expected: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof DexError, String(error));
    assert.equal(error.code, expected, error.message);
    return true;
  };
}

function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  const who = [
    "-c",
    "user.name=Sam",
    "-c",
    "user.email=sam@example.com",
    "-c",
    "init.defaultBranch=main",
    "-c",
    "commit.gpgsign=false",
  ];
  return execFileSync("git", [...who, "-C", folder, ...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

function commitAll(folder: string, message: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", message);
}

test("a git repository: a branch, a tag and a folder of it; its hooks and links have no effect; only new commits are fetched", async () => {
  const home = newHome();
  const repository = join(home.home, "repo");
  mkdirSync(repository);
  git(repository, "init", "-q");
  home.write("repo/README.md", "# Readme\n\nTop.\n");
  home.write("repo/docs/guide.md", "# Guide\n\nFirst edition.\n");
  home.write("repo/docs/img.png", Buffer.from([1, 2, 3]));
  execFileSync("ln", ["-s", "/etc/passwd", join(repository, "docs/leak.md")]);
  commitAll(repository, "one");
  git(repository, "tag", "-a", "v1", "-m", "v1");
  const url = `git+file://${repository}`;
  await home.run(docsAdd, { name: "all", source: [url] });
  assert.deepEqual(await listed(home), { "README.md": "Readme", "docs/guide.md": "Guide" });
  const again = await home.run(docsSync, {});
  assert.deepEqual([again.collections[0]?.unchanged, again.collections[0]?.bytes], [2, 0]);
  home.write("repo/docs/guide.md", "# Guide\n\nSecond edition.\n");
  home.write("repo/docs/more.md", "# More\n\nNew.\n");
  rmSync(join(repository, "README.md"));
  commitAll(repository, "two");
  const changed = (await home.run(docsSync, {})).collections[0];
  assert.deepEqual([changed?.added, changed?.changed, changed?.removed], [1, 1, 1]);
  await home.run(docsAdd, { name: "old", source: [url], ref: "v1", path: "docs" });
  const old = await home.run(docsShow, { document: "old:guide.md" });
  assert.match(old.text, /First edition/);
  const [location] = (await home.run(docsDocuments, { collections: ["old"] })).documents;
  assert.equal(location?.document, "guide.md");
  await assert.rejects(home.run(docsAdd, { name: "no", source: [`${url}#nosuchbranch`] }), code("git_failed"));
  await assert.rejects(
    home.run(docsAdd, { name: "no", source: [`git+file://${join(home.home, "missing")}`] }),
    /missing'? does not appear to be a git repository/,
  );
  await assert.rejects(
    home.run(docsAdd, { name: "no", source: ["git+ext::sh -c touch% /tmp/pwned"] }),
    code("bad_source"),
  );
  await assert.rejects(home.run(docsAdd, { name: "no", source: [`${url}#--upload-pack=touch`] }), code("bad_source"));
});

test("a manifest inside a git repository", async () => {
  const home = newHome();
  const repository = join(home.home, "repo");
  mkdirSync(repository);
  git(repository, "init", "-q");
  home.write(
    "repo/kit/manifest.json",
    JSON.stringify({ name: "kit", version: "1", sources: { glob: ["**/*.md", "!drafts/**"] } }),
  );
  home.write("repo/kit/a.md", "# A\n\nIn.\n");
  home.write("repo/kit/drafts/b.md", "# B\n\nOut.\n");
  home.write("repo/c.md", "# C\n\nOut.\n");
  commitAll(repository, "one");
  await home.run(docsAdd, { name: "kit", source: [`git+file://${repository}#main?manifest=kit/manifest.json`] });
  assert.deepEqual(await listed(home), { "a.md": "A" });
});

function publish(name: string, versions: Record<string, string>, wrong?: { integrity?: string }): void {
  const entries: Record<string, unknown> = {};
  for (const [version, text] of Object.entries(versions)) {
    const tarball = gzipSync(
      makeTar([
        { name: "package/package.json", content: "{}" },
        { name: "package/README.md", content: `# ${name} ${version}\n\n${text}\n` },
        { name: "package/docs/api.md", content: "# API\n\nCalls.\n" },
        { name: "package/LICENSE.md", content: "# MIT\n\nLicence.\n" },
        { name: "package/src/index.js", content: "1" },
      ]),
    );
    const path = `/registry/${name}/-/${version}.tgz`;
    server.set(path, { body: tarball, type: "application/octet-stream" });
    const integrity = wrong?.integrity ?? `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    entries[version] = { name, version, dist: { tarball: `${server.origin}${path}`, integrity } };
  }
  const latest = Object.keys(versions).at(-1);
  const listing = { name, "dist-tags": { latest, next: latest }, versions: entries };
  server.set(`/registry/${name.replace("/", "%2f")}`, { body: JSON.stringify(listing), type: "application/json" });
}

test("an npm package's own documents: the range picks the version, the checksum must fit", async () => {
  // The user chose the registry, so it may be at a private address without further settings.
  const home = newHome({ DEX_DOCS_ALLOW_PRIVATE: "false", DEX_DOCS_REGISTRY: `${server.origin}/registry` });
  publish("tiny", { "10.1.0": "Ten.", "11.0.0": "Eleven.", "11.2.0": "Eleven two.", "12.0.0": "Twelve." });
  await home.run(docsAdd, { name: "tiny", source: ["npm:tiny@11"] });
  assert.deepEqual(await listed(home), { "README.md": "tiny 11.2.0", "docs/api.md": "API" });
  const asked = server.asked.length;
  assert.equal((await home.run(docsSync, {})).collections[0]?.unchanged, 2);
  assert.equal(server.asked.length, asked + 1);
  publish("tiny", { "11.2.0": "Eleven two.", "11.3.0": "Eleven three." });
  const { collections } = await home.run(docsSync, {});
  assert.deepEqual([collections[0]?.changed, collections[0]?.unchanged], [1, 1]);
  publish("tiny", { "11.4.0": "Forged." }, { integrity: `sha512-${Buffer.alloc(64).toString("base64")}` });
  const forged = await home.run(docsSync, {});
  assert.match(forged.collections[0]?.error?.message ?? "", /checksum/);
  assert.equal((await listed(home))["README.md"], "tiny 11.3.0");
  await assert.rejects(home.run(docsAdd, { name: "no", source: ["npm:tiny@99"] }), code("npm_failed"));
  await assert.rejects(home.run(docsAdd, { name: "no", source: ["npm:nothere"] }), code("npm_failed"));
  await assert.rejects(home.run(docsAdd, { name: "no", source: ["npm:../../etc"] }), code("bad_source"));
});

test("the user's .npmrc names registry and key; the key goes there alone", async () => {
  const home = newHome({ DEX_DOCS_ALLOW_PRIVATE: "false", MY_TOKEN: "abc123" });
  publish("@acme/kit", { "1.0.0": "Kit." });
  const host = new URL(server.origin).host;
  const others = `registry=${server.origin}/public/\n`;
  home.write(
    ".npmrc",
    `${others}@acme:registry=${server.origin}/registry/\n//${host}/registry/:_authToken=\${MY_TOKEN}\n`,
  );
  await home.run(docsAdd, { name: "kit", source: ["npm:@acme/kit"] });
  assert.equal(server.requests.at(-1)?.headers.authorization, "Bearer abc123");
  // The other registry, which may have its types, does not learn its name.
  assert.ok(!server.requests.some(({ path }) => path.startsWith("/public/")));
  assert.equal((await listed(home))["README.md"], "@acme/kit 1.0.0");
});

test("a tar.gz and a zip, local or remote, fetched again only when they changed", async () => {
  const home = newHome();
  const files = [
    { name: "kit-1.0/a.md", content: "# A\n\nOne.\n" },
    { name: "kit-1.0/sub/b.md", content: "# B\n\nTwo.\n" },
  ];
  server.set("/kit.tar.gz", { body: gzipSync(makeTar(files)), type: "application/gzip" });
  await home.run(docsAdd, { name: "web", source: [`${server.origin}/kit.tar.gz`] });
  assert.deepEqual(await listed(home), { "a.md": "A", "sub/b.md": "B" });
  assert.equal((await home.run(docsSync, {})).collections[0]?.unchanged, 2);
  assert.equal(server.asked.at(-1), "/kit.tar.gz 304");
  const other = newHome();
  const zip = other.write("kit.zip", makeZip(files));
  await other.run(docsAdd, { name: "zip", source: [zip], global: true });
  assert.deepEqual(await listed(other), { "a.md": "A", "sub/b.md": "B" });
  writeFileSync(
    zip,
    makeZip([
      { name: "a.md", content: "# A2\n\nChanged.\n" },
      { name: "../evil.md", content: "x" },
    ]),
  );
  const { collections } = await other.run(docsSync, {});
  assert.equal(collections[0]?.error?.code, "bad_package");
  assert.deepEqual(await listed(other), { "a.md": "A", "sub/b.md": "B" });
});

test("fetched files are archived without secrets, and a reindex needs no network", async () => {
  const home = newHome();
  const secret = ["ghp", "_", "x7Kp2mQ9vR4tY8wZ1nB6cD3fG5hJ0kL2sA4e"].join("");
  const tar = gzipSync(makeTar([{ name: "a.md", content: `# Login\n\nThe token is ${secret} here.\n` }]));
  const path = home.write("kit.tgz", tar);
  const { collection } = await home.run(docsAdd, { name: "kit", source: [path], global: true });
  assert.ok(collection.redactions > 0);
  rmSync(path);
  rmSync(join(home.home, ".dex/documents.db"));
  assert.equal((await home.run(reindex, {})).documents, 1);
  const { text } = await home.run(docsShow, { document: "a.md" });
  assert.match(text, /\[REDACTED/);
  assert.equal(text.includes(secret), false);
  const [id = ""] = readdirSync(join(home.home, ".dex/archive/documents"));
  assert.match(id, /^[0-9a-f]{16}$/);
  // Fetching it now fails, and loses nothing.
  assert.equal((await home.run(docsSync, {})).collections[0]?.error?.code, "no_source");
  assert.equal((await home.run(docsSearch, { query: "token" })).total, 1);
});

test("a manifest on the web: files by path and address, hashes checked, a missing one keeps its earlier version", async () => {
  const home = newHome();
  const sha = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const page = (body: string) => ({ body, type: "text/markdown" });
  server.set("/m/a.md", page("# A\n\nOne.\n"));
  server.set("/m/b.md", page("# B\n\nTwo.\n"));
  const manifest = (files: unknown[]): void =>
    server.set("/m/manifest.json", {
      body: JSON.stringify({ name: "m", version: "1", sources: { files } }),
      type: "application/json",
    });
  manifest(["a.md", { path: "b.md", hash: sha("# B\n\nTwo.\n") }]);
  await home.run(docsAdd, { name: "m", source: [`${server.origin}/m/manifest.json`] });
  assert.deepEqual(await listed(home), { "a.md": "A", "b.md": "B" });
  server.set("/m/a.md", page("# A\n\nThree.\n"));
  server.set("/m/b.md", page("# B\n\nForged.\n"));
  const second = (await home.run(docsSync, {})).collections[0];
  assert.deepEqual([second?.complete, second?.changed, second?.failed.length], [false, 1, 1]);
  assert.match((await home.run(docsShow, { document: "b.md" })).text, /Two/);
  server.set("/m/b.md", { status: 500 });
  const third = (await home.run(docsSync, {})).collections[0];
  assert.match(third?.failed[0]?.error ?? "", /500/);
  assert.match((await home.run(docsShow, { document: "b.md" })).text, /Two/);
  manifest(["a.md", "../../etc/passwd"]);
  assert.equal((await home.run(docsSync, {})).collections[0]?.error?.code, "bad_manifest");
});

test("a pack can be added, and has the same bytes each time", async () => {
  const home = newHome();
  home.write("project/docs/a.md", "# A\n\nOne.\n");
  home.write(`project/docs/${"deep/".repeat(30)}b.md`, "# B\n\nTwo.\n");
  home.write("project/docs/code.ts", "1");
  const first = await home.run(docsPack, { folder: "docs", name: "kit", version: "2.0.0" });
  assert.equal(first.file, join(home.project, "kit-2.0.0.tar.gz"));
  const second = await home.run(docsPack, { folder: "docs", name: "kit", version: "2.0.0", output: "again.tgz" });
  assert.deepEqual(readFileSync(first.file), readFileSync(second.file));
  const other = newHome();
  await other.run(docsAdd, { name: "kit", source: [first.file], global: true });
  assert.deepEqual(await listed(other), { "a.md": "A", [`${"deep/".repeat(30)}b.md`]: "B" });
  // The system's tar can read it too.
  const names = execFileSync("tar", ["-tzf", first.file], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(names.toSorted(), ["a.md", `${"deep/".repeat(30)}b.md`, "manifest.json"]);
});
