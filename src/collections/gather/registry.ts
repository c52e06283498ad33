/**
 * An npm registry: the listing of a package, its versions and checksums. The registry comes from the user's own npm
 * settings, never from a project's, which may come with a foreign repository.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { userHome } from "../../config/paths.ts";
import { endedWithQuestion } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { asObject, asString, type JsonObject, parseJson } from "../../kernel/json.ts";
import { realPath } from "../declaring/source.ts";
import { bareHost, mayBePrivate } from "../net/addresses.ts";
import { getWeb, type WebLimits } from "../net/fetch.ts";
import { highestIn } from "../versions/ranges.ts";
import type { GatherContext } from "./gather.ts";
import { requireOk } from "./web_answer.ts";

const PUBLIC = "https://registry.npmjs.org/";
const MAX_LISTING_BYTES = 64 << 20;
const MAX_PACKAGE_BYTES = 128 << 20;
const MAX_RC_BYTES = 1 << 20;
const MAX_AUTHORITIES_BYTES = 8 << 20;

/** The registry's description of a package: its versions, tags and times. */
export async function readListing(name: string, context: GatherContext): Promise<JsonObject> {
  const { registry, limits } = registryWithLimits(name, context);
  const url = new URL(name.replace("/", "%2f"), registry.url).href;
  const answer = await getWeb(
    url,
    { ...limits, maxBytes: MAX_LISTING_BYTES },
    { accept: "application/json", ...registry.headers },
  );
  if (answer.status === 404) throw npmFailure(`The npm package ${name} does not exist.`);
  requireOk(answer, url);
  const listing = parseJson(answer.bytes.toString("utf8"));
  if (listing === undefined) throw npmFailure(`${url} did not answer with JSON.`);
  return asObject(listing);
}

/** The packed files of a version, which match its stated checksum. */
export async function fetchTarball(
  name: string,
  version: string,
  dist: JsonObject,
  context: GatherContext,
): Promise<Buffer> {
  const { registry, limits } = registryWithLimits(name, context);
  const tarball = asString(dist.tarball);
  if (tarball === undefined) throw npmFailure(`${name}@${version} has no package to fetch.`);
  const sameHost = URL.canParse(tarball) && new URL(tarball).host === new URL(registry.url).host;
  const most = { ...limits, maxBytes: MAX_PACKAGE_BYTES, timeoutMs: limits.timeoutMs * 10 };
  const answer = await getWeb(tarball, most, sameHost ? registry.headers : {});
  requireOk(answer, tarball);
  checkIntegrity(answer.bytes, dist, `${name}@${version}`);
  return answer.bytes;
}

/** Whether both packages come from the same registry. */
export function shareRegistry(name: string, other: string, context: GatherContext): boolean {
  return registryFor(name, context).url === registryFor(other, context).url;
}

function registryWithLimits(name: string, context: GatherContext): { registry: Registry; limits: WebLimits } {
  const registry = registryFor(name, context);
  const { authorities } = registry;
  const allowPrivate = withHost(context.limits, registry.url);
  return { registry, limits: { ...context.limits, allowPrivate, ...(authorities ? { authorities } : {}) } };
}

/** The version that the range stands for: itself, a tag, or the highest in it. */
export function pickVersion(listing: JsonObject, name: string, range: string): string {
  const versions = Object.keys(asObject(listing.versions));
  const tags = asObject(listing["dist-tags"]);
  const tagged = asString(tags[range]);
  const found = versions.includes(range) ? range : (tagged ?? highestIn(range, versions));
  if (found !== undefined && versions.includes(found)) return found;
  const latest = `The latest is ${asString(tags.latest) ?? "unknown"}`;
  throw npmFailure(`${name} has no version ${range}.`, endedWithQuestion(latest, range, Object.keys(tags)));
}

function checkIntegrity(bytes: Buffer, dist: JsonObject, what: string): void {
  const stated = (asString(dist.integrity) ?? "")
    .split(/\s+/)
    .map((each) => /^(sha512|sha384|sha256)-([A-Za-z0-9+/=]+)/.exec(each));
  const strongest = ["sha512", "sha384", "sha256"]
    .map((kind) => stated.find((each) => each?.[1] === kind))
    .find(Boolean);
  const shasum = asString(dist.shasum);
  const [kind, encoding, expected] = strongest
    ? [strongest[1] ?? "", "base64" as const, strongest[2] ?? ""]
    : (["sha1", "hex" as const, shasum ?? ""] as const);
  if (expected === "") throw npmFailure(`The registry states no checksum for ${what}.`);
  if (createHash(kind).update(bytes).digest(encoding) !== expected) {
    throw npmFailure(`${what} does not have the checksum that the registry states, so dex used nothing of it.`);
  }
}

interface Registry {
  url: string;
  headers: Record<string, string>;
  /** Certificates of its authorities, if the settings name them. */
  authorities?: string;
}

function registryFor(name: string, { registry, vars }: GatherContext): Registry {
  const rc = readRc(vars);
  const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : undefined;
  const stated =
    registry ??
    (scope === undefined ? undefined : rc.get(`${scope}:registry`)) ??
    vars.npm_config_registry ??
    vars.NPM_CONFIG_REGISTRY ??
    rc.get("registry") ??
    PUBLIC;
  if (!/^https?:\/\//.test(stated) || !URL.canParse(stated))
    throw npmFailure(`The npm registry "${stated}" is not an address.`);
  const url = new URL(stated.endsWith("/") ? stated : `${stated}/`);
  const key = `//${url.host}${url.pathname}`;
  const token = rc.get(`${key}:_authToken`) ?? rc.get(`${key.replace(/\/$/, "")}:_authToken`);
  const basic = rc.get(`${key}:_auth`);
  const authorization = token ? `Bearer ${token}` : basic ? `Basic ${basic}` : undefined;
  const authorities = authoritiesIn(rc, vars);
  return {
    url: url.href,
    headers: authorization === undefined ? {} : { authorization },
    ...(authorities === undefined ? {} : { authorities }),
  };
}

/** As npm reads `cafile`: the certificates in it replace the known authorities. */
function authoritiesIn(rc: ReadonlyMap<string, string>, vars: NodeJS.ProcessEnv): string | undefined {
  const path = vars.npm_config_cafile ?? vars.NPM_CONFIG_CAFILE ?? rc.get("cafile");
  if (!path) return undefined;
  return readRegularFile(realPath(path), MAX_AUTHORITIES_BYTES)?.toString("utf8");
}

/** The user chose the registry, so it may be at a private address. */
function withHost({ allowPrivate }: WebLimits, url: string): WebLimits["allowPrivate"] {
  const host = bareHost(new URL(url).hostname);
  return mayBePrivate(host, allowPrivate) ? allowPrivate : [...(Array.isArray(allowPrivate) ? allowPrivate : []), host];
}

function readRc(vars: NodeJS.ProcessEnv): Map<string, string> {
  const settings = new Map<string, string>();
  const path = vars.npm_config_userconfig ?? vars.NPM_CONFIG_USERCONFIG ?? join(userHome(vars), ".npmrc");
  const text = readRegularFile(realPath(path), MAX_RC_BYTES)?.toString("utf8") ?? "";
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^\s*([^;#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    settings.set(
      key,
      value.replace(/^"(.*)"$/, "$1").replace(/\$\{(\w+)\}/g, (_, variable: string) => vars[variable] ?? ""),
    );
  }
  return settings;
}

function npmFailure(message: string, hint = "Check the name and the range."): DexError {
  return new DexError("npm_failed", message, { hint });
}
