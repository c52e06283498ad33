import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { HANG_MS } from "../../test/support/program/limits.ts";
import { between, pick, randomText, seeded } from "../../test/support/random.ts";
import { RequestFailure } from "../kernel/net/json_client.ts";
import { post } from "./post.ts";
import { StreamedReply, wholeReply } from "./wire.ts";

/** Serves the bytes in pieces of the given lengths. */
async function servedIn(
  bytes: Buffer,
  lengths: readonly number[],
  read: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    let at = 0;
    for (const length of lengths) {
      response.write(bytes.subarray(at, at + length));
      at += length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end(bytes.subarray(at));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    await read(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`);
  } finally {
    server.close();
  }
}

test("a stream is the same however its bytes arrive", async () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const random = seeded(seed);
    const pieces = Array.from({ length: between(random, 1, 12) }, () => randomText(random, between(random, 1, 6)));
    const newline = pick(random, ["\n", "\r\n"]);
    const events = pieces.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}`);
    const bytes = Buffer.from([...events, "data: [DONE]", ""].join(newline + newline));
    const lengths = Array.from({ length: 200 }, () => between(random, 1, 9));
    await servedIn(bytes, lengths, async (url) => {
      const heard: string[] = [];
      const request = { url, key: undefined, body: "{}", signal: AbortSignal.timeout(HANG_MS) };
      const reply = await post({ ...request, onText: (text) => void heard.push(text) });
      assert.equal(reply.text, pieces.join(""), `seed ${seed}`);
      assert.equal(heard.join(""), reply.text);
      assert.equal(reply.finish, "stop");
    });
  }
});

test("any response is parsed to an answer or to undefined, and never crashes", () => {
  const parts = [
    '{"choices":',
    "[",
    "]",
    "{}",
    '{"delta":',
    '{"message":',
    '"tool_calls":',
    "null",
    "1e999",
    '"index":-1,',
    "}",
    ",",
  ];
  for (let seed = 1; seed <= 2000; seed += 1) {
    const random = seeded(seed);
    const text = Array.from({ length: between(random, 0, 10) }, () => pick(random, parts)).join("");
    const streamed = new StreamedReply();
    streamed.line(`data: ${text}`);
    streamed.line(text);
    assert.equal(typeof streamed.reply().text, "string");
    const whole = wholeReply(text);
    assert.ok(whole === undefined || typeof whole.text === "string");
  }
  const odd = [
    '{"choices":[null]}',
    '{"choices":[{"message":{"content":[{"text":1},null],"tool_calls":[null,1,{}]}}]}',
  ];
  for (const text of odd) assert.equal(wholeReply(text)?.text, "");
  const many = new StreamedReply();
  for (let index = 0; index < 1000; index += 1) {
    many.line(
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index, function: { name: "f" } }] } }] })}`,
    );
  }
  assert.equal(many.reply().toolCalls.length, 128);
});

test("a stream that never ends a line is bounded", async () => {
  await servedIn(Buffer.alloc(17 << 20, "x"), [], async (url) => {
    const request = { url, key: undefined, body: "{}", signal: AbortSignal.timeout(HANG_MS) };
    await assert.rejects(post(request), (error) => error instanceof RequestFailure && error.kind === "too_large");
  });
});
