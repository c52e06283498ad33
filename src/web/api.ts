/** The client of the server: one function that calls a verb, with the types of the verb. */
import { signal } from "@preact/signals";
import type { OperationInput, OperationName, OperationOutput } from "../operations/by_name.ts";
import { currentToken, judgeToken } from "./token.ts";

const REFUSED = 401;
/** The server refuses such a request whatever its token is. */
const FORBIDDEN = 403;

/** `lost`: the server does not answer; `denied`: it does not accept the token. */
export type Connection = "up" | "lost" | "denied";
export const connection = signal<Connection>("up");

/** An error as the server describes it. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The query is still being typed: the server writes no trace. */
  draft?: boolean;
}

/** Runs a verb on the server. */
export async function call<Name extends OperationName>(
  verb: Name,
  input: OperationInput<Name>,
  options: CallOptions = {},
): Promise<OperationOutput<Name>> {
  const response = await request(verb, input, options);
  return (await response.json()) as OperationOutput<Name>;
}

/** A line of the answer to a long call: its progress, a step of an answer, and at last the result or the error. */
type Line =
  | { type: "progress"; done: number; total: number; label: string }
  | { type: "step"; step: unknown }
  | { type: "result"; result: unknown }
  | { type: "error"; error: { code: string; message: string; hint?: string } };

export interface Progress {
  done: number;
  total: number;
  label: string;
}

/** Runs a verb that takes long, and reports its progress meanwhile. */
export async function callLong<Name extends OperationName>(
  verb: Name,
  input: OperationInput<Name>,
  progress: (at: Progress) => void,
  options: CallOptions = {},
): Promise<OperationOutput<Name>> {
  const { body } = await request(verb, input, options, { Accept: "application/x-ndjson" });
  for await (const line of readLines<Line>(body)) {
    if (line.type === "progress") progress(line);
    if (line.type === "error") throw new ApiError(line.error.code, line.error.message, line.error.hint);
    if (line.type === "result") return line.result as OperationOutput<Name>;
  }
  throw new ApiError("unreachable", "The server ended the call without an answer.", "Try again.");
}

async function request(
  verb: string,
  input: unknown,
  { signal, draft }: CallOptions,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await send(`/api/${verb.replaceAll(" ", "/")}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...headers,
      ...(draft ? { "X-Dex-Draft": "1" } : {}),
    },
    body: JSON.stringify(input),
    signal: signal ?? null,
  });
  if (!response.ok) throw errorOf(await response.json().catch(() => undefined), response.status);
  return response;
}

/** The values of a stream of JSON lines. */
export async function* readLines<T>(body: ReadableStream<Uint8Array> | null): AsyncGenerator<T> {
  if (!body) return;
  let rest = "";
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as T;
  }
}

/** A request that tells the rest of the page whether the server can be reached. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await sendWithToken(path, init);
    connection.value = response.status === REFUSED ? "denied" : "up";
    return response;
  } catch (error) {
    if (!isAbort(error)) connection.value = "lost";
    throw isAbort(error) ? error : new ApiError("unreachable", "The server does not answer.", "Run `dex web` again.");
  }
}

/** A refused request is sent again if there is another token by then: that of all tabs, or that of a newer link. */
async function sendWithToken(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  for (;;) {
    const token = currentToken();
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const response = await fetch(path, { ...init, headers });
    if (response.status !== FORBIDDEN) judgeToken(token, response.status !== REFUSED);
    if (response.status !== REFUSED || currentToken() === token) return response;
  }
}

function errorOf(answer: unknown, status: number): ApiError {
  const { code, message, hint } = (answer ?? {}) as { code?: string; message?: string; hint?: string };
  return new ApiError(code ?? `http_${status}`, message ?? `The server answered with status ${status}.`, hint);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
