import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { type ModelServer, type ModelReply as Reply, startModelServer } from "../../test/support/model/model_server.ts";
import { loadSettings } from "../config/settings.ts";
import { DexError } from "../kernel/errors.ts";
import { type Model, type ModelRequest, modelFrom } from "./model.ts";

const KEY = "sk-test-0123456789abcdefghij";
const servers: ModelServer[] = [];
after(() => Promise.all(servers.map((server) => server.close())));

interface Scripted {
  model: Model;
  server: ModelServer;
  /** How long the client waited before each retry. */
  waits: number[];
}

async function scripted(script: (n: number) => Reply, vars: NodeJS.ProcessEnv = {}): Promise<Scripted> {
  const server = await startModelServer((_, n) => script(n));
  servers.push(server);
  const waits: number[] = [];
  const settings = await loadSettings("/nonexistent/config.yaml", {
    DEX_LLM_PROVIDER: server.url,
    DEX_LLM_MODEL: "scripted",
    DEX_LLM_API_KEY: KEY,
    ...vars,
  });
  const model = modelFrom(settings, { sleep: async (ms) => void waits.push(ms) });
  assert.ok(model);
  return { model, server, waits };
}

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content: "hello" }],
  ...more,
});

async function failsWith(run: Promise<unknown>, code: string, message: RegExp): Promise<void> {
  await assert.rejects(run, (error) => {
    assert.ok(error instanceof DexError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    const all = `${error.message} ${error.hint} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    assert.doesNotMatch(all, /sk-test/, "the key is in no error");
    return true;
  });
}

test("without configuration there is no model; an incomplete configuration is refused", async () => {
  const from = async (vars: NodeJS.ProcessEnv): Promise<Model | undefined> =>
    modelFrom(await loadSettings("/nonexistent/config.yaml", vars));
  assert.equal(await from({}), undefined);
  assert.equal(await from({ DEX_LLM_API_KEY: KEY }), undefined);
  await failsWith(from({ DEX_LLM_PROVIDER: "openai" }), "bad_config", /llm\.model is not set/);
  await failsWith(from({ DEX_LLM_MODEL: "m" }), "bad_config", /llm\.provider and llm\.baseUrl are not/);
  await failsWith(
    from({ DEX_LLM_MODEL: "m", DEX_LLM_PROVIDER: "openia" }),
    "bad_config",
    /neither a provider that dex knows nor an http address/,
  );
  await failsWith(from({ DEX_LLM_MODEL: "m", DEX_LLM_BASE_URL: `http://u:${KEY}@h/v1` }), "bad_config", /password/);
  await failsWith(from({ DEX_LLM_MODEL: "m", DEX_LLM_TEMPERATURE: "9" }), "bad_config", /llm\.temperature/);
  assert.equal((await from({ DEX_LLM_MODEL: "m", DEX_LLM_PROVIDER: "Ollama" }))?.provider, "ollama");
});

test("a whole answer: text, tool calls, usage and cost", async () => {
  const { model, server } = await scripted(
    () => ({ text: "Hi.", toolCalls: [{ name: "find", arguments: { q: "x" } }], usage: { input: 1000, output: 500 } }),
    { DEX_LLM_INPUT_PRICE: "2", DEX_LLM_OUTPUT_PRICE: "10", DEX_LLM_TEMPERATURE: "0", DEX_LLM_MAX_TOKENS: "77" },
  );
  const tools = [{ name: "find", description: "Finds", parameters: { type: "object" } }];
  const reply = await model.chat(
    ask({
      tools,
      messages: [
        { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "find", arguments: "{}" }] },
        { role: "tool", content: "nothing", toolCallId: "c1" },
      ],
    }),
  );
  assert.equal(reply.text, "Hi.");
  assert.equal(reply.finish, "tool_calls");
  assert.deepEqual(
    reply.toolCalls.map(({ name, arguments: given }) => [name, given]),
    [["find", '{"q":"x"}']],
  );
  assert.deepEqual(reply.usage, { input: 1000, output: 500, cost: 0.007 });
  const sent = server.requests[0];
  assert.equal(sent?.headers.authorization, `Bearer ${KEY}`);
  assert.equal(sent?.body.max_tokens, 77);
  assert.equal(sent?.body.temperature, 0);
  assert.equal(sent?.body.stream, undefined);
  assert.match(JSON.stringify(sent?.body.messages), /"tool_call_id":"c1"/);
});

