/** An MCP server for one stdio connection or one HTTP request. */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { DexError } from "../kernel/errors.ts";
import { stepText } from "../rendering/ask.ts";
import type { Caller } from "../serving/call_runner.ts";
import { VERSION } from "../version.ts";
import { guidanceFor } from "./important.ts";
import type { LazyTools } from "./lazy_tools.ts";

const INSTRUCTIONS = guidanceFor(new Set(["conversations"])).greeting;

/** The tools of a process never change. */
const UNCHANGING = { ttlMs: 3_600_000, cacheScope: "private" } as const;

export function makeServer(tools: LazyTools, instructions = INSTRUCTIONS): Server {
  const server = new Server(
    { name: "dex", version: VERSION },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { "tools/list": UNCHANGING, "server/discover": UNCHANGING },
    },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: await tools.list() }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    tools.call(params.name, params.arguments, callerOf(context)).catch(asProtocolError),
  );
  return server;
}

/** A tool that does not exist is a mistake in the request, not a result of a tool. */
function asProtocolError(error: unknown): never {
  if (!(error instanceof DexError) || error.code !== "unknown_tool") throw error;
  const text = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/** A caller that sent a progress token is notified of each step. Codex names its conversation with each call. */
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
      // The caller may have disconnected; the call goes on.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
