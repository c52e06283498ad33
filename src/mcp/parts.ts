/** The parts of an HTTP server that serve programs: MCP, the stream of suggestions, and the sending of webhooks. */
import { dexPaths } from "../config/paths.ts";
import { EVENTS_PATH, guard } from "../serving/gate.ts";
import type { ServerPart } from "../serving/http_server.ts";
import { reportError } from "../serving/report.ts";
import type { ServeOptions } from "./options.ts";
import { checkScope, offerWith } from "./serve.ts";
import { ToolThreads } from "./tool_threads.ts";

export interface McpParts {
  parts: readonly ServerPart[];
  /** Call it when the server listens: from then on, due webhooks are sent. */
  start(): void;
  close(): Promise<void>;
}

export async function mcpParts(options: ServeOptions, token: string, vars: NodeJS.ProcessEnv): Promise<McpParts> {
  const [{ mcpPart }, { EventStreams }, { delivererOf }] = await Promise.all([
    import("./transport/http.ts"),
    import("../serving/events.ts"),
    import("../suggest/delivery/open.ts"),
  ]);
  if (options.scope.collections) await checkScope(options.scope);
  const paths = dexPaths(vars);
  const { sets, scope, structured } = options;
  const tools = new ToolThreads({ vars, scope, sets: [...sets], structured });
  const streams = new EventStreams(paths.state);
  const deliverer = delivererOf({ paths, vars, now: Date.now }, reportError);
  const mcp = mcpPart({ tools, offer: offerWith(options) }, token);
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
      await tools.close();
    },
  };
}
