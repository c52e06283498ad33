/**
 * A model on the loopback: the real clients' protocols (one file each, streamed or whole) around a script that sees each
 * request and returns the model's answer, which can then depend on a tool's result.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { asArray, asObject, asString, type JsonObject, parseJson } from "../../../src/kernel/json.ts";
import { serving } from "../program/running.ts";
import { completionsProtocol } from "./model_completions.ts";
import { geminiProtocol } from "./model_gemini.ts";
import { messagesProtocol } from "./model_messages.ts";
import { responsesProtocol } from "./model_responses.ts";

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

/** How a client sends its request and reads the answer. */
export interface ModelProtocol {
  path: RegExp;
  isStreamed(request: ModelRequest): boolean;
  whole(request: ModelRequest, reply: ModelReply, n: number): JsonObject;
  events(request: ModelRequest, reply: ModelReply, n: number): string;
}

const PROTOCOLS = [completionsProtocol, responsesProtocol, messagesProtocol, geminiProtocol];

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
    const declared = asArray(tool.functionDeclarations).flatMap((each) => asString(asObject(each).name) ?? []);
    const name = asString(tool.name) ?? asString(asObject(tool.function).name);
    if (name === undefined) return declared;
    if (!Array.isArray(tool.tools)) return [name];
    return tool.tools.flatMap((inner) => asString(asObject(inner).name) ?? []).map((inner) => `${name}.${inner}`);
  });
}

/** The texts of all tool results that a request carries, in order. */
export function toolResults(request: ModelRequest): string[] {
  const { messages, input, contents } = request.body;
  const chat = asArray(messages).filter((message) => asObject(message).role === "tool");
  const blocks = asArray(messages).flatMap((message) => asArray(asObject(message).content));
  const results = [...chat, ...blocks.filter((block) => asObject(block).type === "tool_result")];
  const items = asArray(input).filter((item) => asObject(item).type === "function_call_output");
  const parts = asArray(contents).flatMap((content) => asArray(asObject(content).parts));
  const responses = parts.filter((part) => asObject(part).functionResponse !== undefined);
  return [
    ...results.map((result) => plainText(asObject(result).content)),
    ...items.map((item) => plainText(asObject(item).output)),
    ...responses.map((part) => JSON.stringify(asObject(asObject(part).functionResponse).response)),
  ];
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
  const protocol = PROTOCOLS.find((each) => each.path.test(path));
  if (protocol === undefined) {
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
  if (!protocol.isStreamed(request)) {
    return send(response, reply, "application/json", JSON.stringify(protocol.whole(request, reply, n)));
  }
  return send(response, reply, "text/event-stream", protocol.events(request, reply, n));
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
