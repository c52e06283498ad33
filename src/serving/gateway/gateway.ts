/**
 * The gateway of a team: members without a PostgreSQL login call named statements over HTTPS. It runs no other SQL, and
 * has no accounts of its own: the server checks the token of a device in the transaction of every call.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { acceptsParameters, isStatement, JOINING } from "../../store/gateway/parameters.ts";
import {
  AnswerPacker,
  CALL_PATH,
  CONTENT_TYPE,
  GATEWAY_HEADER,
  HEALTH_PATH,
  MAX_ANSWER_BYTES,
  MAX_CALL_BYTES,
  MalformedMessage,
  packRefusal,
  unpackCall,
  type Value,
} from "../../store/gateway/wire.ts";
import type { StatementName } from "../../store/postgres/statements.ts";
import { Admission } from "./admission.ts";
import type { ConnectionPool } from "./pool.ts";
import { Busy } from "./slots.ts";

const MAX_ROWS = 1_000_000;
const BUSY_SECONDS = 1;
/** How long a client may take to read its answer. */
const ANSWER_MS = 120_000;
const CHUNK_BYTES = 1 << 20;

/** A refusal, with the status of HTTP and a word for the client. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

/** One finished request, for a log. No part of it is secret. */
export interface Served {
  name: string;
  status: number;
  ms: number;
  bytesIn: number;
  bytesOut: number;
  code?: string;
}

export class Gateway {
  readonly #pool: ConnectionPool;
  readonly #admission: Admission;
  readonly #served: (served: Served) => void;
  readonly #failed: (error: unknown) => void;

  /** `failed` is called for errors other than refusals. */
  constructor(pool: ConnectionPool, report: { served(served: Served): void; failed(error: unknown): void }) {
    this.#pool = pool;
    this.#admission = new Admission(pool);
    this.#served = report.served;
    this.#failed = report.failed;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const path = request.url?.split("?")[0] ?? "";
    const done: Served = { name: "", status: 200, ms: 0, bytesIn: 0, bytesOut: 0 };
    try {
      if (path === HEALTH_PATH) return await this.#health(response);
      await this.#call(request, response, path, done);
    } catch (error) {
      const { status, code } = this.#refusalOf(error, done.name);
      done.status = status;
      done.code = code;
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(response, status, code);
    } finally {
      done.ms = performance.now() - began;
      if (path !== HEALTH_PATH) this.#served(done);
    }
  }

