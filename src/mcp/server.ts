/** One MCP server over some tools: for one connection of stdio, or one request of HTTP. */
import { Server } from "@modelcontextprotocol/server";
import { VERSION } from "../version.ts";
import type { Desk } from "./desk.ts";
import { importantWords } from "./important.ts";

const INSTRUCTIONS = importantWords(new Set(["conversations"])).greeting;

/** The tools of a process stay as they are. */
const UNCHANGING = { ttlMs: 3_600_000, cacheScope: "private" } as const;

export function makeServer(desk: Desk, instructions = INSTRUCTIONS): Server {
  const server = new Server(
    { name: "dex", version: VERSION },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { "tools/list": UNCHANGING, "server/discover": UNCHANGING },
    },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: await desk.list() }));
  server.setRequestHandler("tools/call", ({ params }) => desk.call(params.name, params.arguments));
  return server;
}
