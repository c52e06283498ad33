import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { asArray, asObject, type JsonObject, parseJson } from "../kernel/json.ts";
import { openEndpoint } from "./endpoint.ts";

interface Seen {
  url: string;
  headers: IncomingMessage["headers"];
  body: JsonObject;
}

type Answer = (seen: Seen, response: ServerResponse, count: number) => void;

/** A service on this machine; `answer` gets each request and how many came before it. */
async function serve(context: TestContext, answer: Answer): Promise<{ url: string; requests: Seen[] }> {
  const requests: Seen[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const seen = { url: request.url ?? "", headers: request.headers, body: asObject(parseJson(text)) };
    requests.push(seen);
    answer(seen, response, requests.length - 1);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests };
}

/** A vector that identifies its text: length and first character. */
function vectorOf(text: unknown): number[] {
  const string = String(text);
  return [string.length, string.charCodeAt(0), 3, 4];
}

function embedInput({ body }: Seen, response: ServerResponse): void {
  const data = asArray(body.input).map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
  // In a different order: the index counts.
  response.end(JSON.stringify({ object: "list", data: data.reverse(), model: body.model }));
}

const QUICK = { model: "m", firstBackoffMs: 1 };

test("texts come back as unit vectors in their order, in bounded requests", async (context) => {
  const { url, requests } = await serve(context, embedInput);
  const provider = await openEndpoint({ ...QUICK, url, key: "k-123" });
  assert.equal(provider.dims, 4);
  assert.equal(provider.name, "endpoint:m");
  const texts = Array.from({ length: 150 }, (_, i) => (i === 7 ? " \n" : `${"x".repeat(i + 1)}`));
  const vectors = await provider.embed(texts);
  assert.equal(vectors.length, 150);
  for (const [i, text] of texts.entries()) {
    const vector = vectors[i];
    if (i === 7) assert.equal(vector, undefined, "nothing to embed");
    if (!vector) continue;
    const exact = vectorOf(text);
    const length = Math.hypot(...exact);
    for (const [k, value] of exact.entries()) assert.ok(Math.abs((vector[k] ?? 0) - value / length) < 1e-6);
  }
  assert.equal(requests.length, 1 + 3, "one to measure, three for 149 texts");
  assert.equal(requests[0]?.url, "/v1/embeddings");
  assert.equal(requests[0]?.headers.authorization, "Bearer k-123");
  assert.equal(requests[0]?.body.dimensions, undefined);
});

test("long texts are truncated, large batches split, broken characters repaired", async (context) => {
  const { url, requests } = await serve(context, embedInput);
  const provider = await openEndpoint({ ...QUICK, url: `${url}/embeddings`, dims: 4 });
  await provider.embed([...Array.from({ length: 60 }, () => "y".repeat(1_000_000)), "a\ud800b"]);
  const sizes = requests.map(({ body }) => asArray(body.input).reduce<number>((sum, t) => sum + String(t).length, 0));
  assert.ok(requests.length > 1 && sizes.every((size) => size <= 200_000));
  assert.equal(requests[0]?.url, "/v1/embeddings");
  assert.equal(requests[0]?.body.dimensions, 4);
  assert.equal(asArray(requests.at(-1)?.body.input).at(-1), "a\ufffdb");
});

test("a busy service is retried after the time it states", async (context) => {
  const { url, requests } = await serve(context, (seen, response, count) => {
    if (count === 0) return response.writeHead(429, { "retry-after": "0" }).end();
    if (count === 1) return response.writeHead(503).end("busy");
    if (count === 2) return response.destroy();
    return embedInput(seen, response);
  });
  const provider = await openEndpoint({ ...QUICK, url, dims: 4 });
  assert.ok((await provider.embed(["one"]))[0]);
  assert.equal(requests.length, 4);
});

