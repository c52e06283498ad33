/**
 * Vectors from a service with OpenAI's embeddings protocol (Ollama, llama.cpp, vLLM and most others). Texts of
 * conversations leave the machine here, so dex sends them only to the configured address, follows no redirect, takes the
 * key from the environment and never sends it unencrypted to another machine.
 */
import { DexError } from "../kernel/errors.ts";
import { asArray, asNumber, asObject, asString, type Json, parseJson } from "../kernel/json.ts";
import {
  answerText,
  postJson,
  RequestFailure,
  retrying,
  sendsKeyUnencrypted,
  withoutKey,
} from "../kernel/net/json_client.ts";
import { cleanLine } from "../text/clean.ts";
import { normalised } from "../vectors/quantise.ts";
import { MAX_DIMS } from "./model_file.ts";
import { endpointName, type Provider } from "./provider.ts";

const MAX_BATCH_TEXTS = 64;
const MAX_REQUEST_CHARS = 200_000;
/** About 2,000 tokens; most models truncate or refuse longer texts. */
const MAX_TEXT_CHARS = 8_000;
const MAX_ANSWER_BYTES = 64 << 20;
const MAX_ERROR_CHARS = 200;
const MAX_RETRIES = 4;
const FIRST_BACKOFF_MS = 500;
const REQUEST_TIMEOUT_MS = 60_000;

export interface EndpointOptions {
  url: string;
  model: string;
  /** Requested from the service and checked; undefined: measured with a first request. */
  dims?: number | undefined;
  key?: string | undefined;
  /** The wait before the first retry; it doubles with each further one. */
  firstBackoffMs?: number;
  /** Limit for one request. */
  timeoutMs?: number;
}

interface Endpoint extends EndpointOptions {
  address: URL;
}

export async function openEndpoint(options: EndpointOptions): Promise<Provider> {
  const endpoint = { ...options, address: addressOf(options) };
  const dims = options.dims ?? (await measureDims(endpoint));
  return {
    name: endpointName(options.model),
    dims,
    batch: MAX_BATCH_TEXTS,
    embed: (texts, signal) => embedAll(endpoint, dims, texts, signal),
    close: async () => {},
  };
}

function addressOf({ url, key }: EndpointOptions): URL {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw refused(`${JSON.stringify(url)} is not a web address.`);
  const address = new URL(url);
  if (address.username !== "" || address.password !== "") {
    throw refused("embedding.url contains a password.", "Remove it and set DEX_EMBEDDING_API_KEY instead.");
  }
  if (sendsKeyUnencrypted(url, key)) {
    throw refused(`dex would send the key unencrypted to ${address.host}.`, "Use an https address, or unset the key.");
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
    for (const [i, { index }] of group.entries()) {
      const vector = answer[i];
      if (vector && vector.length !== dims) throw wrongDims(endpoint, vector.length, dims);
      vectors[index] = vector;
    }
  }
  return vectors;
}

interface IndexedText {
  index: number;
  text: string;
}

/** Groups texts into requests of limited size. Empty texts, which services refuse, are left out. */
function* groupsOf(texts: readonly string[]): Generator<IndexedText[]> {
  let group: IndexedText[] = [];
  let chars = 0;
  for (const [index, whole] of texts.entries()) {
    const text = whole.slice(0, MAX_TEXT_CHARS).toWellFormed();
    if (text.trim() === "") continue;
    if (group.length === MAX_BATCH_TEXTS || chars + text.length > MAX_REQUEST_CHARS) {
      yield group;
      group = [];
      chars = 0;
    }
    group.push({ index, text });
    chars += text.length;
  }
  if (group.length > 0) yield group;
}

async function request(
  endpoint: Endpoint,
  input: string[],
  signal: AbortSignal | undefined,
): Promise<(Float32Array | undefined)[]> {
  const { model, dims, firstBackoffMs = FIRST_BACKOFF_MS } = endpoint;
  const body = JSON.stringify({ model, input, ...(dims === undefined ? {} : { dimensions: dims }) });
  const caller = signal ?? new AbortController().signal;
  const waitsMs = Array.from({ length: MAX_RETRIES }, (_, i) => firstBackoffMs * 2 ** i);
  try {
    const answer = await retrying(() => send(endpoint, body, caller), { waitsMs, signal: caller });
    return readVectors(endpoint, answer, input.length);
  } catch (error) {
    throw error instanceof RequestFailure ? explained(endpoint, error) : error;
  }
}

async function send(
  { address, key, timeoutMs = REQUEST_TIMEOUT_MS }: Endpoint,
  body: string,
  caller: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([caller, timeout]);
    const response = await postJson({ url: address.href, key, body, signal });
    let answer = "";
    for await (const chunk of answerText(response, MAX_ANSWER_BYTES)) answer += chunk;
    return answer;
  } catch (error) {
    if (!timeout.aborted || caller.aborted) throw error;
    throw new RequestFailure("unreachable", `gave no answer in ${timeoutMs / 1000} s`, { again: true, cause: error });
  }
}

/** An error that names the service and never contains the key. */
function explained({ address, model, key }: Endpoint, failure: RequestFailure): DexError {
  const { kind, status } = failure;
  const message = `${address.host} ${cleanLine(withoutKey(failure.message, key), MAX_ERROR_CHARS)}`;
  if (kind === "denied") return refused(message, key ? "Check DEX_EMBEDDING_API_KEY." : "Set DEX_EMBEDDING_API_KEY.");
  if (kind === "redirect")
    return refused(message, "Set embedding.url to the address it redirects to, if you trust it.");
  if (kind === "unreachable" || kind === "cut") return refused(message, CHECK_SERVICE, failure);
  if (status === 404) return refused(message, `Check embedding.url, and that the service has the model ${model}.`);
  if (failure.again) return refused(message, "Run the command again later.");
  return refused(message, "Check embedding.model and embedding.dims.");
}

const CHECK_SERVICE = "Check embedding.url and that the service runs, then run the command again.";

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
    if (asNumber(number) === undefined) throw refused(`${host} gave a vector with something other than numbers.`);
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
