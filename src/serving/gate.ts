/**
 * Access control of the HTTP server. A web page can send requests to a loopback port, also through a host name of its own
 * that resolves there (DNS rebinding), so the server checks Host and Origin first, and then the token.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { localhostHostValidation, localhostOriginValidation } from "@modelcontextprotocol/node";
import { presentsToken } from "./token.ts";

export const MCP_PATH = "/mcp";
export const EVENTS_PATH = "/events";

/** Guards the paths for programs. The returned check is false after it has refused the request. */
export function guard(token: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const hostAllowed = localhostHostValidation();
  const originAllowed = localhostOriginValidation();
  return (request, response) => {
    if (!hostAllowed(request, response) || !originAllowed(request, response)) return false;
    if (presentsToken(request.headers.authorization, token)) return true;
    response.setHeader("WWW-Authenticate", 'Bearer realm="dex"');
    return refuse(response, 401, "A bearer token is needed. It is in the file mcp-token in dex's home folder.");
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