test("after five attempts, or a requested wait of more than a minute, it fails with the service's message", async (context) => {
  const busy = await serve(context, (_, response) => response.writeHead(500).end("out of\u001b[31m memory"));
  const provider = await openEndpoint({ ...QUICK, url: busy.url, dims: 4 });
  await assert.rejects(provider.embed(["one"]), {
    code: "embedding_endpoint",
    message: /answered 500: out of memory$/,
  });
  assert.equal(busy.requests.length, 5);
  const later = await serve(context, (_, response) => response.writeHead(429, { "retry-after": "3600" }).end());
  await assert.rejects(openEndpoint({ ...QUICK, url: later.url }), /answered 429/);
  assert.equal(later.requests.length, 1);
});

test("permanent errors are not retried, and the key is not repeated", async (context) => {
  const statuses: [number, RegExp][] = [
    [400, /embedding\.model/],
    [401, /DEX_EMBEDDING_API_KEY/],
    [404, /has the model m/],
  ];
  for (const [status, hint] of statuses) {
    const { url, requests } = await serve(context, (_, response) =>
      response.writeHead(status).end("the key sk-secret-1 is not known"),
    );
    await assert.rejects(openEndpoint({ ...QUICK, url, key: "sk-secret-1" }), (error: Error & { hint?: string }) => {
      assert.match(error.message, new RegExp(`answered ${status}: the key … is`));
      assert.match(error.hint ?? "", hint);
      return true;
    });
    assert.equal(requests.length, 1);
  }
});

test("a redirect is refused, and the other address gets no request", async (context) => {
  const other = await serve(context, embedInput);
  const { url } = await serve(context, (_, response) =>
    response.writeHead(307, { location: `${other.url}/embeddings` }).end(),
  );
  await assert.rejects(openEndpoint({ ...QUICK, url }), /answered with a redirect \(307\), which is not followed/);
  assert.equal(other.requests.length, 0);
});

test("an answer that does not match the request is refused", async (context) => {
  const wrong: [unknown, RegExp][] = [
    ["no json", /0 vectors for 1/],
    [{ data: [] }, /0 vectors for 1/],
    [{ data: [{ index: 5, embedding: [1] }] }, /do not match/],
    [{ data: [{ index: 0, embedding: [] }] }, /0 dimensions/],
    [{ data: [{ index: 0, embedding: [1, "x"] }] }, /something other than numbers/],
    [{ data: [{ index: 0, embedding: "AAAA" }] }, /as text/],
    [{ data: [{ index: 0, embedding: new Array(5000).fill(1) }] }, /5000 dimensions/],
    [{ data: [{ index: 0, embedding: [0, 0] }] }, /zeros/],
  ];
  for (const [body, message] of wrong) {
    const { url } = await serve(context, (_, response) => response.end(JSON.stringify(body)));
    await assert.rejects(openEndpoint({ ...QUICK, url }), { code: "embedding_endpoint", message });
  }
  const { url } = await serve(context, embedInput);
  const provider = await openEndpoint({ ...QUICK, url, dims: 8 });
  await assert.rejects(provider.embed(["x"]), /4 dimensions for m, not 8/);
});

test("a service that times out or is unreachable is named", async (context) => {
  const silent = await serve(context, () => {});
  await assert.rejects(openEndpoint({ ...QUICK, url: silent.url, timeoutMs: 20 }), /no answer in 0\.02 s/);
  await assert.rejects(openEndpoint({ ...QUICK, url: "http://127.0.0.1:1/v1" }), /127\.0\.0\.1:1 cannot be reached/);
});

test("the caller can abort it", async (context) => {
  const { url } = await serve(context, () => {});
  const provider = await openEndpoint({ ...QUICK, url, dims: 4 });
  const controller = new AbortController();
  const running = provider.embed(["x"], controller.signal);
  controller.abort();
  await assert.rejects(running, { name: "AbortError" });
});

test("addresses that would expose the key are refused", async () => {
  const options = { ...QUICK, key: "k", dims: 4 };
  await assert.rejects(openEndpoint({ ...options, url: "http://models.example.com/v1" }), /unencrypted/);
  await assert.rejects(openEndpoint({ ...options, url: "https://me:pass@models.example.com/v1" }), /password/);
  await assert.rejects(openEndpoint({ ...options, url: "file:///etc/passwd" }), /not a web address/);
});
