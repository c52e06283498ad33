/**
 * A manifest.json: `{name, version, description?, baseUrl?, sources: {glob: […]} | {files: ["a.md" | {path | url, hash?}]}}`.
 * Globs need a local folder; files may also be at `baseUrl`, or each at an address of its own.
 */
import { dirname, posix } from "node:path";
import { defined } from "../../kernel/defined.ts";
import { DexError } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { asArray, asObject, asString, isObject, type Json, parseJson } from "../../kernel/json.ts";
import { formatBytes } from "../../kernel/text.ts";
import { contentHash } from "../archive.ts";
import { type CollectionSource, realPath } from "../declaring/source.ts";
import { getWeb } from "../net/fetch.ts";
import { largerThan } from "../unpack/entry.ts";
import type { GatherContext, Gathered, GatheredFile } from "./gather.ts";
import { selector, walkFolder } from "./walk.ts";
import { requireOk, validators } from "./web_answer.ts";

export interface Manifest {
  name: string;
  version: string;
  description?: string;
  baseUrl?: string;
  glob: string[];
  files: ListedFile[];
}

interface ListedFile {
  path?: string;
  url?: string;
  /** SHA-256 in hexadecimal. */
  hash?: string;
}

export const MAX_MANIFEST_BYTES = 8 << 20;

export async function gatherManifest(
  source: Extract<CollectionSource, { kind: "manifest" }>,
  context: GatherContext,
  now: () => number,
): Promise<Gathered> {
  if (/^https?:\/\//.test(source.at)) return gatherRemote(source.at, source.exclude, context, now);
  const bytes = readLocal(source.at);
  const manifest = parseManifest(bytes, source.at);
  const away = manifest.baseUrl !== undefined || manifest.files.some(({ url }) => url !== undefined);
  if (away && context.mayFollow && !context.mayFollow(source.at, bytes.toString("utf8"))) {
    throw new DexError("untrusted", `${source.at} lists documents on the web.`, {
      hint: "Review the file, then run `dex trust` if you want dex to fetch them.",
    });
  }
  const folder = dirname(source.at);
  const walk = walkFolder(folder, { include: wanted(manifest), exclude: leftOut(manifest) }, context.limits.maxFiles);
  for (const { path, error } of walk.failed) context.sink.failed(path, error);
  const files = new Map<string, Buffer>();
  for (const { path, absolute, size } of walk.files) {
    const real = realPath(absolute);
    if (!isBelow(folder, real)) continue;
    const most = context.limits.maxBytes;
    const content = size > most ? undefined : readRegularFile(real, most);
    if (content) files.set(path, content);
    else context.sink.failed(path, size > most ? `It ${largerThan(most)}.` : "It cannot be read.");
  }
  await giveListed(manifest, files, source.exclude, context, (path) => posix.join(folder, path), now());
  return walk.failed.length > 0 ? { partial: true } : {};
}

/** Patterns for a walk: the globs and the listed files. */
function wanted(manifest: Manifest): string[] {
  const named = manifest.baseUrl === undefined ? manifest.files.flatMap(({ path }) => path ?? []) : [];
  return [...manifest.glob.filter((glob) => !glob.startsWith("!")), ...named];
}

function leftOut(manifest: Manifest): string[] {
  return manifest.glob.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
}

async function gatherRemote(
  address: string,
  exclude: readonly string[],
  context: GatherContext,
  now: () => number,
): Promise<Gathered> {
  const answer = await getWeb(address, { ...context.limits, maxBytes: MAX_MANIFEST_BYTES });
  requireOk(answer, address);
  const manifest = parseManifest(answer.bytes, address);
  if (manifest.glob.length > 0) {
    throw new DexError("bad_manifest", `${address} lists its files by globs, which only work for a folder.`, {
      hint: "List them under sources.files, or publish the folder as a .tar.gz (`dex docs pack`).",
    });
  }
  const base = manifest.baseUrl ?? answer.url;
  await giveListed({ ...manifest, baseUrl: base }, new Map(), exclude, context, (path) => path, now());
  return {};
}

/** Delivers the documents that the manifest lists, from local files and from the web. */
export async function giveListed(
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
  exclude: readonly string[],
  context: GatherContext,
  location: (path: string) => string,
  updated: number,
): Promise<void> {
  const { sink } = context;
  const given = new Set<string>();
  const { leavesOut } = selector({ include: [], exclude });
  const globbed =
    manifest.glob.length > 0
      ? selector({ include: wanted({ ...manifest, files: [] }), exclude: [...leftOut(manifest), ...exclude] })
      : undefined;
  for (const [path, bytes] of files) {
    if (!globbed?.takes(path)) continue;
    given.add(path);
    await sink.file({ path, location: location(path), bytes, updated });
  }
  for (const [i, file] of manifest.files.entries()) {
    sink.progress(i, manifest.files.length);
    const path = file.path ?? pathOf(file.url ?? "");
    if (given.has(path) || leavesOut(path)) continue;
    given.add(path);
    const here = file.url === undefined && manifest.baseUrl === undefined ? files.get(path) : undefined;
    if (here) await giveOne({ path, location: location(path), bytes: here, updated }, file.hash, context);
    else if (file.url !== undefined || manifest.baseUrl !== undefined) {
      await fetchOne(
        path,
        file.url ?? new URL(path, slashed(manifest.baseUrl ?? "")).href,
        file.hash,
        context,
        updated,
      );
    } else sink.failed(path, "The manifest lists it, but it does not exist.");
  }
}

async function giveOne(file: GatheredFile, hash: string | undefined, { sink }: GatherContext): Promise<void> {
  if (hash === undefined || contentHash(file.bytes) === hash) await sink.file(file);
  else sink.failed(file.path, "Its content does not match the hash in the manifest.");
}

async function fetchOne(
  path: string,
  url: string,
  hash: string | undefined,
  context: GatherContext,
  updated: number,
): Promise<void> {
  const { sink, limits } = context;
  const known = sink.known(path);
  try {
    const answer = await getWeb(url, limits, known?.location === url ? validators(known) : {});
    if (answer.status === 304) {
      sink.unchanged(path);
      return;
    }
    requireOk(answer, url);
    const { etag, "last-modified": modified } = answer.headers;
    const { bytes } = answer;
    await giveOne(defined({ path, location: url, bytes, updated, etag, modified }), hash, context);
  } catch (error) {
    if (!(error instanceof DexError) || error.code === "too_large") throw error;
    sink.failed(path, error.message);
  }
}

export function isManifest(bytes: Uint8Array): boolean {
  const value = bytes.length > MAX_MANIFEST_BYTES ? undefined : parseJson(Buffer.from(bytes).toString("utf8"));
  return isObject(value) && isObject(value.sources) && ("glob" in value.sources || "files" in value.sources);
}

export function parseManifest(bytes: Uint8Array, what: string): Manifest {
  const value = parseJson(Buffer.from(bytes).toString("utf8"));
  if (!isManifest(bytes) || !isObject(value)) {
    throw new DexError("bad_manifest", `${what} is not a manifest: it needs sources with glob or files.`, {
      hint: "See docs/guide/documents.md.",
    });
  }
  const sources = asObject(value.sources);
  const baseUrl = asString(value.baseUrl);
  const description = asString(value.description);
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl)) {
    throw new DexError("bad_manifest", `${what}: baseUrl must be an http or https address.`);
  }
  return {
    name: asString(value.name) ?? "",
    version: asString(value.version) ?? "",
    ...defined({ description, baseUrl }),
    glob: asArray(sources.glob)
      .flatMap((glob) => asString(glob) ?? [])
      .map((glob) => inside(glob, what)),
    files: asArray(sources.files).map((file) => listed(file, what)),
  };
}

