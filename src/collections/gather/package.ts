/** A tar.gz or zip, local or remote: its documents, or those that its manifest lists. */
import { statSync } from "node:fs";
import { Readable } from "node:stream";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { asObject, asString } from "../../kernel/json.ts";
import { formatBytes } from "../../kernel/text.ts";
import type { CollectionSource } from "../declaring/source.ts";
import { getWeb } from "../net/fetch.ts";
import type { Unpacked, UnpackLimits, UnpackSink } from "../unpack/entry.ts";
import type { GatherContext, Gathered, GatherLimits } from "./gather.ts";
import { giveListed, isManifest, parseManifest } from "./manifest.ts";
import { isDocument, selector } from "./walk.ts";
import { requireOk, validators } from "./web_answer.ts";

/** A package is unpacked in memory. */
const MAX_PACKED_BYTES = 256 << 20;
const MAX_UNPACKED_BYTES = 512 << 20;
const MANIFEST = /(?:^|\/)manifest\.json$/;

export async function gatherPackage(
  source: Extract<CollectionSource, { kind: "package" }>,
  context: GatherContext,
  now: () => number,
): Promise<Gathered> {
  const packed = /^https?:\/\//.test(source.at)
    ? await fetchPackage(source.at, context)
    : readPackage(source.at, context);
  if (!packed) return { same: true };
  const files = await unpack(packed.bytes, source.at, context);
  const updated = packed.updated ?? now();
  await giveFiles(stripRoot(files), source.exclude, context, (path) => `${source.at}#${path}`, updated);
  return { state: packed.state };
}

/** All documents among the files, or those that a manifest at their root lists. */
export async function giveFiles(
  files: readonly Unpacked[],
  exclude: readonly string[],
  context: GatherContext,
  location: (path: string) => string,
  updated: number,
): Promise<void> {
  const manifest = files.find(({ path }) => path === "manifest.json");
  if (manifest && isManifest(manifest.bytes)) {
    const listed = parseManifest(manifest.bytes, "manifest.json");
    await giveListed(
      listed,
      new Map(files.map(({ path, bytes }) => [path, bytes])),
      exclude,
      context,
      location,
      updated,
    );
    return;
  }
  const { takes } = selector({ include: [], exclude });
  for (const { path, bytes } of files) {
    if (takes(path)) await context.sink.file({ path, location: location(path), bytes, updated });
  }
}

interface Packed {
  bytes: Buffer;
  updated?: number;
  state: { etag?: string; modified?: string; stamp?: string };
}

function readPackage(path: string, { state, limits }: GatherContext): Packed | undefined {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch (error) {
    throw new DexError("no_source", `${path} cannot be read (${systemCode(error)}).`, {
      hint: "Correct the source.",
      cause: error,
    });
  }
  const stamp = `${stats.size}:${stats.mtimeMs}`;
  if (asString(asObject(state).stamp) === stamp) return undefined;
  const most = Math.min(MAX_PACKED_BYTES, limits.maxTotal);
  if (stats.size > most) {
    throw new DexError("too_large", `${path} is larger than ${formatBytes(most)}.`, {
      hint: "Unpack it and add the folder.",
    });
  }
  const bytes = readRegularFile(path, most);
  if (!bytes) {
    throw new DexError("no_source", `${path} cannot be read: it is not a regular file.`, {
      hint: "Correct the source.",
    });
  }
  return { bytes, updated: Math.trunc(stats.mtimeMs), state: { stamp } };
}

async function fetchPackage(address: string, { state, limits }: GatherContext): Promise<Packed | undefined> {
  const known = asObject(state);
  const answer = await getWeb(
    address,
    { ...limits, maxBytes: Math.min(MAX_PACKED_BYTES, limits.maxTotal), timeoutMs: limits.timeoutMs * 10 },
    validators({ etag: asString(known.etag), modified: asString(known.modified) }),
  );
  if (answer.status === 304) return undefined;
  requireOk(answer, address);
  const { etag, "last-modified": modified } = answer.headers;
  const updated = modified === undefined ? Number.NaN : Date.parse(modified);
  return {
    bytes: answer.bytes,
    ...(Number.isNaN(updated) ? {} : { updated }),
    state: { ...(etag === undefined ? {} : { etag }), ...(modified === undefined ? {} : { modified }) },
  };
}

async function unpack(bytes: Buffer, what: string, context: GatherContext): Promise<Unpacked[]> {
  if (bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") {
    const { readZip } = await import("../unpack/zip.ts");
    const files: Unpacked[] = [];
    await readZip(bytes, what, unpackLimits(context.limits), collector(files, context));
    return files;
  }
  return unpackTar(Readable.from(slices(bytes)), what, context);
}

export async function unpackTar(
  stream: Readable,
  what: string,
  context: GatherContext,
  more: Partial<UnpackLimits> = {},
  /** Files that are wanted besides documents. */
  alsoWants: (path: string) => boolean = () => false,
): Promise<Unpacked[]> {
  const { readTar } = await import("../unpack/tar.ts");
  const files: Unpacked[] = [];
  await readTar(stream, what, { ...unpackLimits(context.limits), ...more }, collector(files, context, alsoWants));
  return files;
}

/** In pieces, so a decompression bomb is detected before it is fully unpacked. */
export function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function unpackLimits({ maxBytes, maxTotal, maxFiles }: GatherLimits): UnpackLimits {
  return { maxFile: maxBytes, maxTotal: Math.min(maxTotal, MAX_UNPACKED_BYTES), maxEntries: maxFiles * 4 };
}

function collector(
  files: Unpacked[],
  { sink }: GatherContext,
  alsoWants: (path: string) => boolean = () => false,
): UnpackSink {
  return {
    wants: (path) => isDocument(path) || MANIFEST.test(path) || alsoWants(path),
    file: (path, bytes) => void files.push({ path, bytes }),
    failed: (path, error) => sink.failed(path, `It ${error}.`),
    skipped: (path, reason) => sink.skipped(path, `It ${reason}.`),
  };
}

/** Most packages contain a single top folder; its name, often with a version, is not part of a document's path. */
export function stripRoot(files: readonly Unpacked[]): Unpacked[] {
  const roots = new Set(files.map(({ path }) => (path.includes("/") ? (path.split("/")[0] ?? "") : "")));
  const [root = ""] = roots;
  if (roots.size !== 1 || root === "") return [...files];
  return files.map(({ path, bytes }) => ({ path: path.slice(root.length + 1), bytes }));
}
