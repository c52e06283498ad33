/**
 * Fetches one document from the web, within limits. Every hop of a redirect is checked like the first: the name is
 * resolved once, its addresses are checked, and the connection goes to a checked address, which prevents DNS rebinding.
 */
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { DexError, errorMessage, isAbort, systemCode } from "../../kernel/errors.ts";
import { retryAfter } from "../../kernel/net/http.ts";
import { formatBytes } from "../../kernel/text.ts";
import { VERSION } from "../../version.ts";
import { bareHost, isPublicAddress, mayBePrivate, type PrivateHosts } from "./addresses.ts";
import { checkedLookup } from "./lookup.ts";
import { proxyFor } from "./proxy.ts";

export interface WebLimits {
  allowPrivate: PrivateHosts;
  maxBytes: number;
  timeoutMs: number;
  /** Environment with the proxy settings to use. */
  proxyVars?: NodeJS.ProcessEnv;
  /** Certificates (PEM) that replace the known authorities: a registry inside a company has its own. */
  authorities?: string;
}

export interface WebAnswer {
  status: number;
  /** The address after all redirects. */
  url: string;
  headers: IncomingMessage["headers"];
  bytes: Buffer;
}

const MAX_REDIRECTS = 5;
const MAX_RETRIES = 2;
const MAX_RETRY_AFTER_MS = 10_000;
/** Limit on the decompressed size of an answer, as a multiple of its compressed size. */
const MAX_EXPANSION = 200;

export const USER_AGENT = `dex/${VERSION} (documentation for local search)`;

/** Keeps connections alive. Unchecked connections are never reused for checked requests. */
const agents = {
  checked: { "http:": new PlainAgent({ keepAlive: true }), "https:": new SecureAgent({ keepAlive: true }) },
  free: { "http:": new PlainAgent({ keepAlive: true }), "https:": new SecureAgent({ keepAlive: true }) },
};

type AgentPair = (typeof agents)["free"];
const proxied = new Map<string, AgentPair>();

/** The proxy makes the connection, so the requested address is checked instead. */
function agentsThrough(proxy: string): AgentPair {
  const known = proxied.get(proxy);
  if (known) return known;
  const options = { keepAlive: true, proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
  const made = { "http:": new PlainAgent(options), "https:": new SecureAgent(options) };
  proxied.set(proxy, made);
  return made;
}

/** GET. A status of 400 or more is an answer; a request without an answer throws a DexError. */
export async function getWeb(
  address: string,
  limits: WebLimits,
  headers: Record<string, string> = {},
): Promise<WebAnswer> {
  let url = webAddress(address);
  let sent = headers;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await getPatiently(url, limits, sent);
    const target = redirectOf(answer, url);
    if (!target) return answer;
    if (url.protocol === "https:" && target.protocol !== "https:") {
      throw webError("bad_redirect", `${url.href} redirects to ${target.href}, which is not encrypted.`);
    }
    // Credentials for one host must not reach another.
    if (target.host !== url.host) sent = withoutKeys(sent);
    url = target;
  }
  throw webError("bad_redirect", `${address} redirects more than ${MAX_REDIRECTS} times.`);
}