function listed(file: Json, what: string): ListedFile {
  const entry = typeof file === "string" ? { path: file } : asObject(file);
  const path = asString(entry.path);
  const url = asString(asObject(entry).url);
  const hash = asString(asObject(entry).hash)
    ?.toLowerCase()
    .replace(/^sha256:/, "");
  const badUrl = url !== undefined && !/^https?:\/\//.test(url);
  if ((path === undefined && url === undefined) || badUrl || (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))) {
    throw new DexError(
      "bad_manifest",
      `${what} lists ${JSON.stringify(file).slice(0, 200)}, which is not a valid file entry.`,
      {
        hint: 'A file is "a.md", {"path": "a.md"} or {"url": "https://…"}, with an optional SHA-256 hash.',
      },
    );
  }
  return defined({ path: path === undefined ? undefined : inside(path, what), url, hash });
}

function inside(path: string, what: string): string {
  const clean = path.replace(/^(!?)\.\//, "$1");
  if (/^!?\//.test(clean) || clean.split("/").includes("..") || clean.includes("\\") || clean.includes("\0")) {
    throw new DexError("bad_manifest", `${what} names "${path.slice(0, 200)}", a path that leaves its folder.`);
  }
  return clean;
}

/** A file known only by its address is named after its host and path. */
function pathOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname.endsWith("/") ? `${pathname}index.html` : pathname}`;
}

function slashed(base: string): string {
  return base.endsWith("/") || /\.json$/.test(base) ? base : `${base}/`;
}

function readLocal(path: string): Buffer {
  const bytes = readRegularFile(path, MAX_MANIFEST_BYTES);
  if (bytes) return bytes;
  throw new DexError(
    "no_source",
    `${path} cannot be read: it is not a file of at most ${formatBytes(MAX_MANIFEST_BYTES)}.`,
    {
      hint: "Correct the source.",
    },
  );
}
