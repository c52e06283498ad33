/**
 * Vectors from a service that speaks the embeddings protocol of OpenAI (Ollama, llama.cpp, vLLM and most others do).
 * Texts of conversations leave the machine here, so: only to the address in the settings, no redirect is followed,
 * and the key comes from the environment and never travels unencrypted to another machine.
 */
import { setTimeout as pause } from "node:timers/promises";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { boundedText, retryAfter, TooLarge } from "../kernel/http.ts";
import { asArray, asNumber, asObject, asString, type Json, parseJson } from "../kernel/json.ts";
import { isLoopback } from "../kernel/loopback.ts";
import { normalised } from "../kernel/quantise.ts";
import { MAX_DIMS } from "./model_file.ts";
import type { Provider } from "./provider.ts";

const BATCH = 64;
const MAX_REQUEST_CHARS = 200_000;
/** About 2,000 tokens: beyond it most models cut or refuse. */
const MAX_TEXT_CHARS = 8_000;
const MAX_ANSWER_BYTES = 64 << 20;
const MAX_ERROR_CHARS = 200;
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;
const PATIENCE_MS = 60_000;
const WORTH_RETRYING = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface EndpointOptions {
  url: string;
  model: string;
  /** Asked of the service, and checked. Unknown, it is what the service gives for a first word. */
  dims?: number | undefined;
  key?: string | undefined;
  /** The first wait before a retry; each further one is twice as long. */
  firstWaitMs?: number;
  /** How long one request may take. */
  patienceMs?: number;
}

interface Endpoint extends EndpointOptions {
  address: URL;
}

export async function openEndpoint(options: EndpointOptions): Promise<Provider> {
  const endpoint = { ...options, address: addressOf(options) };
  const dims = options.dims ?? (await measureDims(endpoint));
  return {
    name: `endpoint:${options.model}`,
    dims,
    batch: BATCH,
    embed: (texts, signal) => embedAll(endpoint, dims, texts, signal),
    close: async () => {},
  };
}

function addressOf({ url, key }: EndpointOptions): URL {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw refused(`${JSON.stringify(url)} is not a web address.`);
  const address = new URL(url);
  if (address.username !== "" || address.password !== "") {
    throw refused("embedding.url holds a password.", "Take it out and set DEX_EMBEDDING_API_KEY instead.");
  }
  if (key && address.protocol === "http:" && !isLoopback(url)) {
    throw refused(`${address.host} would get the key unencrypted.`, "Use an https address, or unset the key.");
  }
  const path = address.pathname.replace(/\/+$/, "");
  address.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
  return address;
}

async function measureDims(endpoint: Endpoint): Promise<number> {
  const [vector] = await request(endpoint, ["dimensions"], undefined);
  if (!vector) throw refused(`${endpoint.address.host} gave a vector of zeros.`);
  return vector.length;
}

async function embedAll(
  endpoint: Endpoint,
  dims: number,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<(Float32Array | undefined)[]> {
  const vectors: (Float32Array | undefined)[] = new Array(texts.length).fill(undefined);
  for (const group of groupsOf(texts)) {
    const answer = await request(
      endpoint,
      group.map(({ text }) => text),
      signal,
    );
    for (const [i, { place }] of group.entries()) {
      const vector = answer[i];
      if (vector && vector.length !== dims) throw wrongDims(endpoint, vector.length, dims);
      vectors[place] = vector;
    }
  }
  return vectors;
}

interface Placed {
  place: number;
  text: string;
}

/** Requests of bounded size. Empty texts, which services refuse, are left out. */
function* groupsOf(texts: readonly string[]): Generator<Placed[]> {
  let group: Placed[] = [];
  let chars = 0;
  for (const [place, whole] of texts.entries()) {
    const text = whole.slice(0, MAX_TEXT_CHARS).toWellFormed();
    if (text.trim() === "") continue;
    if (group.length === BATCH || chars + text.length > MAX_REQUEST_CHARS) {
      yield group;
      group = [];
      chars = 0;
    }
    group.push({ place, text });
    chars += text.length;
  }
  if (group.length > 0) yield group;
}

async function request(
  endpoint: Endpoint,
  input: string[],
  signal: AbortSignal | undefined,
): Promise<(Float32Array | undefined)[]> {
  const { model, dims, firstWaitMs = FIRST_WAIT_MS } = endpoint;
  const body = JSON.stringify({ model, input, ...(dims === undefined ? {} : { dimensions: dims }) });
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(endpoint, body, signal);
    if ("answer" in outcome) return readVectors(endpoint, outcome.answer, input.length);
    signal?.throwIfAborted();
    const wait = outcome.waitMs ?? firstWaitMs * 2 ** (attempt - 1);
    if (!outcome.retry || attempt === ATTEMPTS || wait > MAX_WAIT_MS) throw outcome.error;
    await pause(wait, undefined, { signal });
  }
}

