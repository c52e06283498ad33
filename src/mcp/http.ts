/**
 * Serving over streamable HTTP, on this machine only. A web page can send requests to a loopback port, also under a name
 * of its own that it lets point there: so Host and Origin are checked before anything else, then the token.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import type { Desk } from "./desk.ts";
import { makeServer } from "./server.ts";
import { presentsToken } from "./token.ts";
import { Turns } from "./turns.ts";

const ADDRESS = "127.0.0.1";
const PATH = "/mcp";
const LARGEST_BODY = 1 << 20;
const MOST_CONNECTIONS = 1024;
const TO_SEND_HEADERS = 10_000;
const TO_SEND_REQUEST = 30_000;
const TO_ANSWER = 120_000;
const BETWEEN_REQUESTS = 30_000;

/** Resolves when the server has ended; `listening` is told its address. */
export async function serveHttp(
  desk: Desk,
  options: { port: number; token: string; ended: Promise<void>; instructions: string; listening(url: string): void },
): Promise<void> {
  const report = (error: unknown): void => void process.stderr.write(`dex: ${errorMessage(error)}\n`);
  const debug = process.env.DEX_DEBUG ? report : undefined;
  const limits = { maxRequestBodySize: LARGEST_BODY, onerror: debug };
  const handler = createMcpHandler(() => makeServer(desk, options.instructions), limits);
  const answer = toNodeHandler(handler, limits);
  const mayPass = guard(options.token);
  const turns = new Turns();
  const serveOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!mayPass(request, response)) return;
    await turns.next();
    await answer(request, response);
  };
  const times = { headersTimeout: TO_SEND_HEADERS, requestTimeout: TO_SEND_REQUEST };
  const server = createServer(times, (request, response) => void serveOne(request, response).catch(report));
  server.keepAliveTimeout = BETWEEN_REQUESTS;
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(TO_ANSWER);
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  options.listening(`http://${ADDRESS}:${port}${PATH}`);
  await options.ended;
  server.close();
  await handler.close();
  server.closeAllConnections();
}

/** False when the request has been refused. */
function guard(token: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const hostAllowed = localhostHostValidation();
  const originAllowed = localhostOriginValidation();
  return (request, response) => {
    if (!hostAllowed(request, response) || !originAllowed(request, response)) return false;
    if (request.url?.split("?")[0] !== PATH) return refuse(response, 404, `There is nothing here; MCP is at ${PATH}.`);
    if (presentsToken(request.headers.authorization, token)) return true;
    response.setHeader("WWW-Authenticate", 'Bearer realm="dex"');
    return refuse(response, 401, "A bearer token is needed: the one in the file mcp-token of dex's home.");
  };
}

function refuse(response: ServerResponse, status: number, message: string): false {
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }));
  return false;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(systemCode(error) === "EADDRINUSE" || systemCode(error) === "EACCES" ? portError(port, error) : error);
    });
    server.listen(port, ADDRESS, resolve);
  });
}

function portError(port: number, cause: Error): DexError {
  const taken = systemCode(cause) === "EADDRINUSE";
  return new DexError("no_port", `Port ${port} ${taken ? "is in use" : "may not be used"}.`, {
    hint: "Choose another with --port; 0 picks a free one.",
    cause,
  });
}
