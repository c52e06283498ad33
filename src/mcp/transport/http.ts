/** MCP over streamable HTTP, as a part of the HTTP server. */
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { guard, MCP_PATH } from "../../serving/gate.ts";
import type { ServerPart } from "../../serving/http_server.ts";
import { reportError } from "../../serving/report.ts";
import { makeServer, type Served } from "../server.ts";

const MAX_BODY_BYTES = 1 << 20;

export function mcpPart(served: Served, token: string): { part: ServerPart; close(): Promise<void> } {
  const debug = process.env.DEX_DEBUG ? reportError : undefined;
  const limits = { maxRequestBodySize: MAX_BODY_BYTES, onerror: debug };
  const handler = createMcpHandler(() => makeServer(served), limits);
  const answer = toNodeHandler(handler, limits);
  const mayPass = guard(token);
  const part: ServerPart = {
    owns: (path) => path === MCP_PATH,
    serve: async (request, response) => {
      if (mayPass(request, response)) await answer(request, response);
    },
  };
  return { part, close: () => handler.close() };
}
