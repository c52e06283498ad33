/**
 * The client for services that take a key: language models and embeddings. It sends a key only over https, or over http
 * to this machine. It follows no redirects, which would carry the key to another address. It limits the size of answers
 * and stops with its signal. A failure says whether a retry may help; its text comes from the service, so callers clean
 * it and hide the key before they show it.
 */
import { isAbort, systemCode } from "../errors.ts";
import { asObject, asString, parseJson } from "../json.ts";
import { formatBytes } from "../text.ts";
import { boundedText, retryAfter, TooLarge } from "./http.ts";
import { isLoopback } from "./loopback.ts";

const MAX_REFUSAL_BYTES = 64 << 10;
/** dex does not retry when the service asks for a longer wait. */
const MAX_WAIT_MS = 60_000;

export interface JsonRequest {
  url: string;
  key: string | undefined;
  body: string;
  signal: AbortSignal;
  accept?: string;
}

type FailureKind =
  | "unencrypted"
  | "redirect"
  | "denied"
  | "busy"
  | "refused"
  | "unreachable"
  | "too_large"
  | "cut"
  | "malformed";

export class RequestFailure extends Error {
  readonly kind: FailureKind;
  /** Whether a retry may help. */
  readonly again: boolean;
  /** Milliseconds the service asks to wait. */
  readonly waitMs: number | undefined;
  readonly status: number | undefined;

  constructor(
    kind: FailureKind,
    text: string,
    more: { again?: boolean; waitMs?: number | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(text, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.again = more.again ?? false;
    this.waitMs = more.waitMs;
    this.status = more.status;
  }
}

/** Whether others on the network could read a key sent to the address. */
export function sendsKeyUnencrypted(url: string, key: string | undefined): boolean {
  return key !== undefined && key !== "" && !/^https:/i.test(url) && !isLoopback(url);
}

/** The response of a service that accepted the request; otherwise throws a RequestFailure. */
export async function postJson(request: JsonRequest): Promise<Response> {
  const response = await send(request);
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    throw new RequestFailure("redirect", `answered with a redirect (${status}), which is not followed`, { status });
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function send({ url, key, body, signal, accept }: JsonRequest): Promise<Response> {
  if (sendsKeyUnencrypted(url, key)) {
    throw new RequestFailure("unencrypted", "would get the key over plain http, which others on the network can read");
  }
  const headers: Record<string, string> = { "content-type": "application/json", accept: accept ?? "application/json" };
  if (key) headers.authorization = `Bearer ${key}`;
  try {
    return await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = error instanceof Error ? error.cause : undefined;
    const code = systemCode(cause) ?? systemCode(error) ?? "network";
    throw new RequestFailure("unreachable", `cannot be reached (${code})`, { again: true, cause: error });
  }
}

/** Streams the text of an answer, up to a limit. */
export async function* answerText(response: Response, maxBytes: number): AsyncGenerator<string> {
  try {
    yield* boundedText(response, maxBytes);
  } catch (error) {
    if (isAbort(error)) throw error;
    if (error instanceof TooLarge) throw new RequestFailure("too_large", `sent more than ${formatBytes(maxBytes)}`);
    throw new RequestFailure("cut", "ended its answer in the middle", { again: true, cause: error });
  }
}

async function refusal(response: Response): Promise<RequestFailure> {
  let text = "";
  try {
    for await (const chunk of answerText(response, MAX_REFUSAL_BYTES)) text += chunk;
  } catch (error) {
    if (isAbort(error)) throw error;
    // The status alone is enough.
  }
  const { status } = response;
  const { error } = asObject(parseJson(text));
  const said = asString(error) ?? asString(asObject(error).message) ?? (text.startsWith("<") ? "" : text);
  // A retry does not help an account without credit.
  const isSpent = asString(asObject(error).code) === "insufficient_quota";
  const again = !isSpent && (status === 408 || status === 425 || status === 429 || status >= 500);
  const kind = status === 401 || status === 403 ? "denied" : status === 429 ? "busy" : "refused";
  return new RequestFailure(kind, `answered ${status}${said.trim() === "" ? "" : `: ${said.trim()}`}`, {
    again,
    waitMs: waitAsked(response.headers),
    status,
  });
}

/** Some services also name milliseconds, which are more exact. */
function waitAsked(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  return Number.isFinite(ms) && ms >= 0 ? ms : retryAfter(headers.get("retry-after"), Date.now());
}

export interface Retrying {
  /** Delays before the retries, unless the service names one. */
  waitsMs: readonly number[];
  signal: AbortSignal;
  /** No attempt starts after this time (monotonic ms). */
  endsAt?: number;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  onRetry?(failure: RequestFailure, waitMs: number): void;
}

/** Retries until it succeeds, fails permanently, or has no attempt left. */
export async function retrying<T>(attempt: () => Promise<T>, options: Retrying): Promise<T> {
  const { waitsMs, signal, endsAt = Number.POSITIVE_INFINITY, sleep = pause, onRetry } = options;
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const usual = waitsMs[tries];
      if (!(error instanceof RequestFailure) || !error.again || usual === undefined) throw error;
      const waitMs = error.waitMs ?? usual;
      if (waitMs > MAX_WAIT_MS || performance.now() + waitMs > endsAt) throw error;
      onRetry?.(error, waitMs);
      await sleep(waitMs, signal);
    }
  }
}

/** Local servers take any word as a key, such as `x`: it is not a secret, and may be part of other words. */
const MIN_SECRET_CHARS = 8;

/** Hides the key, because a service may repeat it. */
export function withoutKey(text: string, key: string | undefined): string {
  return key !== undefined && key.length >= MIN_SECRET_CHARS ? text.replaceAll(key, "…") : text;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
