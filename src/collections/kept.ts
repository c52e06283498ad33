/**
 * What was fetched from elsewhere, kept so that the index can be made anew without a network. Contents are named by
 * their hash and never by a path from outside; the listing that gives them their names is replaced as a whole, after
 * them. A kill leaves the last listing, and at most contents that nobody names, which the next sync removes.
 */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
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
import type { CollectionSource } from "./source.ts";

export interface KeptFile {
  location: string;
  hash: string;
  bytes: number;
  updated: number;
  etag?: string;
  modified?: string;
  /** The text of a file that held secrets and cannot be written without them in its own format. */
  text?: true;
}

export interface KeptCollection {
  source: CollectionSource;
  canonical: string;
  /** Files that declare it. */
  declared: string[];
  state?: Json;
  files: Map<string, KeptFile>;
}

const LISTING = "collection.json";
const CONTENTS = "contents";
const VERSION = 1;
const LARGEST = 1 << 28;

export function contentHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Every collection that a sync has ever taken in and nobody removed. */
export function listKept(archive: string): string[] {
  if (!existsSync(archive)) return [];
  return readdirSync(archive)
    .filter((id) => /^[0-9a-f]{16}$/.test(id) && existsSync(join(archive, id, LISTING)))
    .toSorted(compareText);
}

/** Folders of collections, with or without a listing that can be read. */
export function listCollectionFolders(archive: string): { id: string; listing: string }[] {
  if (!existsSync(archive)) return [];
  return readdirSync(archive)
    .filter((id) => /^[0-9a-f]{16}$/.test(id))
    .toSorted(compareText)
    .map((id) => ({ id, listing: join(archive, id, LISTING) }));
}

/** Paths of contents that the listing names and that are gone, or are not what their name says. */
export function damagedContents(archive: string, id: string, kept: KeptCollection): string[] {
  const names = new Set([...kept.files.values()].map((file) => file.hash));
  return [...names].flatMap((name) => {
    try {
      readContent(archive, id, name);
      return [];
    } catch {
      return [contentPath(archive, id, name)];
    }
  });
}

/** Undefined: there is none, or it cannot be read; it is then fetched again. */
export function readKept(archive: string, id: string): KeptCollection | undefined {
  const path = join(archive, id, LISTING);
  if (!existsSync(path)) return undefined;
  const value = parseJson(readFileSync(path, "utf8"));
  if (!isObject(value) || value.version !== VERSION) return undefined;
  const source = readSource(asObject(value.source));
  if (!source) return undefined;
  const files = new Map<string, KeptFile>();
  for (const [name, file] of Object.entries(asObject(value.files))) {
    const kept = readFile(asObject(file));
    if (kept) files.set(name, kept);
  }
  return {
    source,
    canonical: asString(value.canonical) ?? "",
    declared: strings(value.declared),
    ...(value.state === undefined ? {} : { state: value.state }),
    files,
  };
}

export function writeKept(archive: string, id: string, kept: KeptCollection): void {
  const { source, canonical, declared, state } = kept;
  const files = Object.fromEntries([...kept.files].toSorted(([one], [other]) => compareText(one, other)));
  const value = { version: VERSION, canonical, source, declared, ...(state === undefined ? {} : { state }), files };
  writeFileAtomic(join(archive, id, LISTING), `${JSON.stringify(value)}\n`);
}

/** Writes a content unless it is there. */
export function keepContent(archive: string, id: string, bytes: Uint8Array): string {
  const name = contentHash(bytes);
  const path = contentPath(archive, id, name);
  if (!existsSync(path)) writeFileAtomic(path, zstdCompressSync(bytes));
  return name;
}

export function readContent(archive: string, id: string, name: string): Buffer {
  const path = contentPath(archive, id, name);
  try {
    const bytes = zstdDecompressSync(readFileSync(path), { maxOutputLength: LARGEST });
    if (contentHash(bytes) === name) return bytes;
  } catch {
    // The same sentence for what is missing and what is damaged: the remedy is the same.
  }
  throw new DexError("damaged_archive", `${path} is missing or damaged.`, {
    hint: "Run `dex docs sync --full`: it fetches the collection again.",
  });
}

/** Removes contents that the listing does not name. */
export function sweepContents(archive: string, id: string, kept: KeptCollection): void {
  const folder = join(archive, id, CONTENTS);
  if (!existsSync(folder)) return;
  const named = new Set([...kept.files.values()].map((file) => file.hash));
  for (const shelf of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, shelf))) {
      if (!named.has(`${shelf}${name}`)) rmSync(join(folder, shelf, name), { force: true });
    }
  }
}

export function removeKept(archive: string, id: string): void {
  // The listing first: without it the rest is nobody's.
  rmSync(join(archive, id, LISTING), { force: true });
  rmSync(join(archive, id), { recursive: true, force: true });
}

function contentPath(archive: string, id: string, name: string): string {
  return join(archive, id, CONTENTS, name.slice(0, 2), name.slice(2));
}

function readFile(value: JsonObject): KeptFile | undefined {
  const name = asString(value.hash);
  if (!name || !/^[0-9a-f]{64}$/.test(name)) return undefined;
  const etag = asString(value.etag);
  const modified = asString(value.modified);
  return {
    location: asString(value.location) ?? "",
    hash: name,
    bytes: asNumber(value.bytes) ?? 0,
    updated: asNumber(value.updated) ?? 0,
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { modified }),
    ...(value.text === true ? { text: true } : {}),
  };
}

function readSource(value: JsonObject): CollectionSource | undefined {
  const exclude = strings(value.exclude);
  const text = (key: string): string => asString(value[key]) ?? "";
  const optional = (key: string): JsonObject => (asString(value[key]) ? { [key]: value[key] } : {});
  switch (value.kind) {
    case "folder":
      return { kind: "folder", root: text("root"), include: strings(value.include), exclude };
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
