import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { DexError } from "../../kernel/errors.ts";
import { getWeb } from "./fetch.ts";
import { proxyFor } from "./proxy.ts";

const PROXY = "http://proxy.example:3128";

test("which addresses go through the proxy", () => {
  const vars = {
    HTTP_PROXY: PROXY,
    https_proxy: PROXY,
    NO_PROXY: "internal.example, .corp.example *.lan:8080,10.0.0.1",
  };
  const through = (address: string): boolean => proxyFor(new URL(address), vars) === PROXY;
  assert.equal(through("https://docs.example/"), true);
  assert.equal(through("http://docs.example/"), true);
  assert.equal(through("http://internal.example/"), false);
  assert.equal(through("http://a.internal.example/"), false);
  assert.equal(through("http://notinternal.example/"), true);
  assert.equal(through("http://x.corp.example/"), false);
  assert.equal(through("http://x.lan:8080/"), false);
  assert.equal(through("http://x.lan/"), true);
  assert.equal(through("http://10.0.0.1/"), false);
  assert.equal(proxyFor(new URL("https://a.example"), { HTTP_PROXY: PROXY }), undefined);
  assert.equal(proxyFor(new URL("http://a.example"), { HTTP_PROXY: PROXY, NO_PROXY: "*" }), undefined);
  assert.equal(proxyFor(new URL("http://a.example"), { HTTP_PROXY: "socks5://proxy.example" }), undefined);
  assert.equal(proxyFor(new URL("http://a.example"), {}), undefined);
});

test("a page behind a proxy; addresses that are not public are refused behind it, too", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("# Through the proxy\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limits = { allowPrivate: false, maxBytes: 1000, timeoutMs: 5000, proxyVars: { HTTP_PROXY: proxy } } as const;
  try {
    const answer = await getWeb("http://docs.invalid/a.md", limits);
    assert.equal(answer.bytes.toString(), "# Through the proxy\n");
    assert.deepEqual(asked, ["http://docs.invalid/a.md"]);
    for (const address of ["http://169.254.169.254/latest/", "http://127.0.0.1/", "http://localhost/"]) {
      await assert.rejects(
        getWeb(address, limits),
        (error) => error instanceof DexError && error.code === "private_address",
      );
    }
    assert.equal(asked.length, 1);
    await assert.rejects(
      getWeb("http://docs.invalid/a.md", { ...limits, proxyVars: { HTTP_PROXY: proxy, NO_PROXY: "invalid" } }),
      (error) => error instanceof DexError && error.code === "unreachable",
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
