import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answering, isSigned, Receiver, silent } from "../../../test/support/servers/receiver.ts";
import type { ResolveName } from "../../collections/net/lookup.ts";
import { BACKOFF_MS, backoffAfter } from "./backoff.ts";
import { targetLookup, webhookTarget } from "./targets.ts";
import { sendWebhook } from "./webhook.ts";

let receiver: Receiver;
before(async () => {
  receiver = await Receiver.start();
});
after(() => receiver.end());

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SECRET = "whsec_test";
const hook = (url: string) => ({
  url,
  secret: SECRET,
  deliveryId: "dlv_000000000001",
  subscriptionId: "sub_000000000001",
  attempt: 1,
  body: '{"id":"dlv_000000000001","text":"für dich"}',
});
const send = (url: string, options: { timeoutMs?: number; resolve?: ResolveName; allowHosts?: string[] } = {}) =>
  sendWebhook(hook(url), { allowHosts: [], now: () => NOW, ...options });

test("webhooks go to this machine, or to hosts named in the settings", () => {
  for (const url of ["http://localhost:3000/x", "http://127.0.0.1/", "https://[::1]:8443/a", "http://2130706433/"]) {
    assert.ok(webhookTarget(url, []).href, url);
  }
  const refused = (url: string, allowHosts: string[] = []): string => {
    try {
      webhookTarget(url, allowHosts);
      return "allowed";
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : "other";
    }
  };
  assert.equal(refused("https://hooks.example.com/x"), "foreign_webhook");
  assert.equal(refused("https://hooks.example.com/x", ["hooks.example.com"]), "allowed");
  assert.equal(refused("https://HOOKS.example.com./x", ["hooks.example.com"]), "allowed");
  assert.equal(refused("https://hooks.example.com/x", ["*.example.com"]), "allowed");
  assert.equal(refused("https://example.com.evil.org/x", ["*.example.com", "example.com"]), "foreign_webhook");
  assert.equal(refused("http://hooks.example.com/x", ["hooks.example.com"]), "plain_webhook");
  assert.equal(refused("https://10.0.0.1/x", ["10.0.0.1"]), "private_webhook");
  assert.equal(refused("https://169.254.169.254/latest", ["169.254.169.254"]), "private_webhook");
  assert.equal(refused("https://[::ffff:10.0.0.1]/x", ["::ffff:a00:1"]), "private_webhook");
  assert.equal(refused("http://localhost.evil.org/"), "foreign_webhook");
  assert.equal(refused("http://0.0.0.0/"), "foreign_webhook");
  assert.equal(refused("http://me:secret@localhost/"), "bad_webhook");
  assert.equal(refused("file:///etc/passwd"), "bad_webhook");
  assert.equal(refused("nonsense"), "bad_webhook");
});

test("a host is resolved once, and all its addresses must be allowed", async () => {
  const lookup = (url: string, addresses: { address: string; family: number }[]): Promise<string> =>
    new Promise((resolve) => {
      const ask = targetLookup(new URL(url), (_host, _options, done) => done(null, addresses));
      ask(new URL(url).hostname, { all: false }, (error, address) => resolve(error ? "refused" : String(address)));
    });
  const v4 = (address: string) => ({ address, family: 4 });
  assert.equal(await lookup("https://hooks.example.com", [v4("93.184.215.14")]), "93.184.215.14");
  assert.equal(await lookup("https://hooks.example.com", [v4("93.184.215.14"), v4("10.0.0.5")]), "refused");
  assert.equal(await lookup("https://hooks.example.com", [v4("127.0.0.1")]), "refused");
  assert.equal(await lookup("https://hooks.example.com", []), "refused");
  assert.equal(await lookup("http://localhost", [v4("127.0.0.1")]), "127.0.0.1");
  assert.equal(await lookup("http://localhost", [v4("192.168.1.4")]), "refused");
});

test("a delivery carries its id, its time and a signature over both", async () => {
  assert.deepEqual(await send(receiver.url), { ok: true });
  const got = receiver.received.at(-1);
  assert.ok(got);
  assert.equal(got.headers["x-dex-delivery"], "dlv_000000000001");
  assert.equal(got.headers["x-dex-event"], "context.suggestion");
  assert.equal(got.headers["x-dex-timestamp"], String(NOW / 1000));
  assert.equal(got.headers["content-type"], "application/json");
  assert.match(String(got.headers["user-agent"]), /^dex\//);
  assert.ok(isSigned(got, SECRET));
  assert.ok(!isSigned(got, "another"));
  assert.ok(!isSigned({ ...got, body: `${got.body} ` }, SECRET));
  assert.ok(!isSigned({ ...got, headers: { ...got.headers, "x-dex-timestamp": "1" } }, SECRET));
});

test("a failure is reported, and a redirect is never followed", async () => {
  const target = await Receiver.start();
  try {
    receiver.answer = answering(302, { location: target.url });
    assert.deepEqual(await send(receiver.url), { ok: false, error: "answered 302: redirects are not followed" });
    receiver.answer = answering(307, { location: "http://169.254.169.254/latest/meta-data" });
    assert.deepEqual(await send(receiver.url), { ok: false, error: "answered 307: redirects are not followed" });
    assert.equal(target.received.length, 0);
  } finally {
    await target.end();
  }
  receiver.answer = answering(500);
  assert.deepEqual(await send(receiver.url), { ok: false, error: "answered 500" });
  receiver.answer = answering(503, { "retry-after": "120" });
  assert.deepEqual(await send(receiver.url), { ok: false, error: "answered 503", retryAfterMs: 120_000 });
  receiver.answer = answering(410);
  assert.deepEqual(await send(receiver.url), {
    ok: false,
    error: "answered 410: it wants no more deliveries",
    final: true,
  });
  receiver.answer = silent;
  assert.deepEqual(await send(receiver.url, { timeoutMs: 50 }), { ok: false, error: "did not answer in time" });
  receiver.answer = answering(204);
  const down = await Receiver.start();
  await down.end();
  assert.deepEqual(await send(down.url), { ok: false, error: "cannot be reached: ECONNREFUSED" });
});

test("a host with a private address is never called", async () => {
  const before = receiver.received.length;
  const resolve: ResolveName = (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
  const outcome = await send(`https://hooks.example.com:${receiver.port}/`, {
    resolve,
    allowHosts: ["hooks.example.com"],
  });
  assert.deepEqual(outcome, {
    ok: false,
    error: "hooks.example.com resolves to 127.0.0.1, which webhooks may not call.",
  });
  assert.equal(receiver.received.length, before);
});

test("an endless answer counts as delivered", async () => {
  receiver.answer = (response) => {
    response.writeHead(200);
    const more = (): boolean => response.write("x".repeat(1 << 16));
    response.on("drain", more);
    more();
  };
  assert.deepEqual(await send(receiver.url), { ok: true });
  receiver.answer = answering(204);
});

test("backoff grows, gives up, and honours Retry-After within bounds", () => {
  assert.deepEqual(
    BACKOFF_MS.map((pause, i) => backoffAfter(i + 1, undefined, 0.5) === pause),
    BACKOFF_MS.map(() => true),
  );
  assert.equal(backoffAfter(BACKOFF_MS.length + 1, undefined, 0.5), undefined);
  assert.equal(backoffAfter(1, 60_000, 0.5), 60_000);
  assert.equal(backoffAfter(1, 10 ** 12, 0.5), 4 * 3_600_000);
  assert.equal(backoffAfter(1, undefined, 0), 800);
  assert.equal(backoffAfter(1, undefined, 1), 1200);
});
