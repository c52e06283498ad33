/** One MCP server over some tools: for one connection of stdio, or one request of HTTP. */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { DexError } from "../kernel/errors.ts";
import { stepText } from "../rendering/ask.ts";
import type { Caller } from "../serving/host.ts";
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
  server.setRequestHandler("tools/call", ({ params }, context) =>
    desk.call(params.name, params.arguments, callerOf(context)).catch(asProtocolError),
  );
  return server;
}

/** A tool that does not exist is a mistake in the request, not a result of a tool. */
function asProtocolError(error: unknown): never {
  if (!(error instanceof DexError) || error.code !== "unknown_tool") throw error;
  const text = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/** A caller that gave a token for it hears of each step. Codex says with each call which conversation it is in. */
function callerOf({ mcpReq }: ServerContext): Caller {
  const progressToken = mcpReq._meta?.progressToken;
  const thread = mcpReq._meta?.threadId;
  const caller = { signal: mcpReq.signal, session: typeof thread === "string" ? thread : undefined };
  if (progressToken === undefined) return caller;
  let progress = 0;
  return {
    ...caller,
    step: (step) => {
      progress += 1;
      const params = { progressToken, progress, message: stepText(step) };
      // A caller that is gone hears nothing, which is no failure of the call.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
