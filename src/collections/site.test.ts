/** Collections of web sites, from a real server: how pages are found, refreshed and refused. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { DocsHome } from "../../test/support/documents/docs_home.ts";
import { DocsServer } from "../../test/support/documents/docs_server.ts";
import { DexError } from "../kernel/errors.ts";
import { docsAdd } from "../operations/docs/collections/add.ts";
import { docsSync } from "../operations/docs/collections/sync.ts";
import { docsDocuments } from "../operations/docs/documents.ts";
import { docsShow } from "../operations/docs/show.ts";

let server: DocsServer;
beforeEach(async () => {
  server = await DocsServer.start();
});
afterEach(() => server.close());

function newHome(vars: Record<string, string> = {}): DocsHome {
  return new DocsHome({ DEX_DOCS_ALLOW_PRIVATE: "127.0.0.1", ...vars });
}

function html(title: string, ...links: string[]): string {
  const anchors = links.map((link) => `<a href="${link}">next</a>`).join(" ");
  return `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>Words of ${title}.</p>${anchors}</body></html>`;
}

async function listed(home: DocsHome): Promise<string[]> {
  return (await home.run(docsDocuments, { limit: 100 })).documents.map(({ document }) => document);
}

test("links inside one prefix are followed; robots.txt is obeyed; nothing else is asked for", async () => {
  const home = newHome();
  server.set("/robots.txt", { body: "User-agent: *\nDisallow: /docs/secret\n", type: "text/plain" });
  server.set(
    "/docs/",
    html(
      "Start",
      "a",
      "sub/b.html?x=1#y",
      "../blog/",
      "secret/x",
      "https://elsewhere.invalid/docs/",
      "logo.png",
      "mailto:a@b.c",
    ),
  );
  server.set("/docs/a", html("A", "/docs/", "a#top"));
  server.set("/docs/sub/b.html", html("B", "../gone"));
  server.set("/blog/", html("Blog"));
  server.set("/docs/secret/x", html("Secret"));
  const { collection } = await home.run(docsAdd, { name: "site", source: [`${server.origin}/docs/`] });
  assert.equal(collection.complete, true);
  assert.deepEqual(await listed(home), ["a.html", "index.html", "sub/b.html"]);
  assert.equal(
    server.asked.some((line) => /secret|blog|logo/.test(line)),
    false,
  );
  assert.match(server.requests[0]?.headers["user-agent"] ?? "", /^dex\//);
});

test("a second sync asks only whether pages changed; a page that fails keeps its earlier version; one that is gone goes", async () => {
  const home = newHome();
  server.set("/", html("Start", "/a", "/b", "/c"));
  for (const name of ["a", "b", "c"]) server.set(`/${name}`, html(name));
  await home.run(docsAdd, { name: "site", source: [`${server.origin}/`] });
  server.asked.length = 0;
  const second = (await home.run(docsSync, {})).collections[0];
  assert.deepEqual([second?.unchanged, second?.complete], [4, true]);
  assert.deepEqual(server.asked.filter((line) => line.endsWith("304")).toSorted(), [
    "/ 304",
    "/a 304",
    "/b 304",
    "/c 304",
  ]);
  server.set("/a", html("a, edited"));
  server.set("/b", { status: 500, body: "oops" });
  server.pages.delete("/c");
  const third = (await home.run(docsSync, {})).collections[0];
  assert.deepEqual([third?.changed, third?.removed, third?.failed.length, third?.complete], [1, 1, 1, false]);
  assert.deepEqual(await listed(home), ["a.html", "b.html", "index.html"]);
  server.set("/b", { body: "<h1>half of b", torn: true });
  const fourth = (await home.run(docsSync, {})).collections[0];
  assert.equal(fourth?.failed[0]?.path, "b.html");
  assert.match((await home.run(docsShow, { document: "b.html" })).text, /Words of b/);
});

test("llms.txt first, then the sitemap", async () => {
  const home = newHome();
  server.set("/docs/llms.txt", {
    body: "# Kit\n\n- [One](one.md): the first\n- [Two](/docs/two.md)\n- [Away](https://elsewhere.invalid/x)\n",
    type: "text/plain",
  });
  server.set("/docs/one.md", { body: "# One\n\nText.\n", type: "text/markdown" });
  server.set("/docs/two.md", { body: "# Two\n\nText.\n", type: "text/plain" });
  server.set("/docs/three.html", html("Three"));
  await home.run(docsAdd, { name: "llms", source: [`${server.origin}/docs/`] });
  assert.deepEqual(await listed(home), ["one.md", "two.md"]);
  const other = newHome();
  server.pages.delete("/docs/llms.txt");
  server.set("/sitemap.xml", {
    body: `<sitemapindex><sitemap><loc>${server.origin}/s2.xml</loc></sitemap></sitemapindex>`,
    type: "application/xml",
  });
  server.set("/s2.xml", {
    body: `<urlset><url><loc>${server.origin}/docs/three.html</loc></url><url><loc>${server.origin}/blog/x</loc></url></urlset>`,
    type: "application/xml",
  });
  await other.run(docsAdd, { name: "map", source: [`${server.origin}/docs/`, "!one*"] });
  assert.deepEqual(await listed(other), ["three.html"]);
});

test("a sitemap that is packed, as a file and as the server says; a broken one lists nothing", async () => {
  const home = newHome();
  const map = `<urlset><url><loc>${server.origin}/docs/three.html</loc></url></urlset>`;
  server.set("/docs/three.html", html("Three"));
  server.set("/docs/four.html", html("Four"));
  server.set("/docs/sitemap.xml.gz", { body: gzipSync(map), type: "application/gzip" });
  await home.run(docsAdd, { name: "packed", source: [`${server.origin}/docs/sitemap.xml.gz`] });
  assert.deepEqual(await listed(home), ["three.html"]);
  const other = newHome();
  server.set("/robots.txt", { body: `Sitemap: ${server.origin}/all.xml.gz\n`, type: "text/plain" });
  server.set("/all.xml.gz", {
    body: gzipSync(gzipSync(map)),
    type: "application/xml",
    headers: { "content-encoding": "gzip" },
  });
  await other.run(docsAdd, { name: "twice", source: [`${server.origin}/docs/`] });
  assert.deepEqual(await listed(other), ["three.html"]);
  const third = newHome();
  server.set("/all.xml.gz", { body: gzipSync(map).subarray(0, 20), type: "application/gzip" });
  server.set("/docs/", html("Start", "four.html"));
  await third.run(docsAdd, { name: "broken", source: [`${server.origin}/docs/`] });
  assert.deepEqual(await listed(third), ["four.html", "index.html"]);
});

test("pages that change, vanish or break off while a site is synced: each is whole or as it was", async () => {
  const home = newHome();
  server.set("/docs/", html("Start", "a", "b", "c"));
  for (const name of ["a", "b", "c"]) server.set(`/docs/${name}`, html(`First ${name}`));
  await home.run(docsAdd, { name: "site", source: [`${server.origin}/docs/`] });
  // As soon as the first page is asked for, the others are other ones.
  server.set("/docs/", html("Start again", "a", "b", "c"));
  server.onAsked = (path) => {
    if (path !== "/docs/") return;
    server.set("/docs/a", html("Second a"));
    server.set("/docs/b", { body: html("Second b"), torn: true });
    server.pages.delete("/docs/c");
  };
  const { complete, collections } = await home.run(docsSync, {});
  assert.equal(complete, false);
  assert.deepEqual(
    collections[0]?.failed.map(({ path }) => path),
    ["b.html"],
  );
  assert.match((await home.run(docsShow, { document: "a.html" })).text, /Second a/);
  assert.match((await home.run(docsShow, { document: "b.html" })).text, /First b/);
  assert.deepEqual(await listed(home), ["a.html", "b.html", "index.html"]);
  server.onAsked = undefined;
  server.set("/docs/b", html("Second b"));
  const again = await home.run(docsSync, {});
  assert.deepEqual([again.complete, again.collections[0]?.changed], [true, 1]);
});

test("more pages than allowed: the fetched ones are stored, and the sync is not complete", async () => {
  const home = newHome({ DEX_DOCS_MAX_PAGES: "3" });
  server.set("/", html("Start", ...Array.from({ length: 10 }, (_, i) => `/p${i}`)));
  for (let i = 0; i < 10; i += 1) server.set(`/p${i}`, html(`P${i}`));
  const { collection } = await home.run(docsAdd, { name: "site", source: [`${server.origin}/`] });
  assert.deepEqual([collection.added, collection.complete], [3, false]);
  assert.match(collection.failed[0]?.error ?? "", /more than 3 pages/);
});

test("addresses that are not public are refused, also behind a redirect and behind a name", async () => {
  const closed = newHome({ DEX_DOCS_ALLOW_PRIVATE: "false" });
  const port = new URL(server.origin).port;
  server.set("/", html("Start"));
  for (const host of [
    "127.0.0.1",
    "localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
    "169.254.169.254",
    "0.0.0.0",
  ]) {
    await assert.rejects(
      closed.run(docsAdd, { name: "x", source: [`http://${host}:${port}/`] }),
      (error) => error instanceof DexError && error.code === "private_address" && /allowPrivate/.test(error.hint ?? ""),
      host,
    );
  }
  assert.equal(server.asked.length, 0);
  // One host is allowed; a page of it that leads to another is not followed there.
  const home = newHome();
  server.set("/", html("Start", "/meta", "/local"));
  server.set("/meta", { status: 302, location: "http://169.254.169.254/latest/meta-data/" });
  server.set("/local", { status: 302, location: `http://localhost:${port}/secret` });
  server.set("/secret", html("Secret"));
  const { collection } = await home.run(docsAdd, { name: "site", source: [`${server.origin}/`] });
  assert.equal(collection.complete, false);
  assert.deepEqual(collection.failed.map(({ path }) => path).toSorted(), ["local", "meta"]);
  for (const { error } of collection.failed) assert.match(error, /not a public address/);
  assert.equal(
    server.asked.some((line) => line.startsWith("/secret")),
    false,
  );
});

test("endless redirects, huge and compressed pages end in a sentence", async () => {
  const home = newHome();
  const { gzipSync } = await import("node:zlib");
  server.set("/", html("Start", "/loop", "/bomb", "/fine"));
  server.set("/loop", { status: 302, location: "/loop" });
  server.set("/bomb", { body: gzipSync(Buffer.alloc(80 << 20)), headers: { "content-encoding": "gzip" } });
  server.set("/fine", { body: gzipSync(html("Fine")), headers: { "content-encoding": "gzip" } });
  const { collection } = await home.run(docsAdd, { name: "site", source: [`${server.origin}/`] });
  const errors = Object.fromEntries(collection.failed.map(({ path, error }) => [path, error]));
  assert.match(errors.loop ?? "", /redirects more than/);
  assert.match(errors.bomb ?? "", /larger than/);
  assert.deepEqual(await listed(home), ["fine.html", "index.html"]);
});

test("a site that cannot be reached, or whose robots.txt fails, changes nothing", async () => {
  const home = newHome();
  server.set("/", html("Start"));
  await home.run(docsAdd, { name: "site", source: [`${server.origin}/`] });
  server.set("/robots.txt", { status: 503, headers: { "retry-after": "60" } });
  const refused = (await home.run(docsSync, {})).collections[0];
  assert.equal(refused?.error?.code, "no_source");
  assert.deepEqual(await listed(home), ["index.html"]);
  await server.close();
  const away = (await home.run(docsSync, {})).collections[0];
  assert.equal(away?.error?.code, "unreachable");
  assert.deepEqual(await listed(home), ["index.html"]);
  server = await DocsServer.start();
});
