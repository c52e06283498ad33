/** `dex serve`: runs until the client closes stdin, or a signal ends the process. */
import type { LibraryScope } from "../collections/library.ts";
import { dexPaths } from "../config/paths.ts";
import { reportError } from "../serving/report.ts";
import { type ServeInput, serveOptions } from "./options.ts";
import type { Served } from "./server.ts";
import { ToolThreads } from "./tool_threads.ts";
import { guidanceFor } from "./tools/important.ts";

/** Work that still runs after the end (a sync, which a kill does not harm) keeps the process alive no longer than this. */
export const EXIT_GRACE_MS = 1000;

export async function serve(input: ServeInput): Promise<number> {
  const { sets, port, scope, structured } = serveOptions(input);
  if (scope.collections) await checkScope(scope);
  const instructions = guidanceFor(sets).greeting;
  const ended = endSignal();
  surviveStrayErrors();
  const vars = await environment(port);
  const tools = new ToolThreads({ vars, scope, sets: [...sets], structured });
  const served: Served = { tools, sets, instructions };
  if (port === undefined) {
    if (process.stdin.isTTY) process.stderr.write("dex: an MCP client is expected on stdin; see docs/guide/mcp.md\n");
    const { serveStdio } = await import("./transport/stdio.ts");
    await serveStdio(served, ended);
  } else {
    await overHttp(served, { port, ended, vars });
  }
  await tools.close();
  setTimeout(() => process.exit(0), EXIT_GRACE_MS).unref();
  return 0;
}

/** The HTTP server also streams events, and sends due webhooks while it runs. */
async function overHttp(
  served: Served,
  options: { port: number; ended: Promise<void>; vars: NodeJS.ProcessEnv },
): Promise<void> {
  const [{ serveHttp }, { readOrMakeToken }, { EventStreams }, { delivererOf }] = await Promise.all([
    import("./transport/http.ts"),
    import("../serving/token.ts"),
    import("../serving/events.ts"),
    import("../suggest/delivery/open.ts"),
  ]);
  const paths = dexPaths(process.env);
  const streams = new EventStreams(paths.state);
  const deliverer = delivererOf({ paths, vars: options.vars, now: Date.now }, reportError);
  try {
    await serveHttp(served, {
      ...options,
      token: readOrMakeToken(paths.token),
      events: (request, response) => streams.accept(request, response),
      listening: (url) => {
        process.stderr.write(`dex: serving MCP at ${url}; the bearer token is in ${paths.token}\n`);
        deliverer.start();
      },
    });
  } finally {
    streams.close();
    await deliverer.close();
  }
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

/** An HTTP server has many clients: the session that started it is not theirs. */
async function environment(port: number | undefined): Promise<NodeJS.ProcessEnv> {
  if (port === undefined) return { ...process.env };
  const { withoutSession } = await import("../integrations/session.ts");
  return withoutSession(process.env);
}

export function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

/** An error that escapes one call must not end the others. */
export function surviveStrayErrors(): void {
  process.on("uncaughtException", reportError);
  process.on("unhandledRejection", reportError);
}