export function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw webError("bad_url", `${address} is not an http or https address.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw webError("bad_url", `The address of ${url.host} contains a user name or password; dex does not send those.`);
  }
  return url;
}

function redirectOf(answer: WebAnswer, from: URL): URL | undefined {
  const target = answer.headers.location;
  if (answer.status < 300 || answer.status > 399 || answer.status === 304 || target === undefined) return undefined;
  if (!URL.canParse(target, from.href)) throw webError("bad_redirect", `${from.href} redirects to no address.`);
  return webAddress(new URL(target, from).href);
}

function withoutKeys(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
}

/** Retries when the server is busy, after the time it states. */
async function getPatiently(url: URL, limits: WebLimits, headers: Record<string, string>): Promise<WebAnswer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await getOnce(url, limits, headers);
    if ((answer.status !== 429 && answer.status !== 503) || tries >= MAX_RETRIES) return answer;
    const pause = retryAfter(answer.headers["retry-after"], Date.now()) ?? 500 * 2 ** tries;
    if (pause > MAX_RETRY_AFTER_MS) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function getOnce(url: URL, limits: WebLimits, headers: Record<string, string>): Promise<WebAnswer> {
  const host = bareHost(url.hostname);
  const free = mayBePrivate(host, limits.allowPrivate);
  if (!free && isIP(host) !== 0 && !isPublicAddress(host)) throw privateError(url.host, host);
  const proxy = proxyFor(url, limits.proxyVars ?? {});
  if (proxy !== undefined && !free) await refusePrivateName(url);
  const pair = proxy === undefined ? agents[free ? "free" : "checked"] : agentsThrough(proxy);
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      request.destroy();
      reject(error instanceof DexError ? error : unreachable(url, error, limits));
    };
    const request = send(url, {
      agent: pair[url.protocol === "https:" ? "https:" : "http:"],
      lookup: free || proxy !== undefined ? undefined : publicLookup(url.host),
      headers: { "user-agent": USER_AGENT, accept: "*/*", "accept-encoding": "gzip, br, deflate", ...headers },
      signal: AbortSignal.timeout(limits.timeoutMs),
      ...(limits.authorities === undefined ? {} : { ca: limits.authorities }),
    });
    request.on("error", fail);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > limits.maxBytes) fail(tooLarge(url, limits));
        else chunks.push(chunk);
      });
      response.on("error", fail);
      // A truncated answer must not replace a complete page.
      response.on("aborted", () => fail(new Error("the answer broke off")));
      response.on("end", () => {
        try {
          const bytes = decode(Buffer.concat(chunks), response.headers["content-encoding"], url, limits);
          resolve({ status: response.statusCode ?? 0, url: url.href, headers: response.headers, bytes });
        } catch (error) {
          fail(error);
        }
      });
    });
    request.end();
  });
}

function decode(bytes: Buffer, encoding: string | undefined, url: URL, limits: WebLimits): Buffer {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  const maxOutputLength = Math.min(limits.maxBytes, Math.max(1 << 20, bytes.length * MAX_EXPANSION));
  try {
    if (encoding === "gzip" || encoding === "x-gzip") return gunzipSync(bytes, { maxOutputLength });
    if (encoding === "br") return brotliDecompressSync(bytes, { maxOutputLength });
    if (encoding === "deflate") return inflateSync(bytes, { maxOutputLength });
  } catch (error) {
    if (systemCode(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(url, limits);
    throw error;
  }
  throw new Error(`the answer is encoded as ${encoding.slice(0, 40)}`);
}

function publicLookup(host: string): LookupFunction {
  return checkedLookup(isPublicAddress, (address) => privateError(host, address));
}

/** Behind a proxy the name may not resolve here; if it does, it must be public. */
async function refusePrivateName(url: URL): Promise<void> {
  try {
    await publicAddressOf(url.hostname);
  } catch (error) {
    if (error instanceof DexError && error.code === "private_address") throw error;
  }
}

/** The public address of a name, for a program that would resolve it again by itself (git). */
export function publicAddressOf(hostname: string): Promise<string> {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) {
    return isPublicAddress(host) ? Promise.resolve(host) : Promise.reject(privateError(hostname, host));
  }
  return new Promise((resolve, reject) => {
    publicLookup(hostname)(host, { all: false }, (error, address) => {
      if (error)
        reject(
          error instanceof DexError
            ? error
            : webError("unreachable", `${hostname} is not known (${error.code ?? error.message}).`),
        );
      else resolve(String(address));
    });
  });
}

function privateError(host: string, address: string): DexError {
  return webError(
    "private_address",
    `${host} leads to ${address}, which is not a public address, so dex did not connect to it.`,
    {
      hint: `To allow this host, add "${bareHost(host.replace(/:\d+$/, ""))}" to docs.allowPrivate in dex's config.yaml.`,
    },
  );
}

function unreachable(url: URL, error: unknown, { timeoutMs }: WebLimits): DexError {
  // Only the timeout aborts a request.
  if (isAbort(error)) {
    return webError("unreachable", `${url.href} did not answer within ${timeoutMs / 1000} s.`, {
      hint: "Try again later, or raise docs.timeout.",
    });
  }
  return webError("unreachable", `${url.href} cannot be reached: ${systemCode(error) ?? errorMessage(error)}.`, {
    cause: error,
  });
}

function tooLarge(url: URL, limits: WebLimits): DexError {
  return webError("too_large", `${url.href} is larger than ${formatBytes(limits.maxBytes)}.`);
}

function webError(code: string, message: string, options: { hint?: string; cause?: unknown } = {}): DexError {
  return new DexError(code, message, { hint: "Check the address.", ...options });
}
