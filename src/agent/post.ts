/**
 * One request to a model's server, within bounds: no redirect is followed (it would carry the key elsewhere), no answer
 * is larger than it may be, and nothing outlasts its signal. What goes wrong is a Failure that says whether trying again
 * may help; its text comes from elsewhere and is cleaned before anybody sees it.
 */
import { systemCode } from "../kernel/errors.ts";
import { boundedText, retryAfter, TooLarge } from "../kernel/http.ts";
import { asObject, asString, parseJson } from "../kernel/json.ts";
import { formatBytes } from "../kernel/text.ts";
import { StreamedReply, type WireReply, wholeReply } from "./wire.ts";

const LARGEST_ANSWER = 16 << 20;
const LARGEST_REFUSAL = 64 << 10;

export interface Post {
  url: string;
  key: string | undefined;
  body: string;
  signal: AbortSignal;
  onText?(text: string): void;
}

export class Failure extends Error {
  readonly code: string;
  /** Whether trying again may help. */
  readonly again: boolean;
  /** Milliseconds the server asks to wait. */
  readonly wait: number | undefined;
  readonly status: number | undefined;

  constructor(
    code: string,
    text: string,
    more: { again?: boolean; wait?: number; status?: number; cause?: unknown } = {},
  ) {
    super(text, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.again = more.again ?? false;
    this.wait = more.wait;
    this.status = more.status;
  }
}

export async function post(request: Post): Promise<WireReply> {
  const response = await send(request);
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new Failure("model_redirect", `answered with a redirect (${response.status}), which is not followed`);
  }
  if (!response.ok) throw await refusal(response);
  const type = (response.headers.get("content-type") ?? "").toLowerCase();
  return type.includes("text/event-stream") ? readEvents(response, request.onText) : readWhole(response, type, request);
}

async function send({ url, key, body, signal }: Post): Promise<Response> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  try {
    return await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (error) {
    if (signal.aborted) throw error;
    throw networkFailure(error);
  }
}

async function readWhole(response: Response, type: string, { onText }: Post): Promise<WireReply> {
  let text = "";
  for await (const chunk of chunksOf(response, LARGEST_ANSWER)) text += chunk;
  const reply = wholeReply(text);
  if (!reply) {
    const said = asString(asObject(asObject(parseJson(text)).error).message);
    if (said !== undefined) throw new Failure("model_refused", `answered: ${said}`);
    const what = parseJson(text) === undefined ? "which is not valid JSON" : "which is no chat completion";
    throw new Failure("model_malformed", `answered ${type.split(";")[0] || "something"}, ${what}`, { again: true });
  }
  // Asked for a stream, the server gave the answer at once.
  if (reply.text !== "") onText?.(reply.text);
  return reply;
}

async function readEvents(response: Response, onText: Post["onText"]): Promise<WireReply> {
  const streamed = new StreamedReply();
  // Pieces of the line that is not ended yet: joined once, however many there are.
  let open: string[] = [];
  const take = (line: string): void => {
    const text = streamed.line(line.trimEnd());
    if (text !== "") onText?.(text);
  };
  for await (const chunk of chunksOf(response, LARGEST_ANSWER)) {
    const lines = chunk.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      take(open.join("") + line);
      open = [];
    }
    open.push(last);
  }
  take(open.join(""));
  if (streamed.failure !== undefined) {
    throw new Failure("model_refused", `broke off its answer: ${streamed.failure}`, { again: true });
  }
  if (streamed.events === 0)
    throw new Failure("model_malformed", "sent a stream without an answer in it", { again: true });
  const reply = streamed.reply();
  if (reply.finish === undefined) throw new Failure("model_cut", "ended its answer in the middle", { again: true });
  return reply;
}

async function* chunksOf(response: Response, most: number): AsyncGenerator<string> {
  try {
    yield* boundedText(response, most);
  } catch (error) {
    if (isAbort(error)) throw error;
    if (error instanceof TooLarge) throw new Failure("model_too_large", `sent more than ${formatBytes(most)}`);
    throw new Failure("model_cut", "ended its answer in the middle", { again: true, cause: error });
  }
}

async function refusal(response: Response): Promise<Failure> {
  let text = "";
  try {
    for await (const chunk of chunksOf(response, LARGEST_REFUSAL)) text += chunk;
  } catch (error) {
    if (isAbort(error)) throw error;
    // The status says enough.
  }
  const { status } = response;
  const { error } = asObject(parseJson(text));
  const said = asString(error) ?? asString(asObject(error).message) ?? (text.startsWith("<") ? "" : text);
  // Nothing is gained by asking again an account that has no credit.
  const spent = asString(asObject(error).code) === "insufficient_quota";
  const again = !spent && (status === 408 || status === 429 || status >= 500);
  const wait = waitOf(response.headers);
  const code = status === 401 || status === 403 ? "model_denied" : status === 429 ? "model_busy" : "model_refused";
  return new Failure(code, `answered ${status}${said.trim() === "" ? "" : `: ${said.trim()}`}`, {
    again,
    wait,
    status,
  });
}

/** Some servers name milliseconds too, which are more exact. */
function waitOf(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  return Number.isFinite(ms) && ms >= 0 ? ms : retryAfter(headers.get("retry-after"), Date.now());
}

function networkFailure(error: unknown): Failure {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = systemCode(cause) ?? systemCode(error) ?? "network";
  return new Failure("model_unreachable", `cannot be reached (${code})`, { again: true, cause: error });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
