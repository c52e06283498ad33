/**
 * Packs a folder of documentation into a tar.gz that others can add: manifest.json and the files it lists, with hashes.
 * The same files give the same bytes. Secrets are redacted, as in everything dex writes.
 */
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { DexError } from "../kernel/errors.ts";
import { readContainedFile, readRegularFile } from "../kernel/files/bounded_read.ts";
import { compareText, formatBytes } from "../kernel/text.ts";
import { contentHash } from "./archive.ts";
import type { Trouble } from "./gather/gather.ts";
import { isManifest, MAX_MANIFEST_BYTES, type Manifest, parseManifest } from "./gather/manifest.ts";
import { selector, walkFolder } from "./gather/walk.ts";
import { redactFile } from "./reading/document.ts";

export interface Packed {
  name: string;
  version: string;
  bytes: Buffer;
  files: number;
  redactions: number;
  skipped: Trouble[];
}

export interface PackLimits {
  maxFiles: number;
  maxBytes: number;
}

/** The package is held in memory until it is written. */
const MAX_PACKAGE_BYTES = 512 << 20;
const BLOCK_BYTES = 512;
const MAX_TAR_NAME_BYTES = 100;

export async function packFolder(
  folder: string,
  named: { name?: string | undefined; version?: string | undefined },
  limits: PackLimits,
): Promise<Packed> {
  const manifest = ownManifest(folder);
  if (manifest?.baseUrl !== undefined || manifest?.files.some(({ url }) => url !== undefined)) {
    throw new DexError(
      "bad_manifest",
      `${join(folder, "manifest.json")} lists files on the web; a package can only contain local files.`,
      {
        hint: "Share the manifest itself, or list files of the folder.",
      },
    );
  }
  const listed = manifest
    ? [...manifest.glob.filter((glob) => !glob.startsWith("!")), ...manifest.files.flatMap(({ path }) => path ?? [])]
    : [];
  const exclude = manifest ? manifest.glob.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)) : [];
  const walk = walkFolder(folder, { include: listed, exclude }, limits.maxFiles);
  const [trouble] = walk.failed;
  if (trouble) throw packFailed(`${join(folder, trouble.path)}: ${trouble.error}`);
  const missing = manifest?.files.find(
    ({ path }) => path !== undefined && !walk.files.some((file) => file.path === path),
  );
  if (missing) throw packFailed(`The manifest lists ${missing.path}, which is not in ${folder}.`);
  const packed: { path: string; bytes: Uint8Array }[] = [];
  const skipped: Trouble[] = [];
  let redactions = 0;
  let total = 0;
  const { takes } = selector({ include: listed, exclude });
  for (const { path, absolute, size } of walk.files.toSorted((one, other) => compareText(one.path, other.path))) {
    if (path === "manifest.json" || !takes(path)) continue;
    total += size;
    if (size > limits.maxBytes || total > MAX_PACKAGE_BYTES) {
      throw new DexError("too_large", `${absolute} makes the package too large (${formatBytes(total)}).`, {
        hint: "List fewer files in its manifest.json, or pack a part of the folder.",
      });
    }
    const bytes = readContainedFile(folder, path, limits.maxBytes);
    if (!bytes) throw packFailed(`${absolute} cannot be read.`);
    const clean = await redactFile(path, bytes);
    if (clean.text) {
      skipped.push({ path, error: "It contains secrets that cannot be removed from its format." });
      continue;
    }
    redactions += clean.redactions;
    packed.push({ path, bytes: clean.bytes });
  }
  if (packed.length === 0) {
    throw new DexError("pack_failed", `${folder} contains no documents.`, {
      hint: "dex packs Markdown, reStructuredText, AsciiDoc, HTML, PDF, notebook, manual and text files, or those that a manifest.json lists.",
      exitCode: 1,
    });
  }
  const name = named.name ?? (manifest?.name || basename(folder));
  const version = named.version ?? (manifest?.version || "0.0.0");
  const about = {
    name,
    version,
    ...(manifest?.description === undefined ? {} : { description: manifest.description }),
    sources: { files: packed.map(({ path, bytes }) => ({ path, hash: `sha256:${contentHash(bytes)}` })) },
  };
  const entries = [{ path: "manifest.json", bytes: Buffer.from(`${JSON.stringify(about, null, 2)}\n`) }, ...packed];
  return { name, version, bytes: gzipSync(tar(entries), { level: 9 }), files: packed.length, redactions, skipped };
}

function ownManifest(folder: string): Manifest | undefined {
  const path = join(folder, "manifest.json");
  const bytes = readRegularFile(path, MAX_MANIFEST_BYTES);
  return bytes && isManifest(bytes) ? parseManifest(bytes, path) : undefined;
}

function tar(entries: readonly { path: string; bytes: Uint8Array }[]): Buffer {
  const blocks: Uint8Array[] = [];
  for (const { path, bytes } of entries) {
    const name = Buffer.from(path);
    // A longer name goes into a pax extended header.
    if (name.length > MAX_TAR_NAME_BYTES) {
      const record = paxRecord("path", path);
      blocks.push(header(Buffer.from("PaxHeader"), record.length, "x"), ...padded(record));
    }
    blocks.push(header(name.subarray(0, MAX_TAR_NAME_BYTES), bytes.length, "0"), ...padded(bytes));
  }
  blocks.push(Buffer.alloc(2 * BLOCK_BYTES));
  return Buffer.concat(blocks);
}

function padded(bytes: Uint8Array): Uint8Array[] {
  return [bytes, Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)];
}

function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function header(name: Buffer, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  name.copy(block, 0);
  block.write("0000644\0", 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\u000000", 257);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function packFailed(message: string): DexError {
  return new DexError("pack_failed", message, { hint: "Nothing was written. Correct it, then run the command again." });
}
