/** The scripted model itself: a client test must not pass or fail for its faults. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asArray, asObject } from "../src/kernel/json.ts";
import { type ModelScript, offeredTools, startModelServer, toolResults } from "./support/model_server.ts";

const TOOL = { type: "function", function: { name: "look", parameters: {} } };

test("a script answers from the tool result in the request, whole and streamed", async () => {
  const script: ModelScript = (request) => {
    const [result] = toolResults(request);
    if (result !== undefined) return { text: `It is ${result}.`, usage: { input: 12, output: 3 } };
    return { toolCalls: [{ name: offeredTools(request)[0] ?? "none", arguments: { at: 1 } }] };
  };
  const server = await startModelServer(script);
  try {
    const first = asObject(await (await post(server.url, { tools: [TOOL], messages: [] })).json());
    const message = asObject(asObject(asArray(first.choices)[0]).message);
    assert.equal(asObject(asObject(asArray(message.tool_calls)[0]).function).name, "look");

    const messages = [{ role: "tool", content: "42" }];
    const options = { stream: true, stream_options: { include_usage: true } };
    const streamed = await (await post(server.url, { messages, ...options })).text();
    const chunks = streamed.split("\n\n").filter((line) => line.startsWith("data: {"));
    const deltas = chunks.map((line) => asObject(asArray(asObject(JSON.parse(line.slice(6))).choices)[0]));
    assert.equal(deltas.map((choice) => asObject(choice.delta).content ?? "").join(""), "It is 42.");
    assert.match(streamed, /"total_tokens":15/);
    assert.match(streamed, /data: \[DONE\]\n\n$/);
    assert.equal(server.requests.length, 2);
  } finally {
    await server.close();
  }
});

test("failures: a status with a header, a broken body, a cut connection", async () => {
  const replies = [
    { status: 429, headers: { "retry-after": "1" }, text: "slow down" },
    { raw: "{not json" },
    { text: "long ".repeat(100), cutAfter: 20 },
  ];
  const server = await startModelServer((_, n) => replies[n] ?? {});
  try {
    const refused = await post(server.url, { messages: [] });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.equal(await (await post(server.url, { messages: [] })).text(), "{not json");
    await assert.rejects(async () => (await post(server.url, { messages: [] })).text());
  } finally {
    await server.close();
  }
});

function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
}
