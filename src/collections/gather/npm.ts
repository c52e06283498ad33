/**
 * Documents in an npm package: README, docs/ and other Markdown files. The registry comes from the user's own npm
 * settings, never from a project's, which may come with a foreign repository. A package must match its stated checksum.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { userHome } from "../../config/paths.ts";
import { endedWithQuestion } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { asObject, asString, type JsonObject, parseJson } from "../../kernel/json.ts";
import { type CollectionSource, realPath } from "../declaring/source.ts";
import { bareHost, mayBePrivate } from "../net/addresses.ts";
import { getWeb, type WebLimits } from "../net/fetch.ts";
import type { GatherContext, Gathered } from "./gather.ts";
import { slices, unpackTar } from "./package.ts";
import { highestIn } from "./versions.ts";
import { isDocument, selector } from "./walk.ts";
import { requireOk } from "./web_answer.ts";

const PUBLIC = "https://registry.npmjs.org/";
const MAX_LISTING_BYTES = 64 << 20;
const MAX_PACKAGE_BYTES = 128 << 20;
const MAX_RC_BYTES = 1 << 20;

export async function gatherNpm(
  source: Extract<CollectionSource, { kind: "npm" }>,
  context: GatherContext,
  now: () => number,
): Promise<Gathered> {
  const { name, range, exclude } = source;
  const registry = registryFor(name, context);
  const limits = { ...context.limits, allowPrivate: withHost(context.limits, registry.url) };
  const listing = await readListing(name, registry, limits);
  const version = pick(listing, name, range);
  const entry = asObject(asObject(listing.versions)[version]);
  const dist = asObject(entry.dist);
  const checksum = asString(dist.integrity) ?? asString(dist.shasum) ?? "";
  const known = asObject(context.state);
  if (known.version === version && known.checksum === checksum && checksum !== "") return { same: true };
  const tarball = asString(dist.tarball);
  if (tarball === undefined) throw failure(`${name}@${version} has no package to fetch.`);
  const sameHost = URL.canParse(tarball) && new URL(tarball).host === new URL(registry.url).host;
  const most = { ...limits, maxBytes: MAX_PACKAGE_BYTES, timeoutMs: limits.timeoutMs * 10 };
  const answer = await getWeb(tarball, most, sameHost ? registry.headers : {});
  requireOk(answer, tarball);
  checkIntegrity(answer.bytes, dist, `${name}@${version}`);
  const files = await unpackTar(Readable.from(slices(answer.bytes)), `${name}@${version}`, context);
  const updated = Date.parse(asString(asObject(listing.time)[version]) ?? "") || now();
  const { leavesOut } = selector({ include: [], exclude });
  for (const { path: full, bytes } of files) {
    // npm ignores the name of the first folder.
    const path = full.split("/").slice(1).join("/");
    if (!isPackageDocument(path) || leavesOut(path)) continue;
    await context.sink.file({ path, location: `npm:${name}@${version}/${path}`, bytes, updated });
  }
  return { state: { version, checksum } };
}

/** Leaves out licences, fixtures and built pages, which nobody searches for. */
function isPackageDocument(path: string): boolean {
  if (!isDocument(path) || /(?:^|\/)(?:node_modules|test|tests|__tests__|fixtures)\//.test(path)) return false;
  if (/(?:^|\/)licen[cs]e[^/]*$/i.test(path)) return false;
  return (
    /\.(?:md|markdown|mdx|rst|adoc)$/i.test(path) ||
    /(?:^|\/)(?:docs?|guides?)\//i.test(path) ||
    !/\.[a-z]+$/i.test(path)
  );
}

async function readListing(name: string, registry: Registry, limits: WebLimits): Promise<JsonObject> {
  const url = new URL(name.replace("/", "%2f"), registry.url).href;
  const answer = await getWeb(
    url,
    { ...limits, maxBytes: MAX_LISTING_BYTES },
    { accept: "application/json", ...registry.headers },
  );
  if (answer.status === 404) throw failure(`The npm package ${name} does not exist.`);
  requireOk(answer, url);
  const listing = parseJson(answer.bytes.toString("utf8"));
  if (listing === undefined) throw failure(`${url} did not answer with JSON.`);
  return asObject(listing);
}

function pick(listing: JsonObject, name: string, range: string): string {
  const versions = Object.keys(asObject(listing.versions));
  const tags = asObject(listing["dist-tags"]);
  const tagged = asString(tags[range]);
  const found = versions.includes(range) ? range : (tagged ?? highestIn(range, versions));
  if (found !== undefined && versions.includes(found)) return found;
  const latest = `The latest is ${asString(tags.latest) ?? "unknown"}`;
  throw failure(`${name} has no version ${range}.`, endedWithQuestion(latest, range, Object.keys(tags)));
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
  if (expected === "") throw failure(`The registry states no checksum for ${what}.`);
  if (createHash(kind).update(bytes).digest(encoding) !== expected) {
    throw failure(`${what} does not have the checksum that the registry states; nothing of it was taken in.`);
  }
}

interface Registry {
  url: string;
  headers: Record<string, string>;
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
    throw failure(`The npm registry "${stated}" is not an address.`);
  const url = new URL(stated.endsWith("/") ? stated : `${stated}/`);
  const key = `//${url.host}${url.pathname}`;
  const token = rc.get(`${key}:_authToken`) ?? rc.get(`${key.replace(/\/$/, "")}:_authToken`);
  const basic = rc.get(`${key}:_auth`);
  const authorization = token ? `Bearer ${token}` : basic ? `Basic ${basic}` : undefined;
  return { url: url.href, headers: authorization === undefined ? {} : { authorization } };
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

function failure(message: string, hint = "Check the name and the range, then run `dex docs sync` again."): DexError {
  return new DexError("npm_failed", message, { hint });
}
