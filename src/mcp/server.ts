/** An MCP server for one stdio connection or one HTTP request. */
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { stepText } from "../rendering/ask.ts";
import type { Caller } from "../serving/calls/call_runner.ts";
import type { Offer } from "./offer.ts";
import { clientFolder } from "./roots.ts";
import type { ToolThreads } from "./tool_threads.ts";

/** The tools of a process never change. */
const UNCHANGING = { ttlMs: 3_600_000, cacheScope: "private" } as const;
/** Errors of these codes are mistakes in the request, not results of a tool. */
const REQUEST_ERRORS: ReadonlySet<string> = new Set([
  ...["unknown_tool", "unknown_prompt", "unknown_resource"],
  // Of the addresses of resources.
  ...[
    "unknown_id",
    "ambiguous_id",
    "short_id",
    "bad_address",
    "bad_range",
    "unknown_document",
    "unknown_collection",
    "unknown_section",
  ],
]);

/** The threads that answer calls, and the answers that are known without them. */
export interface Served {
  tools: ToolThreads;
  offer: Offer;
}

export function makeServer({ tools, offer }: Served): Server {
  const { serverInfo, capabilities, instructions, lists } = offer;
  const cacheHints = { "tools/list": UNCHANGING, "server/discover": UNCHANGING };
  const server = new Server(serverInfo, { capabilities, instructions, cacheHints });
  const folder = clientFolder(server);
  const callerOf = async ({ mcpReq }: ServerContext): Promise<Caller> => {
    // The caller may have disconnected; the call goes on.
    const notify = (notification: ProgressNotification): void => void mcpReq.notify(notification).catch(() => {});
    return { ...callerFor(mcpReq._meta, mcpReq.signal, notify), cwd: await folder() };
  };
  server.setRequestHandler("tools/list", async () => lists["tools/list"] ?? { tools: await tools.tools() });
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: input } }, context) => {
    const caller = await callerOf(context);
    const answer = readOnlyTools(offer).has(name) ? tools.read(name, input, caller) : tools.call(name, input, caller);
    return answer.catch(asProtocolError);
  });
  const { "resources/list": resources, "resources/templates/list": templates, "prompts/list": prompts } = lists;
  if (resources && templates) {
    server.setRequestHandler("resources/list", () => resources);
    server.setRequestHandler("resources/templates/list", () => templates);
    server.setRequestHandler("resources/read", async ({ params }, context) =>
      tools.readResource(params.uri, await callerOf(context)).catch(asProtocolError),
    );
  }
  if (prompts) {
    server.setRequestHandler("prompts/list", () => prompts);
    server.setRequestHandler("prompts/get", async ({ params }, context) =>
      tools.prompt(params.name, params.arguments ?? {}, await callerOf(context)).catch(asProtocolError),
    );
  }
  return server;
}

/** By offer: a server is made for each request. */
const readOnly = new WeakMap<Offer, ReadonlySet<string>>();

export function readOnlyTools(offer: Offer): ReadonlySet<string> {
  const known = readOnly.get(offer);
  if (known) return known;
  const tools = offer.lists["tools/list"]?.tools ?? [];
  const names = new Set(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name));
  readOnly.set(offer, names);
  return names;
}

function asProtocolError(error: unknown): never {
  if (!(error instanceof DexError) || error.code === "thread_died") throw error;
  const { code, message } = rpcError(error);
  throw new ProtocolError(code, message);
}

/** The error of the protocol for a call that failed. */
export function rpcError(error: unknown): { code: number; message: string } {
  if (!(error instanceof DexError)) return { code: ProtocolErrorCode.InternalError, message: errorMessage(error) };
  const message =
    error.hint === undefined || error.code === "thread_died" ? error.message : `${error.message} ${error.hint}`;
  const isMistake = REQUEST_ERRORS.has(error.code);
  return { code: isMistake ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, message };
}

interface ProgressNotification {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; message: string };
}

/** A caller that sent a progress token is notified of each step. Codex names its conversation with each call. */
export function callerFor(
  meta: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
  notify: (notification: ProgressNotification) => void,
): Caller {
  const { progressToken, threadId } = meta ?? {};
  const caller = { signal, session: typeof threadId === "string" ? threadId : undefined };
  if (typeof progressToken !== "string" && typeof progressToken !== "number") return caller;
  let progress = 0;
  return {
    ...caller,
    step: (step) => {
      progress += 1;
      notify({ method: "notifications/progress", params: { progressToken, progress, message: stepText(step) } });
    },
  };
}
