/**
 * The archive of fetched files, from which the index can be rebuilt without a network. Contents are named by their hash,
 * never by a foreign path; the listing that maps paths to contents is replaced as a whole, after them. A kill leaves the
 * last listing and at most orphaned contents, which the next sync removes.
 */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { defined } from "../kernel/defined.ts";
import { DexError } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../kernel/json.ts";
import { compareText } from "../kernel/text.ts";
import type { CollectionSource } from "./declaring/source.ts";

export interface ArchivedFile {
  location: string;
  hash: string;
  bytes: number;
  updated: number;
  etag?: string;
  modified?: string;
  /** Stored as plain text, because its own format cannot be redacted. */
  text?: true;
}

export interface ArchivedCollection {
  source: CollectionSource;
  canonical: string;
  /** Paths of the files that declare it. */
  declared: string[];
  state?: Json;
  files: Map<string, ArchivedFile>;
}

const LISTING = "collection.json";
const CONTENTS = "contents";
const VERSION = 1;
const MAX_CONTENT_BYTES = 1 << 28;

export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Ids of all collections that were synced and not removed. */
export function listArchived(archive: string): string[] {
  if (!existsSync(archive)) return [];
  return readdirSync(archive)
    .filter((id) => /^[0-9a-f]{16}$/.test(id) && existsSync(join(archive, id, LISTING)))
    .toSorted(compareText);
}

/** Folders of collections, including those whose listing is missing or damaged. */
export function listCollectionFolders(archive: string): { id: string; listing: string }[] {
  if (!existsSync(archive)) return [];
  return readdirSync(archive)
    .filter((id) => /^[0-9a-f]{16}$/.test(id))
    .toSorted(compareText)
    .map((id) => ({ id, listing: join(archive, id, LISTING) }));
}

/** Paths of contents in the listing that are missing or do not match their hash. */
export function damagedContents(archive: string, id: string, collection: ArchivedCollection): string[] {
  const names = new Set([...collection.files.values()].map((file) => file.hash));
  return [...names].flatMap((name) => {
    try {
      readContent(archive, id, name);
      return [];
    } catch {
      return [contentPath(archive, id, name)];
    }
  });
}

/** Undefined: no listing, or an unreadable one; the collection is then fetched again. */
export function readArchived(archive: string, id: string): ArchivedCollection | undefined {
  const path = join(archive, id, LISTING);
  if (!existsSync(path)) return undefined;
  const value = parseJson(readFileSync(path, "utf8"));
  if (!isObject(value) || value.version !== VERSION) return undefined;
  const source = readSource(asObject(value.source));
  if (!source) return undefined;
  const files = new Map<string, ArchivedFile>();
  for (const [name, file] of Object.entries(asObject(value.files))) {
    const archived = readFile(asObject(file));
    if (archived) files.set(name, archived);
  }
  return {
    source,
    canonical: asString(value.canonical) ?? "",
    declared: strings(value.declared),
    ...(value.state === undefined ? {} : { state: value.state }),
    files,
  };
}

export function writeArchived(archive: string, id: string, collection: ArchivedCollection): void {
  const { source, canonical, declared, state } = collection;
  const files = Object.fromEntries([...collection.files].toSorted(([one], [other]) => compareText(one, other)));
  const value = { version: VERSION, canonical, source, declared, ...(state === undefined ? {} : { state }), files };
  writeFileAtomic(join(archive, id, LISTING), `${JSON.stringify(value)}\n`);
}

/** Writes a content unless it exists; returns its name. */
export function archiveContent(archive: string, id: string, bytes: Uint8Array): string {
  const name = contentHash(bytes);
  const path = contentPath(archive, id, name);
  if (!existsSync(path)) writeFileAtomic(path, zstdCompressSync(bytes));
  return name;
}

export function readContent(archive: string, id: string, name: string): Buffer {
  const path = contentPath(archive, id, name);
  try {
    const bytes = zstdDecompressSync(readFileSync(path), { maxOutputLength: MAX_CONTENT_BYTES });
    if (contentHash(bytes) === name) return bytes;
  } catch {
    // Missing and damaged contents get the same error, because they have the same remedy.
  }
  throw new DexError("damaged_archive", `${path} is missing or damaged.`, {
    hint: "Run `dex docs sync --full`: it fetches the collection again.",
  });
}

/** Removes contents that the listing does not refer to. */
export function removeOrphanedContents(archive: string, id: string, collection: ArchivedCollection): void {
  const folder = join(archive, id, CONTENTS);
  if (!existsSync(folder)) return;
  const named = new Set([...collection.files.values()].map((file) => file.hash));
  for (const shelf of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, shelf))) {
      if (!named.has(`${shelf}${name}`)) rmSync(join(folder, shelf, name), { force: true });
    }
  }
}

export function removeArchived(archive: string, id: string): void {
  // The listing first: contents without a listing are never read.
  rmSync(join(archive, id, LISTING), { force: true });
  rmSync(join(archive, id), { recursive: true, force: true });
}

function contentPath(archive: string, id: string, name: string): string {
  return join(archive, id, CONTENTS, name.slice(0, 2), name.slice(2));
}

function readFile(value: JsonObject): ArchivedFile | undefined {
  const name = asString(value.hash);
  if (!name || !/^[0-9a-f]{64}$/.test(name)) return undefined;
  return defined({
    location: asString(value.location) ?? "",
    hash: name,
    bytes: asNumber(value.bytes) ?? 0,
    updated: asNumber(value.updated) ?? 0,
    etag: asString(value.etag),
    modified: asString(value.modified),
    text: value.text === true || undefined,
  });
}

function readSource(value: JsonObject): CollectionSource | undefined {
  const exclude = strings(value.exclude);
  const text = (key: string): string => asString(value[key]) ?? "";
  const optional = (key: string): JsonObject => (asString(value[key]) ? { [key]: value[key] } : {});
  switch (value.kind) {
    case "folder":
      return {
        kind: "folder",
        root: text("root"),
        include: strings(value.include),
        ...(value.current === true ? { current: true } : {}),
        exclude,
      };
    case "git":
      return {
        kind: "git",
        url: text("url"),
        ...optional("ref"),
        ...optional("path"),
        ...optional("manifest"),
        exclude,
      };
    case "npm":
      return { kind: "npm", name: text("name"), range: text("range"), exclude };
    case "package":
    case "manifest":
      return { kind: value.kind, at: text("at"), exclude };
    case "site":
      return { kind: "site", url: text("url"), exclude };
    default:
      return undefined;
  }
}

function strings(value: unknown): string[] {
  return asArray(value).flatMap((each) => asString(each) ?? []);
}