test("a streamed answer comes in pieces and is the same", async () => {
  const { model } = await scripted(() => ({
    text: "Hällo wörld",
    toolCalls: [{ name: "find", arguments: { q: "ü" } }],
    usage: { input: 3, output: 4 },
  }));
  const pieces: string[] = [];
  const reply = await model.chat(ask({ onText: (text) => pieces.push(text) }));
  assert.ok(pieces.length > 1);
  assert.equal(pieces.join(""), "Hällo wörld");
  assert.equal(reply.text, "Hällo wörld");
  assert.deepEqual(
    reply.toolCalls.map(({ arguments: given }) => given),
    ['{"q":"ü"}'],
  );
  assert.deepEqual(reply.usage, { input: 3, output: 4 });
});

test("requests to busy and failing servers are retried after 1, 2 and 4 s, or after the delay they ask for", async () => {
  const failing = await scripted((n) => (n < 3 ? { status: 500 + n, text: "oops" } : { text: "now" }));
  assert.equal((await failing.model.chat(ask())).text, "now");
  assert.deepEqual(failing.waits, [1000, 2000, 4000]);

  const busy = await scripted((n) => (n === 0 ? { status: 429, headers: { "retry-after": "3" } } : { text: "now" }));
  const told: string[] = [];
  assert.equal((await busy.model.chat(ask({ onRetry: (reason) => told.push(reason) }))).text, "now");
  assert.deepEqual(busy.waits, [3000]);
  assert.match(told[0] ?? "", /429/);

  const never = await scripted(() => ({ status: 503, text: "down" }));
  await failsWith(never.model.chat(ask()), "model_refused", /scripted at 127\.0\.0\.1:\d+ answered 503: down/);
  assert.equal(never.server.requests.length, 4);
});

test("the wait before a retry is bounded by the deadline and by a maximum", async () => {
  const patient = await scripted(() => ({ status: 429, headers: { "retry-after": "86400" } }));
  await failsWith(patient.model.chat(ask()), "model_busy", /429/);
  assert.deepEqual(patient.waits, []);
  const short = await scripted(() => ({ status: 429, headers: { "retry-after": "30" } }));
  await failsWith(short.model.chat(ask({ deadlineMs: 5000 })), "model_busy", /429/);
  assert.deepEqual(short.waits, []);
});

test("permanent failures are not retried", async () => {
  for (const [status, code] of [
    [400, "model_refused"],
    [401, "model_denied"],
    [404, "model_refused"],
  ] as const) {
    const { model, server } = await scripted(() => ({ status, text: `wrong key ${KEY}` }));
    await failsWith(model.chat(ask()), code, new RegExp(String(status)));
    assert.equal(server.requests.length, 1);
  }
  const spent = await scripted(() => ({
    status: 429,
    raw: JSON.stringify({ error: { code: "insufficient_quota", message: "no credit" } }),
  }));
  await failsWith(spent.model.chat(ask()), "model_busy", /no credit/);
  assert.equal(spent.server.requests.length, 1);
});

test("a server that hangs ends at the deadline, and a caller may stop earlier", async () => {
  const { model } = await scripted(() => ({ hangMs: 1500, text: "late" }));
  await failsWith(model.chat(ask({ deadlineMs: 200 })), "model_timeout", /within 0\.2 s/);
  await failsWith(model.chat(ask({ signal: AbortSignal.timeout(100) })), "cancelled", /cancelled/);
});

test("a broken-off answer is retried, unless part of it was shown", async () => {
  const cut = await scripted((n) => (n === 0 ? { text: "x".repeat(500), cutAfter: 300 } : { text: "whole" }));
  assert.equal((await cut.model.chat(ask())).text, "whole");
  const streamed = await scripted((n) => (n === 0 ? { text: "y".repeat(5000), cutAfter: 3100 } : { text: "whole" }));
  const heard: string[] = [];
  await failsWith(streamed.model.chat(ask({ onText: (text) => heard.push(text) })), "model_cut", /in the middle/);
  assert.ok(heard.length > 0);
  assert.equal(streamed.server.requests.length, 1);
});

test("malformed answers: broken JSON, a web page, a stream of nonsense", async () => {
  const cases: [Reply, RegExp][] = [
    [{ raw: '{"choices": [' }, /not valid JSON/],
    [{ raw: "<html>Welcome</html>", headers: { "content-type": "text/html" } }, /text\/html, which is not valid JSON/],
    [{ raw: '{"hello":1}' }, /not a chat completion/],
    [{ raw: ": ping\n\ndata: {broken\n\n", headers: { "content-type": "text/event-stream" } }, /without an answer/],
    [
      { raw: 'data: {"error":{"message":"overloaded"}}\n\n', headers: { "content-type": "text/event-stream" } },
      /overloaded/,
    ],
  ];
  for (const [reply, message] of cases) {
    const { model, server } = await scripted(() => reply);
    await failsWith(model.chat(ask()), message.source === "overloaded" ? "model_refused" : "model_malformed", message);
    assert.equal(server.requests.length, 4);
  }
});

