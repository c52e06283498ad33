/** The scripted model itself: a client test must not pass or fail for its faults. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asArray, asObject } from "../../../src/kernel/json.ts";
import { type ModelScript, offeredTools, startModelServer, toolResults } from "./model_server.ts";

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

test("the protocols of Claude Code and Gemini CLI carry the same script", async () => {
  const script: ModelScript = (request) => {
    const [result] = toolResults(request);
    if (result !== undefined) return { text: `It is ${result}.` };
    return { toolCalls: [{ name: offeredTools(request)[0] ?? "none", arguments: { at: 1 } }] };
  };
  const server = await startModelServer(script);
  const { origin } = new URL(server.url);
  const send = async (path: string, body: object): Promise<string> =>
    (await fetch(`${origin}${path}`, { method: "POST", body: JSON.stringify(body) })).text();
  try {
    const called = await send("/v1/messages", { stream: true, tools: [{ name: "look" }], messages: [] });
    assert.match(called, /"type":"tool_use","id":"toolu_1_0","name":"look"/);
    assert.match(called, /"partial_json":"\{\\"at\\":1\}"/);
    const content = [{ type: "tool_result", tool_use_id: "toolu_1_0", content: "42" }];
    const answered = await send("/v1/messages", { messages: [{ role: "user", content }] });
    assert.deepEqual(asObject(JSON.parse(answered)).content, [{ type: "text", text: "It is 42." }]);

    const model = "/v1beta/models/scripted";
    const tools = [{ functionDeclarations: [{ name: "look" }] }];
    const streamed = await send(`${model}:streamGenerateContent?alt=sse`, { tools, contents: [] });
    assert.match(streamed, /^data: .*"functionCall":\{"id":"call_3_0","name":"look","args":\{"at":1\}\}/);
    const parts = [{ functionResponse: { name: "look", response: { output: 42 } } }];
    const whole = await send(`${model}:generateContent`, { contents: [{ role: "user", parts }] });
    assert.match(whole, /It is \{\\"output\\":42\}\./);
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
