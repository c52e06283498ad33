/**
 * Who may ask the HTTP server. A web page can send requests to a loopback port, also under a name of its own that it lets
 * point there: so Host and Origin are checked before anything else, then the token.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { localhostHostValidation, localhostOriginValidation } from "@modelcontextprotocol/node";
import { presentsToken } from "./token.ts";

export const MCP_PATH = "/mcp";
export const EVENTS_PATH = "/events";

/** False when the request has been refused. */
export function guard(token: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const hostAllowed = localhostHostValidation();
  const originAllowed = localhostOriginValidation();
  return (request, response) => {
    if (!hostAllowed(request, response) || !originAllowed(request, response)) return false;
    const path = pathOf(request);
    if (path !== MCP_PATH && path !== EVENTS_PATH) {
      return refuse(response, 404, `There is nothing here; MCP is at ${MCP_PATH}, suggestions are at ${EVENTS_PATH}.`);
    }
    if (presentsToken(request.headers.authorization, token)) return true;
    response.setHeader("WWW-Authenticate", 'Bearer realm="dex"');
    return refuse(response, 401, "A bearer token is needed: the one in the file mcp-token of dex's home.");
  };
}

export function pathOf({ url }: IncomingMessage): string {
  return url?.split("?")[0] ?? "";
}

export function refuse(response: ServerResponse, status: number, message: string): false {
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }));
  return false;
}