  async #call(request: IncomingMessage, response: ServerResponse, path: string, done: Served): Promise<void> {
    const token = presentedToken(request);
    const key = token.toString("hex");
    await this.#admission.admit(token, key);
    if (!path.startsWith(CALL_PATH)) throw new Refused(404, "unknown_call");
    const name = path.slice(CALL_PATH.length);
    if (!isStatement(name)) throw new Refused(404, "unknown_call");
    done.name = name;
    if (request.method !== "POST") throw new Refused(405, "unknown_call");
    const length = Number(request.headers["content-length"] ?? Number.NaN);
    if (!Number.isSafeInteger(length) || length < 0) throw new Refused(411, "bad_call");
    if (length > MAX_CALL_BYTES) throw new Refused(413, "too_large");
    await this.#admission.asDevice(key, async () => {
      if (request.destroyed) return;
      let held = 0;
      const hold = (bytes: number): void => {
        this.#admission.hold(bytes);
        held += bytes;
      };
      try {
        hold(length);
        done.bytesIn = length;
        const parameters = parametersOf(name, await readBody(request, length));
        const pieces = await this.#run(token, key, name, parameters, hold);
        done.bytesOut = await answer(response, pieces);
      } finally {
        this.#admission.release(held);
      }
    });
  }

  async #run(
    token: Buffer,
    key: string,
    name: StatementName,
    parameters: readonly Value[],
    hold: (bytes: number) => void,
  ): Promise<Uint8Array[]> {
    const packer = new AnswerPacker();
    let size = 0;
    let over: Error | undefined;
    const onRow = (row: Record<string, unknown>): boolean => {
      try {
        const bytes = packer.add(row);
        size += bytes;
        hold(bytes);
        if (size > MAX_ANSWER_BYTES || packer.rows > MAX_ROWS) over = new Refused(413, "too_large");
      } catch (error) {
        over = error as Error;
      }
      return over === undefined;
    };
    try {
      await this.#pool.call({ token, isJoining: JOINING.has(name) }, name, parameters, onRow);
    } catch (error) {
      if (error instanceof DexError && error.code === "team_access") this.#admission.refused(key);
      throw over ?? error;
    }
    if (over) throw over;
    this.#admission.accepted(key);
    return packer.finish();
  }

  async #health(response: ServerResponse): Promise<void> {
    const isAlive = await this.#pool.isAlive();
    response.writeHead(isAlive ? 200 : 503, { "Content-Type": "application/json", [GATEWAY_HEADER]: "1" });
    response.end(JSON.stringify({ ok: isAlive }));
  }

  #refusalOf(error: unknown, name: string): { status: number; code: string } {
    if (error instanceof Refused) return { status: error.status, code: error.message };
    if (error instanceof Busy) return { status: 503, code: "busy" };
    if (error instanceof MalformedMessage) return { status: 400, code: "bad_call" };
    if (error instanceof DexError) {
      // The code that dex's functions raised; the client makes the same sentence of it as over a direct connection.
      const code = systemCode(error.cause) ?? "";
      if (/^DX\d{3}$/.test(code)) return { status: code === "DX001" ? 401 : 403, code };
      this.#failed(error);
      return { status: 503, code: "unavailable" };
    }
    const state = systemCode(error) ?? "";
    // The server's message may quote a value, so only its code goes back or to the log.
    if (/^[0-9A-Z]{5}$/.test(state)) {
      this.#failed(new Error(`PostgreSQL refused the call ${name} (${state}).`));
      return { status: state.startsWith("22") || state.startsWith("23") ? 400 : 500, code: state };
    }
    if (state !== "ECONNRESET" && state !== "ERR_STREAM_PREMATURE_CLOSE" && state !== "ABORT_ERR") this.#failed(error);
    return { status: 500, code: "failed" };
  }
}

/** The hash of the presented token. Anything that is not a token gets the same answer as an unknown or revoked one. */
function presentedToken({ headers }: IncomingMessage): Buffer {
  const token = /^Bearer ([\w-]{43})$/i.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) throw new Refused(401, "DX001");
  return createHash("sha256").update(token).digest();
}

async function readBody(request: IncomingMessage, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > length) throw new Refused(413, "too_large");
    chunks.push(chunk);
  }
  if (size !== length) throw new Refused(400, "bad_call");
  return Buffer.concat(chunks, size);
}

function parametersOf(name: StatementName, body: Buffer): Value[] {
  const parameters = unpackCall(body);
  if (!acceptsParameters(name, parameters)) throw new Refused(400, "bad_call");
  return parameters;
}

/** Writes no faster than the client reads. */
async function answer(response: ServerResponse, pieces: readonly Uint8Array[]): Promise<number> {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  response.writeHead(200, { "Content-Type": CONTENT_TYPE, "Content-Length": bytes, [GATEWAY_HEADER]: "1" });
  await pipeline(Readable.from(chunksOf(pieces)), response, { signal: AbortSignal.timeout(ANSWER_MS) });
  return bytes;
}

function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const isBusy = code === "busy";
  response.writeHead(status, {
    "Content-Type": "application/json",
    // The gateway does not read the rest of the body.
    Connection: "close",
    [GATEWAY_HEADER]: "1",
    ...(status === 401 ? { "WWW-Authenticate": 'Bearer realm="dex"' } : {}),
    ...(isBusy ? { "Retry-After": String(BUSY_SECONDS) } : {}),
  });
  response.end(packRefusal(code, isBusy ? BUSY_SECONDS : undefined));
}
