/**
 * The most frequent request over HTTP, a call of a tool that only reads, is answered without the protocol library: the
 * library makes a server, a web request, a web response and two streams for each request, which takes longer than many
 * calls do. The answer is the same, byte for byte. A request that is not plainly such a call goes to the library.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isObject, type JsonObject } from "../../kernel/json.ts";
import { INITIALIZED_VERSIONS } from "../offer.ts";

export interface PlainCall {
  id: string | number;
  name: string;
  input: JsonObject | undefined;
  /** The metadata that the client sent with the call. */
  meta: JsonObject;
}

const CALL_FIELDS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
/** Only revisions after those of `initialize` have these headers and, in the metadata of a request, this prefix. */
const LATER_HEADERS = ["mcp-method", "mcp-name"] as const;
const LATER_META = "io.modelcontextprotocol/";

/** Undefined: the library answers it. */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | undefined {
  const version = headers["mcp-protocol-version"];
  if (version !== undefined && !INITIALIZED_VERSIONS.includes(String(version))) return undefined;
  if (LATER_HEADERS.some((name) => headers[name] !== undefined)) return undefined;
  const accept = headers.accept ?? "";
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return undefined;
  if (!isObject(message) || !hasOnly(message, CALL_FIELDS)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isObject(params) || !hasOnly(params, PARAMS)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  const { name, arguments: input, _meta: meta = {} } = params;
  if (typeof name !== "string" || !(input === undefined || isObject(input)) || !isPlainMeta(meta)) return undefined;
  return { id: id as string | number, name, input, meta };
}

function hasOnly(object: JsonObject, names: ReadonlySet<string>): boolean {
  return Object.keys(object).every((name) => names.has(name));
}

function isPlainMeta(meta: unknown): meta is JsonObject {
  if (!isObject(meta) || Object.keys(meta).some((key) => key.startsWith(LATER_META))) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};
/** Like the library, sends something at least this often, so that no one considers the connection dead. */
const KEEP_ALIVE_MS = 15_000;

/** The stream of events that answers one request; most often, its only event is the result. */
export class EventAnswer {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#keepAlive = setInterval(() => this.#write(": keepalive\n\n"), KEEP_ALIVE_MS).unref();
    response.once("close", () => clearInterval(this.#keepAlive));
  }

  send(message: object): void {
    this.#write(eventOf(JSON.stringify(message)));
  }

  /** `message` is JSON. */
  end(message: string): void {
    const event = Buffer.from(eventOf(message));
    // Headers and event leave together.
    if (!this.#response.headersSent) this.#response.writeHead(200, { ...HEADERS, "Content-Length": event.length });
    this.#response.end(event);
  }

  #write(text: string): void {
    if (this.#response.destroyed) return;
    if (!this.#response.headersSent) this.#response.writeHead(200, HEADERS);
    this.#response.write(text);
  }
}

function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
