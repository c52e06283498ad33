/**
 * Who may use the API. A page of another site can send requests to this port, through the names of this machine or
 * through a name of its own, so Host and Origin must be exactly this server's. The token is not a cookie, because a
 * browser sends the cookies of 127.0.0.1 to every port of it.
 */
import type { IncomingMessage } from "node:http";
import { presentsToken } from "../serving/token.ts";
import type { ApiError } from "./answers.ts";

export interface Access {
  /** Of this server: `http://127.0.0.1:4321`. */
  origin: string;
  /** Any one of them admits a request. */
  tokens: readonly string[];
}

const forbidden = (message: string): ApiError => ({ status: 403, code: "forbidden", message });

/** Why a request is refused, whatever it asks for. */
export function refusedHost({ headers }: IncomingMessage, { origin }: Access): ApiError | undefined {
  if (headers.host !== undefined && hostsOf(origin).includes(headers.host.toLowerCase())) return undefined;
  return forbidden(`This server is at ${origin} only.`);
}

/** Why a request to the API is refused. */
export function refusal(request: IncomingMessage, access: Access): ApiError | undefined {
  const { headers } = request;
  const badHost = refusedHost(request, access);
  if (badHost) return badHost;
  const site = headers["sec-fetch-site"];
  const isOwn = headers.origin === undefined || headers.origin === `http://${headers.host}`;
  if (!isOwn || (site !== undefined && site !== "same-origin")) return forbidden("Pages of other sites may not ask.");
  // Every token is compared, so that the time says nothing about them.
  const presented = access.tokens.map((token) => presentsToken(headers.authorization, token));
  if (presented.includes(true)) return undefined;
  return {
    status: 401,
    code: "no_token",
    message: "This address needs the token of the running server.",
    hint: "Open the address that `dex web` printed; every start has a new one.",
  };
}

/** The names under which a browser reaches the server. */
function hostsOf(origin: string): string[] {
  const { port } = new URL(origin);
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}
