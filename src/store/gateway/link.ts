/**
 * A member's side of the gateway: the same statements as over a direct connection, each as one HTTPS request with the
 * statement's name and parameters. No database driver is loaded.
 */
import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as plainRequest,
} from "node:http";
import { Agent as HttpsAgent, request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";
import { issuerCertificates } from "../postgres/certificates.ts";
import type { LinkOptions } from "../postgres/connection.ts";
import { serverFailure, unreachable } from "../postgres/failure.ts";
import type { Parameter, Row, StatementName, TeamLink } from "../postgres/statements.ts";
import {
  CALL_PATH,
  CONTENT_TYPE,
  GATEWAY_HEADER,
  MAX_ANSWER_BYTES,
  MalformedMessage,
  packCall,
  unpackAnswer,
  unpackRefusal,
} from "./wire.ts";

const CONNECT_MS = 10_000;
const CALL_MS = 60_000;
/** Maximum requests at once; further calls wait. */
const CONNECTIONS = 4;
/** dex closes connections that are idle for this long, because proxies and firewalls drop them silently. */
const IDLE_MS = 20_000;
/** Delay before dex repeats a call that the gateway had no room for. */
const MIN_WAIT_MS = 50;
const MAX_WAIT_MS = 2000;

interface Answer {
  status: number;
  isGateway: boolean;
  body: Buffer;
}

export class GatewayLink implements TeamLink {
  readonly #place: URL;
  readonly #agent: Agent;
  readonly #callMs: number;
  readonly #token: string;
  readonly #running = new Set<ClientRequest>();
  #isCut = false;

  private constructor(place: URL, agent: Agent, options: LinkOptions) {
    this.#place = place;
    this.#agent = agent;
    this.#callMs = options.callMs ?? CALL_MS;
    this.#token = decodeURIComponent(place.password);
    options.signal?.addEventListener("abort", () => {
      this.#isCut = true;
      for (const request of this.#running) request.destroy(lost());
    });
  }

  /** `https://dex:<token>@host/`; without TLS only on this machine. */
  static open(url: string, options: LinkOptions = {}): GatewayLink {
    const place = new URL(url);
    if (place.protocol === "http:" && !isLoopback(url)) {
      throw new DexError("team_insecure", "dex reaches a gateway on another machine only over https.", {
        hint: "Ask for an invitation whose address begins with https.",
      });
    }
    const settings = { keepAlive: true, timeout: IDLE_MS, maxSockets: options.connections ?? CONNECTIONS };
    const agent =
      place.protocol === "http:"
        ? new HttpAgent(settings)
        : new HttpsAgent({ ...settings, ...issuerCertificates(place) });
    watchSockets(agent, options);
    return new GatewayLink(place, agent, options);
  }

  async call(name: StatementName, ...parameters: Parameter[]): Promise<Row[]> {
    const body = packCall(parameters);
    const until = Date.now() + this.#callMs;
    for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const answer = await this.#send(name, body, until - Date.now());
      if (answer.status === 200) return rowsOf(answer);
      const { code, retrySeconds } = unpackRefusal(answer.body);
      const pause = Math.max(wait, retrySeconds * 1000) * (0.5 + Math.random() / 2);
      const isBusy = answer.isGateway && code === "busy" && Date.now() + pause < until;
      if (!isBusy) throw refusal(name, answer, code);
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  #send(name: StatementName, body: readonly Uint8Array[], ms: number): Promise<Answer> {
    const { protocol, hostname, port, pathname } = this.#place;
    const send = protocol === "http:" ? plainRequest : secureRequest;
    return new Promise((resolve, reject) => {
      const request = send({
        agent: this.#agent,
        host: hostname.replace(/^\[|\]$/g, ""),
        port: port === "" ? undefined : port,
        path: `${pathname.replace(/\/$/, "")}${CALL_PATH}${name}`,
        method: "POST",
        headers: {
          Authorization: `Bearer ${this.#token}`,
          "Content-Type": CONTENT_TYPE,
          "Content-Length": body.reduce((sum, { length }) => sum + length, 0),
        },
      });
      let hasAnswer = false;
      const timer = setTimeout(() => request.destroy(unreachable("The team's server did not answer in time.")), ms);
      this.#running.add(request);
      request.once("close", () => {
        clearTimeout(timer);
        this.#running.delete(request);
        // After the start of an answer, `readBody` reports how it ends.
        if (!hasAnswer) reject(lost());
      });
      request.once("error", (error) => reject(networkFailure(error)));
      request.once("response", (response) => {
        hasAnswer = true;
        readBody(response).then(
          (bytes) =>
            resolve({
              status: response.statusCode ?? 0,
              isGateway: response.headers[GATEWAY_HEADER] !== undefined,
              body: bytes,
            }),
          (error: unknown) => reject(networkFailure(error)),
        );
      });
      if (this.#isCut) request.destroy(lost());
      request.cork();
      for (const piece of body) request.write(piece);
      request.end();
    });
  }
}

function lost(): DexError {
  return unreachable("The connection to the team's server was lost.");
}

/** Limits the time that each new socket may take to connect, and passes the socket to `onSocket`. */
function watchSockets(agent: Agent, { connectMs = CONNECT_MS, onSocket }: LinkOptions): void {
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = open(...given) as Socket;
    onSocket?.(socket);
    const timer = setTimeout(() => socket.destroy(unreachable("The team's server did not answer in time.")), connectMs);
    socket.once(agent instanceof HttpsAgent ? "secureConnect" : "connect", () => clearTimeout(timer));
    socket.once("close", () => clearTimeout(timer));
    return socket;
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new DexError("team_limit", "The answer of the team's gateway is too large.", {
        hint: "The gateway and this dex may have different versions: update the older one.",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function rowsOf({ isGateway, body }: Answer): Row[] {
  if (!isGateway) throw notGateway(200);
  try {
    return unpackAnswer(body);
  } catch (error) {
    if (error instanceof MalformedMessage) throw unreachable(`The team's gateway sent ${error.message}.`, error);
    throw error;
  }
}

/** An answer of a proxy in front of the gateway does not come from the team, so it revokes no access. */
function notGateway(status: number): DexError {
  return unreachable(`Something other than a gateway of dex answers at the team's address (HTTP ${status}).`);
}

function refusal(name: StatementName, { status, isGateway }: Answer, code: string): unknown {
  if (!isGateway) return notGateway(status);
  if (code === "busy") return unreachable("The team's gateway is busy.");
  if (code === "unavailable") return unreachable("The team's gateway cannot reach its database.");
  if (code === "unknown_call" || code === "bad_call") {
    return new DexError("team_schema", `The team's gateway does not know the call ${name} of this dex.`, {
      hint: "The gateway and this dex have different versions: update the older one.",
    });
  }
  if (code === "too_large") return serverFailure(Object.assign(new Error(code), { code: "DX004" }));
  const failure = serverFailure(Object.assign(new Error(code), { code }));
  if (failure instanceof DexError) return failure;
  return new DexError("team_gateway", `The team's gateway could not do this (${name}, ${code || status}).`, {
    hint: "Its operator finds the reason in the gateway's log.",
  });
}

function networkFailure(error: unknown): unknown {
  const failure = serverFailure(error);
  if (failure instanceof DexError) return failure;
  return unreachable(`The team's gateway cannot be reached (${systemCode(error) ?? errorMessage(error)}).`, error);
}
