import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { HANG_MS } from "../../../test/support/program/limits.ts";
import { serving } from "../../../test/support/program/running.ts";
import { postJson, RequestFailure, retrying, sendsKeyUnencrypted, withoutKey } from "./json_client.ts";

const KEY = "sk-test-1234567890";

test("a key is sent only over https, or over http to this machine", () => {
  const cases: [url: string, leaks: boolean][] = [
    ["https://models.example.com/v1", false],
    ["HTTPS://models.example.com/v1", false],
    ["http://127.0.0.1:1/v1", false],
    ["http://127.8.9.1/v1", false],
    ["http://[::1]:1/v1", false],
    ["http://localhost:1/v1", false],
    ["http://models.example.com/v1", true],
    ["http://localhost.example.com/v1", true],
    ["http://127.0.0.1.example.com/v1", true],
    ["http://127.0.0.1@example.com/v1", true],
    ["http://192.168.1.5/v1", true],
    ["http://10.0.0.1/v1", true],
    ["http://0.0.0.0/v1", true],
    ["http://[fe80::1]/v1", true],
    ["ftp://models.example.com/v1", true],
  ];
  for (const [url, leaks] of cases) {
    assert.equal(sendsKeyUnencrypted(url, KEY), leaks, url);
    assert.equal(sendsKeyUnencrypted(url, undefined), false, url);
    assert.equal(sendsKeyUnencrypted(url, ""), false, url);
  }
});

async function listening(host: string, seen: (string | undefined)[]): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    request.resume();
    response.end("{}");
  });
  await new Promise<void>((resolve) => serving(server).listen(0, host, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

test("a server on another address of this machine never sees the key over http", async (context) => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal)?.address;
  if (own === undefined) return context.skip("this machine has no address but the loopback one");
  const seen: (string | undefined)[] = [];
  const { server, port } = await listening(own, seen);
  try {
    const request = { url: `http://${own}:${port}/`, body: "{}", signal: AbortSignal.timeout(HANG_MS) };
    await assert.rejects(
      postJson({ ...request, key: KEY }),
      (error) => error instanceof RequestFailure && error.kind === "unencrypted" && !error.again,
    );
    assert.deepEqual(seen, [], "the server was not asked at all");
    await postJson({ ...request, key: undefined });
    assert.deepEqual(seen, [undefined]);
  } finally {
    server.close();
  }
});

test("retries end at the deadline, at a permanent failure, and when the caller cancels", async () => {
  const signal = new AbortController().signal;
  let tries = 0;
  const busy = (): Promise<never> => {
    tries += 1;
    return Promise.reject(new RequestFailure("busy", "busy", { again: true }));
  };
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  await assert.rejects(retrying(busy, { waitsMs: [1, 2], signal, sleep }), /busy/);
  assert.deepEqual([tries, waits], [3, [1, 2]]);
  tries = 0;
  await assert.rejects(retrying(busy, { waitsMs: [1], signal, sleep, endsAt: performance.now() - 10 }), /busy/);
  assert.equal(tries, 1);
  const gone = AbortSignal.abort();
  await assert.rejects(retrying(busy, { waitsMs: [1], signal: gone, sleep }), { name: "AbortError" });
  assert.equal(tries, 1);
});

test("a key that a service repeats is hidden", () => {
  assert.equal(withoutKey(`no such key: ${KEY}`, KEY), "no such key: …");
  assert.equal(withoutKey("text", undefined), "text");
  assert.equal(withoutKey("answered text/html", "x"), "answered text/html");
});
