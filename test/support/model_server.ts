/**
 * A model on the loopback: the real clients' protocols (chat completions and responses, streamed or whole) around a
 * script that sees each request and returns the model's answer, which can then depend on a tool's result.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { asArray, asObject, asString, type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { responseEvents, wholeResponse } from "./model_responses.ts";
import { serving } from "./running.ts";

export interface ModelRequest {
  /** Without the query: `/v1/chat/completions`. */
  path: string;
  headers: Record<string, string | undefined>;
  body: JsonObject;
}

export interface ModelReply {
  text?: string;
  /** A name as `offeredTools` gives it. */
  toolCalls?: { name: string; arguments: object }[];
  /** Default 200; another status is answered with `raw`, or with an error object around `text`. */
  status?: number;
  headers?: Record<string, string>;
  /** The body itself, in place of one made from the other fields. */
  raw?: string;
  /** Waits this long before the first byte. */
  hangMs?: number;
  /** Bytes of the body after which the connection is destroyed. */
  cutAfter?: number;
  usage?: { input: number; output: number };
}

/** The model's answer to the nth request, counted from 0. */
export type ModelScript = (request: ModelRequest, n: number) => ModelReply;

export interface ModelServer {
  /** With `/v1` at its end, as clients expect of a base URL. */
  url: string;
  /** Requests to the model, in order, without those for the list of models. */
  requests: ModelRequest[];
  close(): Promise<void>;
}

const LARGEST_BODY = 64 << 20;

export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response, requests, script).catch(() => response.destroy());
  });
  serving(server).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The lines of Codex' config.toml that make it use this server, with the key in LOOP_KEY. */
export function codexModel({ url }: ModelServer): string[] {
  return [
    'model = "scripted"',
    'model_provider = "loop"',
    'approval_policy = "never"',
    "[model_providers.loop]",
    'name = "loop"',
    `base_url = "${url}"`,
    'wire_api = "responses"',
    'env_key = "LOOP_KEY"',
  ];
}

/** The names of the tools a request offers; one inside a namespace is `<namespace>.<name>`. */
export function offeredTools(request: ModelRequest): string[] {
  return asArray(request.body.tools).flatMap((entry) => {
    const tool = asObject(entry);
    const name = asString(tool.name) ?? asString(asObject(tool.function).name);
    if (name === undefined) return [];
    if (!Array.isArray(tool.tools)) return [name];
    return tool.tools.flatMap((inner) => asString(asObject(inner).name) ?? []).map((inner) => `${name}.${inner}`);
  });
}

/** The texts of all tool results that a request carries, in order. */
export function toolResults(request: ModelRequest): string[] {
  const chat = asArray(request.body.messages).filter((message) => asObject(message).role === "tool");
  const items = asArray(request.body.input).filter((item) => asObject(item).type === "function_call_output");
  return [...chat.map((message) => asObject(message).content), ...items.map((item) => asObject(item).output)].map(
    plainText,
  );
}

/** All the texts of the user's messages, in order. */
export function userTexts(request: ModelRequest): string[] {
  return [...asArray(request.body.messages), ...asArray(request.body.input)]
    .map(asObject)
    .filter((message) => message.role === "user")
    .map((message) => plainText(message.content));
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((part) => asString(asObject(part).text) ?? "")
    .join("\n");
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  script: ModelScript,
): Promise<void> {
  const path = new URL(incoming.url ?? "/", "http://127.0.0.1").pathname;
  const body = asObject(parseJson(await readBody(incoming)));
  if (path.endsWith("/models")) return send(response, {}, "application/json", MODELS);
  const isResponses = path.endsWith("/responses");
  if (!isResponses && !path.endsWith("/chat/completions")) {
    return send(response, { status: 404 }, "application/json", JSON.stringify({ error: { message: `no ${path}` } }));
  }
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
  const request = { path, headers, body };
  requests.push(request);
  const reply = script(request, requests.length - 1);
  // A closed server does not wait for open connections.
  if (reply.hangMs) await sleep(reply.hangMs, undefined, { ref: false });
  if (reply.raw !== undefined) return send(response, reply, "application/json", reply.raw);
  if ((reply.status ?? 200) >= 400) {
    const error = { message: reply.text ?? "refused", type: "error", code: String(reply.status) };
    return send(response, reply, "application/json", JSON.stringify({ error }));
  }
  const n = requests.length;
  if (body.stream !== true) {
    const whole = isResponses ? wholeResponse(request, reply, n) : wholeCompletion(request, reply, n);
    return send(response, reply, "application/json", JSON.stringify(whole));
  }
  const events = isResponses ? responseEvents(request, reply, n) : completionEvents(request, reply, n);
  return send(response, reply, "text/event-stream", events);
}

const MODELS = JSON.stringify({
  object: "list",
  data: [{ id: "scripted", object: "model", created: 0, owned_by: "test" }],
});

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST_BODY) throw new Error("The request is too large.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, reply: ModelReply, type: string, body: string): void {
  response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers });
  if (reply.cutAfter === undefined) {
    response.end(body);
    return;
  }
  response.write(Buffer.from(body).subarray(0, reply.cutAfter), () => response.destroy());
}

function completion(request: ModelRequest, n: number, object: string): JsonObject {
  return { id: `chatcmpl-${n}`, object, created: 0, model: asString(request.body.model) ?? "scripted" };
}

function callsOf(reply: ModelReply, n: number): JsonObject[] {
  return (reply.toolCalls ?? []).map((call, index) => ({
    index,
    id: `call_${n}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

function usageOf(reply: ModelReply): JsonObject {
  const { input = 0, output = 0 } = reply.usage ?? {};
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function wholeCompletion(request: ModelRequest, reply: ModelReply, n: number): JsonObject {
  const calls = callsOf(reply, n).map(({ index, ...call }) => call);
  const message: JsonObject = { role: "assistant", content: reply.text ?? null };
  if (calls.length > 0) message.tool_calls = calls;
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" };
  return { ...completion(request, n, "chat.completion"), choices: [choice], usage: usageOf(reply) };
}

function completionEvents(request: ModelRequest, reply: ModelReply, n: number): string {
  const base = completion(request, n, "chat.completion.chunk");
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = callsOf(reply, n);
  const chunks = [chunk({ role: "assistant", content: "" })];
  for (const piece of pieces(reply.text ?? "")) chunks.push(chunk({ content: piece }));
  for (const call of calls) chunks.push(chunk({ tool_calls: [call] }));
  chunks.push(chunk({}, calls.length > 0 ? "tool_calls" : "stop"));
  const withUsage = asObject(request.body.stream_options).include_usage === true;
  if (withUsage) chunks.push({ ...base, choices: [], usage: usageOf(reply) });
  return `${chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")}data: [DONE]\n\n`;
}

/** A text in parts, as a model streams it. */
function pieces(text: string): string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)].filter((piece) => piece !== "");
}
