/** Serving over streamable HTTP, on this machine only: MCP, and the stream of suggestions. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import type { Desk } from "./desk.ts";
import { EVENTS_PATH, guard, MCP_PATH, pathOf } from "./gate.ts";
import { makeServer } from "./server.ts";
import { Turns } from "./turns.ts";

const ADDRESS = "127.0.0.1";
const LARGEST_BODY = 1 << 20;
const MOST_CONNECTIONS = 1024;
const TO_SEND_HEADERS = 10_000;
const TO_SEND_REQUEST = 30_000;
const TO_ANSWER = 120_000;
const BETWEEN_REQUESTS = 30_000;

export interface HttpOptions {
  port: number;
  token: string;
  ended: Promise<void>;
  instructions: string;
  /** Told the address. */
  listening(url: string): void;
  /** Answers `GET /events`. */
  events(request: IncomingMessage, response: ServerResponse): void;
}

/** Resolves when the server has ended. */
export async function serveHttp(desk: Desk, options: HttpOptions): Promise<void> {
  const report = (error: unknown): void => void process.stderr.write(`dex: ${errorMessage(error)}\n`);
  const debug = process.env.DEX_DEBUG ? report : undefined;
  const limits = { maxRequestBodySize: LARGEST_BODY, onerror: debug };
  const handler = createMcpHandler(() => makeServer(desk, options.instructions), limits);
  const answer = toNodeHandler(handler, limits);
  const mayPass = guard(options.token);
  const turns = new Turns();
  const serveOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!mayPass(request, response)) return;
    if (pathOf(request) === EVENTS_PATH) return options.events(request, response);
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
  options.listening(`http://${ADDRESS}:${port}${MCP_PATH}`);
  await options.ended;
  server.close();
  await handler.close();
  server.closeAllConnections();
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
