import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { pathOf } from "../serving/gate.ts";
import { pagePart } from "./assets.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-page-"));
const access = { origin: "", tokens: ["x".repeat(40)] };
const part = pagePart(access, pathToFileURL(`${folder}/`));
let server: Server;

before(async () => {
  server = createServer((request, response) => {
    if (part.owns(pathOf(request))) void part.serve(request, response, new AbortController().signal);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  access.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string): Promise<Response> => fetch(access.origin + path);

test("without a page, the server says so; with one, exactly the files of the manifest are served", async () => {
  const missing = await get("/");
  assert.equal(missing.status, 503);
  assert.match(await missing.text(), /dist\/web is missing/);
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "main-ABCD1234.js"), "export {};");
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "manifest.json"), '{"files": ["index.html", "main-ABCD1234.js"]}');
  for (const path of ["/", "/c/abc/12", "/code/src/a.b.ts", "/settings?x=1"]) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/, path);
    assert.equal(page.headers.get("cache-control"), "no-cache");
  }
  const script = await get("/assets/main-ABCD1234.js");
  assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/);
  assert.match(script.headers.get("cache-control") ?? "", /immutable/);
  for (const path of [
    "/assets/secret.txt",
    "/assets/manifest.json",
    "/assets/../secret.txt",
    "/assets/%2e%2e/a",
    "/x",
  ]) {
    assert.equal((await get(path)).status, 404, path);
  }
  assert.equal((await fetch(`${access.origin}/`, { method: "POST" })).status, 405);
});

test("at a path of no part a browser gets the page, which says so, and a program gets an error", async () => {
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await fetch(`${access.origin}/nowhere`, { headers });
  assert.equal(page.status, 404);
  assert.equal(await page.text(), "<!doctype html>");
  const answer = await get("/nowhere");
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /There is nothing at this path.*the API is at \/api/s);
});

test("the page may load and reach nothing but this server", async () => {
  const { headers } = await get("/");
  assert.equal(
    headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
  assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
});