test("broken lines in a stream are skipped", async () => {
  const events = [
    'data: {"choices":[{"delta":{"content":"a"}}]}',
    "data: {broken",
    "event: ping",
    'data: {"choices":[{"delta":{"content":"b","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\\"a\\""}}]}}]}',
    'data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":1}"}}]},"finish_reason":"stop"}]}',
  ];
  const raw = events.join("\r\n\r\n");
  const { model } = await scripted(() => ({ raw, headers: { "content-type": "text/event-stream" } }));
  const reply = await model.chat(ask());
  assert.equal(reply.text, "ab");
  assert.deepEqual(reply.toolCalls, [{ id: "c", name: "f", arguments: '{"a":1}' }]);
  assert.equal(reply.usage.estimated, true);
});

test("options that a server refuses are left out", async () => {
  const refusals = ["Unsupported parameter: 'max_tokens'", "temperature is not supported", "unknown json_schema"];
  const { model, server, waits } = await scripted((n) =>
    n < refusals.length ? { status: 400, text: refusals[n] ?? "" } : { text: "{}" },
  );
  const request = ask({ temperature: 0, maxTokens: 5, schema: { name: "s", schema: { type: "object" } } });
  assert.equal((await model.chat(request)).text, "{}");
  const body = server.requests.at(-1)?.body ?? {};
  assert.equal(body.max_completion_tokens, 5);
  assert.deepEqual([body.max_tokens, body.temperature, body.response_format], [undefined, undefined, undefined]);
  assert.deepEqual(waits, []);
});

test("a redirect is refused, and the key does not travel along it", async () => {
  const seen: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  try {
    const headers = { location: `http://127.0.0.1:${port}/v1/chat/completions` };
    const { model } = await scripted(() => ({ status: 307, raw: "", headers }));
    await failsWith(model.chat(ask()), "model_redirect", /307/);
    assert.deepEqual(seen, []);
  } finally {
    other.close();
  }
});

test("a server that cannot be reached is named, after the retries", async () => {
  const gone = await startModelServer(() => ({}));
  await gone.close();
  const settings = await loadSettings("/nonexistent/config.yaml", {
    DEX_LLM_PROVIDER: gone.url,
    DEX_LLM_MODEL: "scripted",
    DEX_LLM_API_KEY: KEY,
  });
  const waits: number[] = [];
  const model = modelFrom(settings, { sleep: async (ms) => void waits.push(ms) });
  await failsWith(
    model?.chat(ask()) ?? Promise.resolve(),
    "model_unreachable",
    /127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/,
  );
  assert.deepEqual(waits, [1000, 2000, 4000]);
});

test("an endless answer is ended", async () => {
  const { model } = await scripted(() => ({ raw: `{"choices":[],"x":"${"x".repeat(17 << 20)}"}` }));
  await failsWith(model.chat(ask()), "model_too_large", /more than/);
});

test("a provider's own key goes to that provider only", async () => {
  const server = await startModelServer(() => ({ text: "ok" }));
  servers.push(server);
  const settings = await loadSettings("/nonexistent/config.yaml", {
    DEX_LLM_PROVIDER: "openai",
    DEX_LLM_BASE_URL: server.url,
    DEX_LLM_MODEL: "scripted",
  });
  await modelFrom(settings, { vars: { OPENAI_API_KEY: KEY } })?.chat(ask());
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});

test("a key is never sent over plain http to another machine", async () => {
  const settings = (url: string) =>
    loadSettings("/nonexistent/config.yaml", {
      DEX_LLM_BASE_URL: url,
      DEX_LLM_MODEL: "scripted",
      DEX_LLM_API_KEY: KEY,
    });
  const far = await settings("http://192.0.2.7:8000/v1");
  assert.throws(() => modelFrom(far), {
    code: "bad_config",
    message: /key for 192\.0\.2\.7:8000 would be sent over plain http/,
  });
  assert.ok(modelFrom(await settings("http://127.0.0.1:8000/v1")));
  assert.ok(modelFrom(await settings("https://models.example.com/v1")));
});
