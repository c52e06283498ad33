/** Serving over streamable HTTP, on this machine only: MCP, and the stream of suggestions. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { EVENTS_PATH, guard, MCP_PATH, pathOf } from "../../serving/gate.ts";
import { reportError } from "../../serving/report.ts";
import { RequestQueue } from "../../serving/request_queue.ts";
import { makeServer, type Served } from "../server.ts";

const ADDRESS = "127.0.0.1";
const MAX_BODY_BYTES = 1 << 20;
const MAX_CONNECTIONS = 1024;
/** How long a client may take to send its headers, and the whole request. */
const TIMES: RequestTimes = { headersMs: 10_000, requestMs: 30_000 };
const SOCKET_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 30_000;

export interface HttpOptions {
  port: number;
  token: string;
  ended: Promise<void>;
  /** Called with the address once the server listens. */
  listening(url: string): void;
  /** Answers `GET /events`. */
  events(request: IncomingMessage, response: ServerResponse): void;
}

/** Resolves when the server has ended. */
export async function serveHttp(served: Served, options: HttpOptions): Promise<void> {
  const debug = process.env.DEX_DEBUG ? reportError : undefined;
  const limits = { maxRequestBodySize: MAX_BODY_BYTES, onerror: debug };
  const handler = createMcpHandler(() => makeServer(served), limits);
  const answer = toNodeHandler(handler, limits);
  const mayPass = guard(options.token);
  const queue = new RequestQueue();
  const serveOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!mayPass(request, response)) return;
    if (pathOf(request) === EVENTS_PATH) return options.events(request, response);
    await queue.next();
    await answer(request, response);
  };
  const server = limitedServer((request, response) => void serveOne(request, response).catch(reportError));
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  options.listening(`http://${ADDRESS}:${port}${MCP_PATH}`);
  await options.ended;
  server.close();
  await handler.close();
  server.closeAllConnections();
}

export interface RequestTimes {
  headersMs: number;
  requestMs: number;
}

/** A server that closes connections of clients that are too slow, or too many. */
export function limitedServer(listener: RequestListener, { headersMs, requestMs }: RequestTimes = TIMES): Server {
  const times = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    // By default, Node looks for late connections only every 30 seconds.
    connectionsCheckingInterval: Math.ceil(headersMs / 10),
  };
  const server = createServer(times, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(SOCKET_TIMEOUT_MS);
  return server;
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
  return new DexError("no_port", `Port ${port} ${taken ? "is in use" : "needs more rights than dex has"}.`, {
    hint: "Choose another with --port; 0 picks a free one.",
    cause,
  });
}