type Outcome = { answer: string } | { error: DexError; retry: boolean; waitMs?: number | undefined };

async function send(endpoint: Endpoint, body: string, signal: AbortSignal | undefined): Promise<Outcome> {
  const { address, key, patienceMs = PATIENCE_MS } = endpoint;
  const timeout = AbortSignal.timeout(patienceMs);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    let answer = "";
    for await (const chunk of boundedText(response, MAX_ANSWER_BYTES)) answer += chunk;
    if (response.ok) return { answer };
    const error = statusError(endpoint, response.status, answer);
    const waitMs = retryAfter(response.headers.get("retry-after"), Date.now());
    return { error, retry: WORTH_RETRYING.has(response.status), waitMs };
  } catch (error) {
    if (error instanceof TooLarge) return { error: refused(`${address.host} answered with too much.`), retry: false };
    const reason = timeout.aborted ? `no answer in ${patienceMs / 1000} s` : reasonOf(error);
    return { error: refused(`${address.host} cannot be reached: ${reason}.`, REACH, error), retry: true };
  }
}

const REACH = "Check embedding.url and that the service runs, then run the command again.";

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorMessage(cause).replace(/\.$/, "");
}

function statusError({ address, model, key }: Endpoint, status: number, answer: string): DexError {
  if (status >= 300 && status < 400) {
    return refused(
      `${address.host} redirects elsewhere, which is not followed.`,
      "Set embedding.url to the new address.",
    );
  }
  const hidden = key ? answer.replaceAll(key, "…") : answer;
  const said = hidden
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_ERROR_CHARS);
  const message = `${address.host} answered ${status}${said === "" ? "" : `: ${said}`}`;
  if (status === 401 || status === 403) {
    return refused(message, key ? "Check DEX_EMBEDDING_API_KEY." : "Set DEX_EMBEDDING_API_KEY.");
  }
  if (status === 404) return refused(message, `Check embedding.url, and that the service has the model ${model}.`);
  if (WORTH_RETRYING.has(status)) return refused(message, "Run the command again later.");
  return refused(message, "Check embedding.model and embedding.dims.");
}

function readVectors(endpoint: Endpoint, answer: string, count: number): (Float32Array | undefined)[] {
  const { host } = endpoint.address;
  const data = asArray(asObject(parseJson(answer)).data);
  if (data.length !== count) throw refused(`${host} gave ${data.length} vectors for ${count} texts.`);
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  const given = new Set<number>();
  for (const [i, item] of data.entries()) {
    const { index, embedding } = asObject(item);
    const place = asNumber(index) ?? i;
    if (!Number.isInteger(place) || place < 0 || place >= count || given.has(place)) {
      throw refused(`${host} gave vectors that do not match the texts.`);
    }
    given.add(place);
    vectors[place] = normalised(readVector(host, embedding));
  }
  return vectors;
}

function readVector(host: string, value: Json | undefined): Float32Array {
  if (asString(value) !== undefined) throw refused(`${host} gave vectors as text, not as numbers.`);
  const numbers = asArray(value);
  if (numbers.length === 0 || numbers.length > MAX_DIMS) {
    throw refused(`${host} gave a vector of ${numbers.length} dimensions; 1 to ${MAX_DIMS} are possible.`);
  }
  return Float32Array.from(numbers, (number) => {
    if (asNumber(number) === undefined) throw refused(`${host} gave a vector that holds more than numbers.`);
    return Number(number);
  });
}

function wrongDims({ address, model }: Endpoint, got: number, expected: number): DexError {
  return refused(
    `${address.host} gave vectors of ${got} dimensions for ${model}, not ${expected}.`,
    `Set embedding.dims: ${got}, or leave it out, and run \`dex reindex --vectors\`.`,
  );
}

function refused(message: string, hint = "Check the embedding settings.", cause?: unknown): DexError {
  return new DexError("embedding_endpoint", message, { hint, cause });
}
