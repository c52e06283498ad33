/**
 * The HTTP server of `dex serve --port` and of `dex web`: one program with MCP, the stream of suggestions, the API and
 * the page on one port.
 */
import { randomBytes } from "node:crypto";
import { dexPaths } from "../../config/paths.ts";
import { pagePart } from "../../http/assets.ts";
import { Api } from "../../http/routes.ts";
import { withoutSession } from "../../integrations/session.ts";
import type { ServeOptions } from "../../mcp/options.ts";
import { mcpParts } from "../../mcp/parts.ts";
import { MCP_PATH } from "../../serving/gate.ts";
import { serveHttp } from "../../serving/http_server.ts";
import { endSignal, exitSoon, surviveStrayErrors } from "../../serving/lifetime.ts";
import { readOrMakeToken } from "../../serving/token.ts";

interface ServingOptions {
  mcp: ServeOptions;
  port: number;
  /** Listen on any free port if this one is taken. */
  orFree?: boolean;
  /** Offer the API and the page. */
  page: boolean;
  /** Called once the server listens: its address, and the token of this run for the page. */
  listening(at: { origin: string; mcpUrl: string; tokenFile: string; pageToken: string }): void;
}

/** Runs until a signal ends it. Returns the exit status. */
export async function serveOverHttp({ mcp: options, port, orFree, page, listening }: ServingOptions): Promise<number> {
  const ended = endSignal();
  surviveStrayErrors();
  // The server has many clients: the session that started it is not theirs.
  const vars = withoutSession(process.env);
  const tokenFile = dexPaths(vars).token;
  const token = readOrMakeToken(tokenFile);
  const pageToken = randomBytes(32).toString("base64url");
  const mcp = await mcpParts(options, token, vars);
  let api: Api | undefined;
  try {
    await serveHttp({
      port,
      orFree: orFree ?? false,
      ended,
      parts: (origin) => {
        if (!page) return mcp.parts;
        const access = { origin, tokens: [pageToken, token] };
        api = new Api(access, { vars });
        return [...mcp.parts, api.part, pagePart(access)];
      },
      listening: (origin) => {
        listening({ origin, mcpUrl: `${origin}${MCP_PATH}`, tokenFile, pageToken });
        mcp.start();
      },
    });
  } finally {
    await Promise.all([mcp.close(), api?.close()]);
  }
  exitSoon();
  return 0;
}
