/** MCP over streamable HTTP, as a part of the HTTP server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { guard, MCP_PATH } from "../../serving/gate.ts";
import type { ServerPart } from "../../serving/http_server.ts";
import { reportError } from "../../serving/report.ts";
import { callerFor, makeServer, readOnlyTools, rpcError, type Served } from "../server.ts";
import { EventAnswer, type PlainCall, plainCall } from "./plain_call.ts";

const MAX_BODY_BYTES = 1 << 20;
const PARSE_ERROR = -32700;
const UTF8 = new TextDecoder();

export function mcpPart(served: Served, token: string): { part: ServerPart; close(): Promise<void> } {
  const debug = process.env.DEX_DEBUG ? reportError : undefined;
  const limits = { maxRequestBodySize: MAX_BODY_BYTES, onerror: debug };
  const handler = createMcpHandler(() => makeServer(served), limits);
  const answer = toNodeHandler(handler, limits);
  const mayPass = guard(token);
  const part: ServerPart = {
    owns: (path) => path === MCP_PATH,
    serve: async (request, response, signal) => {
      if (!mayPass(request, response)) return;
      if (!isPlainBody(request)) return answer(request, response);
      // Reading fails if the client is gone before it has sent all.
      const body = await bodyOf(request).catch(() => undefined);
      if (body === undefined) return;
      const message = parsed(body);
      if (message === undefined) return refuseBody(response);
      const call = plainCall(request.headers, message);
      if (!call || !readOnlyTools(served.offer).has(call.name)) return answer(request, response, message);
      await answerCall(served, call, response, signal);
    },
  };
  return { part, close: () => handler.close() };
}

/** The library reads the others: it refuses most of them. */
function isPlainBody({ method, headers }: IncomingMessage): boolean {
  const length = Number(headers["content-length"]);
  return method === "POST" && headers["content-type"] === "application/json" && length > 0 && length <= MAX_BODY_BYTES;
}

/** By events: an iterator of the stream takes several times as long as parsing the body. */
function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.once("end", () => resolve(UTF8.decode(Buffer.concat(chunks))));
    request.once("error", reject);
    request.once("close", () => request.complete || reject(new Error("The client is gone.")));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuseBody(response: ServerResponse): void {
  const error = { code: PARSE_ERROR, message: "Parse error: Invalid JSON" };
  response.writeHead(400, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error, id: null }));
}

async function answerCall(
  { tools }: Served,
  { id, name, input, meta }: PlainCall,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const events = new EventAnswer(response);
  const caller = callerFor(meta, signal, (notification) => events.send({ ...notification, jsonrpc: "2.0" }));
  try {
    const result = await tools.readText(name, input, caller);
    events.end(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
  } catch (error) {
    if (!signal.aborted) events.end(JSON.stringify({ jsonrpc: "2.0", id, error: rpcError(error) }));
  }
}
