/** `dex serve --port`: the HTTP server, for programs first. */
import { type ServeInput, serveOptions } from "../../mcp/options.ts";
import { serveOverHttp } from "./http_server.ts";

export function serveOnPort(input: ServeInput & { port: number }): Promise<number> {
  const mcp = serveOptions(input);
  // A user who chooses the tools or the documentation wants these served, and nothing else.
  const isLimited = input.tools !== undefined || Object.keys(mcp.scope).length > 0;
  return serveOverHttp({
    mcp,
    port: input.port,
    page: !isLimited,
    listening: ({ origin, mcpUrl, tokenFile }) => {
      process.stderr.write(`dex: serving MCP at ${mcpUrl}; the bearer token is in ${tokenFile}\n`);
      if (!isLimited) process.stderr.write(`dex: the page is at ${origin}/, the API at ${origin}/api/\n`);
    },
  });
}
