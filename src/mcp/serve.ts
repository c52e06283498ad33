/** `dex serve`: MCP over stdin and stdout until the client closes stdin, or as a part of an HTTP server. */
import type { LibraryScope } from "../collections/library.ts";
import { dexPaths } from "../config/paths.ts";
import { EVENTS_PATH, guard } from "../serving/gate.ts";
import type { ServerPart } from "../serving/http_server.ts";
import { endSignal, exitSoon, surviveStrayErrors } from "../serving/lifetime.ts";
import { reportError } from "../serving/report.ts";
import { type ServeInput, type ServeOptions, serveOptions } from "./options.ts";
import type { Served } from "./server.ts";
import { ToolThreads } from "./tool_threads.ts";
import { guidanceFor } from "./tools/important.ts";

/** Over stdin and stdout. Returns the exit status. */
export async function serve(input: ServeInput): Promise<number> {
  const options = serveOptions(input);
  if (options.scope.collections) await checkScope(options.scope);
  const ended = endSignal();
  surviveStrayErrors();
  const served = servedWith(options, { ...process.env });
  if (process.stdin.isTTY) process.stderr.write("dex: an MCP client is expected on stdin; see docs/guide/mcp.md\n");
  const { serveStdio } = await import("./transport/stdio.ts");
  await serveStdio(served, ended);
  await served.tools.close();
  exitSoon();
  return 0;
}

function servedWith({ sets, scope, structured }: ServeOptions, vars: NodeJS.ProcessEnv): Served {
  const tools = new ToolThreads({ vars, scope, sets: [...sets], structured });
  return { tools, sets, instructions: guidanceFor(sets).greeting };
}

/** The parts of an HTTP server that serve programs. */
export interface McpParts {
  parts: readonly ServerPart[];
  /** Call it when the server listens: from then on, due webhooks are sent. */
  start(): void;
  close(): Promise<void>;
}

/** MCP, the stream of suggestions, and the sending of webhooks. */
export async function mcpParts(options: ServeOptions, token: string, vars: NodeJS.ProcessEnv): Promise<McpParts> {
  const [{ mcpPart }, { EventStreams }, { delivererOf }] = await Promise.all([
    import("./transport/http.ts"),
    import("../serving/events.ts"),
    import("../suggest/delivery/open.ts"),
  ]);
  if (options.scope.collections) await checkScope(options.scope);
  const paths = dexPaths(vars);
  const served = servedWith(options, vars);
  const streams = new EventStreams(paths.state);
  const deliverer = delivererOf({ paths, vars, now: Date.now }, reportError);
  const mcp = mcpPart(served, token);
  const mayPass = guard(token);
  const events: ServerPart = {
    owns: (path) => path === EVENTS_PATH,
    immediate: true,
    serve: (request, response) => {
      if (mayPass(request, response)) streams.accept(request, response);
    },
  };
  return {
    parts: [mcp.part, events],
    start: () => deliverer.start(),
    close: async () => {
      await mcp.close();
      streams.close();
      await deliverer.close();
      await served.tools.close();
    },
  };
}

/** Fails at startup on an unknown collection, with the nearest name. */
export async function checkScope(scope: LibraryScope): Promise<void> {
  const [{ Dex }, { readableCollections }] = await Promise.all([
    import("../dex.ts"),
    import("../collections/library.ts"),
  ]);
  const dex = await Dex.open({ scope: { global: scope.global } });
  try {
    readableCollections(await dex.collections(), scope);
  } finally {
    dex.close();
  }
}
