/**
 * The files of the page. They hold no data, so they need no token. The build lists them in `manifest.json`; nothing else
 * in the folder is served, and no name of a request is ever joined to a path.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";
import { systemCode } from "../kernel/errors.ts";
import { asArray, asObject, parseJson } from "../kernel/json.ts";
import { pathOf } from "../serving/gate.ts";
import type { ServerPart } from "../serving/http_server.ts";
import { type Access, refusedHost } from "./access.ts";
import { type ApiError, sendError } from "./answers.ts";
import { SECURITY_HEADERS } from "./headers.ts";

/** The first words of the page's addresses; all of them are answered with the one document. */
const PAGE_ROUTES: ReadonlySet<string> = new Set([
  "c",
  "conversations",
  "timeline",
  "code",
  "decisions",
  "suggestions",
  "traces",
  "activity",
  "docs",
  "memory",
  "settings",
  "doctor",
]);
const ASSETS_PREFIX = "/assets/";
const DOCUMENT = "index.html";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
const NO_FILE: ApiError = { status: 404, code: "not_found", message: "The page has no such file." };
const NO_PATH: ApiError = {
  status: 404,
  code: "not_found",
  message: "There is nothing at this path.",
  hint: "MCP is at /mcp, suggestions are at /events, the API is at /api.",
};
const NOT_READ: ApiError = {
  status: 405,
  code: "bad_method",
  message: "The page is read with GET.",
  allow: "GET, HEAD",
};
/** The build puts a hash of the content into such names, so a browser may keep the file. */
const HASHED = /-[A-Z0-9]{8}\.\w+$/i;

/** The last part of a server: requests for unknown paths get the document, which shows an error. */
export function pagePart(access: Access, folder: URL = pageFolder()): ServerPart {
  return {
    immediate: true,
    owns: () => true,
    serve: (request, response) => {
      const refused = refusedHost(request, access);
      if (refused) sendError(response, refused);
      else serveFile(folder, request, response);
    },
  };
}

/** Next to the built program; from source, the folder that the build writes. */
function pageFolder(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "../../dist/web/" : "./web/", import.meta.url);
}

function serveFile(folder: URL, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request);
  const isAsset = path.startsWith(ASSETS_PREFIX);
  const isKnown = isAsset || path === "/" || PAGE_ROUTES.has(path.split("/")[1] ?? "");
  if (!isKnown && !request.headers.accept?.includes("text/html")) {
    sendError(response, NO_PATH);
    return;
  }
  const name = isAsset ? path.slice(ASSETS_PREFIX.length) : DOCUMENT;
  const files = filesOf(folder);
  if (!files) {
    sendMissingPage(response);
    return;
  }
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || !files.has(name)) {
    sendError(response, isRead ? NO_FILE : NOT_READ);
    return;
  }
  response.writeHead(isKnown ? 200 : 404, {
    ...SECURITY_HEADERS,
    "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
    "Cache-Control": HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
  });
  response.end(request.method === "HEAD" ? undefined : readFileSync(new URL(name, folder)));
}

/** Read at each request: a build may replace the files while the server runs. */
function filesOf(folder: URL): Set<unknown> | undefined {
  try {
    const manifest = parseJson(readFileSync(new URL("manifest.json", folder), "utf8"));
    return new Set(asArray(asObject(manifest).files));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function sendMissingPage(response: ServerResponse): void {
  response.writeHead(503, { ...SECURITY_HEADERS, "Content-Type": TYPES[".txt"] ?? "", "Cache-Control": "no-store" });
  response.end(
    "This build of dex has no page: dist/web is missing. Run `npm run build`. The API at /api works all the same.\n",
  );
}
