/**
 * The HTTP server of `dex serve --port` and `dex web`, on this machine only. Its parts (MCP, events, the API, the page)
 * are on one port, each at its own paths.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DexError, systemCode } from "../kernel/errors.ts";
import { pathOf, refuse } from "./gate.ts";
import { reportError } from "./report.ts";
import { RequestQueue } from "./request_queue.ts";

const ADDRESS = "127.0.0.1";
const MAX_CONNECTIONS = 1024;
/** How long a client may take to send its headers, and the whole request. */
const TIMES: RequestTimes = { headersMs: 10_000, requestMs: 30_000 };
const SOCKET_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 30_000;

/** A part of the server. */
export interface ServerPart {
  /** Whether it answers requests for this path; the first part that does gets the request. */
  owns(path: string): boolean;
  /** The signal is aborted when the client is gone before its answer is complete. */
  serve(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> | void;
  /** Answers at once: its requests do not wait in the queue. */
  immediate?: true;
}

export interface HttpOptions {
  port: number;
  /** Listen on any free port if this one is taken. */
  orFree?: boolean;
  ended: Promise<void>;
  /** The parts that are served at this address, in the order in which they are asked. */
  parts(origin: string): readonly ServerPart[];
  /** Called with the address once the server listens: `http://127.0.0.1:4321`. */
  listening(origin: string): void;
}

/** Resolves when the server has ended. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  const queue = new RequestQueue();
  let parts: readonly ServerPart[] = [];
  const serveOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request);
    const part = parts.find((each) => each.owns(path));
    if (!part) {
      refuse(response, 404, "There is nothing at this path.");
      return;
    }
    const signal = goneSignal(response);
    if (!part.immediate && !(await queue.next(signal))) return;
    await part.serve(request, response, signal);
  };
  const server = limitedServer((request, response) => {
    serveOne(request, response).catch((error) => {
      reportError(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "The request failed.");
    });
  });
  await listen(server, options);
  const origin = `http://${ADDRESS}:${(server.address() as AddressInfo).port}`;
  parts = options.parts(origin);
  options.listening(origin);
  await options.ended;
  server.close();
  server.closeAllConnections();
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
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

async function listen(server: Server, { port, orFree }: Pick<HttpOptions, "port" | "orFree">): Promise<void> {
  try {
    await listenOn(server, port);
  } catch (error) {
    const known = systemCode(error) === "EADDRINUSE" || systemCode(error) === "EACCES";
    if (known && orFree) return listenOn(server, 0);
    throw known ? portError(port, error) : error;
  }
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, ADDRESS, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function portError(port: number, cause: unknown): DexError {
  const taken = systemCode(cause) === "EADDRINUSE";
  return new DexError("no_port", `Port ${port} ${taken ? "is in use" : "needs more rights than dex has"}.`, {
    hint: "Choose another with --port; 0 picks a free one.",
    cause,
  });
}
