/** Files of a user's own folder: listing them, reading them consistently during writes, and detecting changes by stamp. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { asObject, asString, type Json, parseJson } from "../kernel/json.ts";
import { formatBytes } from "../kernel/text.ts";
import type { CollectionSource } from "./declaring/source.ts";
import { type WalkedFile, walkFolder } from "./gather/walk.ts";
import { withoutOldVersions } from "./versions/old_documents.ts";

const MAX_READS = 3;
/** Prefix of the stamp of a file that could not be read: a sync retries it, a search does not. */
export const FAILED = "!";

export function walkOrFail(
  source: Extract<CollectionSource, { kind: "folder" }>,
  maxFiles: number,
  found?: (file: WalkedFile) => void,
): ReturnType<typeof walkFolder> {
  try {
    const walk = walkFolder(source.root, source, maxFiles, found);
    return source.current ? { ...walk, files: withoutOldVersions(walk.files) } : walk;
  } catch (error) {
    const code = systemCode(error);
    const why =
      code === "ENOENT"
        ? "does not exist"
        : code === "ENOTDIR"
          ? "is not a folder"
          : `cannot be read (${code ?? errorMessage(error)})`;
    throw new DexError("no_source", `${source.root} ${why}.`, {
      hint: "Correct the source.",
      cause: error,
    });
  }
}

/**
 * Undefined: the file no longer exists. A file that changes during the read is read again, so a half-written version is
 * never indexed. `between` is called between the read and the second stat, for tests.
 */
export function readStable(path: string, maxBytes: number, between?: () => void): Buffer | undefined {
  for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
    let fd: number;
    try {
      // Non-blocking: a fifo may have replaced the file.
      fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
    try {
      const before = fstatSync(fd);
      if (!before.isFile()) throw new DexError("not_a_file", "It is not a regular file.");
      if (before.size > maxBytes) {
        throw new DexError(
          "too_large",
          `It is larger (${formatBytes(before.size)}) than a document may be (${formatBytes(maxBytes)}); docs.maxFileBytes sets that limit.`,
        );
      }
      const bytes = Buffer.allocUnsafe(before.size);
      let read = 0;
      while (read < bytes.length) {
        const got = readSync(fd, bytes, read, bytes.length - read, read);
        if (got === 0) break;
        read += got;
      }
      between?.();
      const after = fstatSync(fd);
      if (read === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs) return bytes;
    } finally {
      closeSync(fd);
    }
  }
  throw new DexError("changing", "It kept changing while dex read it; its earlier version stays.");
}

export function stampOf({ size, mtimeMs }: WalkedFile): string {
  return `${size}:${mtimeMs}`;
}

/** Whether the file is as the last sync found it, readable or not. */
export function isUnchanged(file: WalkedFile, stamp: string | undefined): boolean {
  return stamp === stampOf(file) || stamp === `${FAILED}${stampOf(file)}`;
}

export function stampsOf(state: string | undefined): Map<string, string> {
  const value: Json | undefined = state === undefined ? undefined : parseJson(state);
  const entries = Object.entries(asObject(asObject(value).stamps));
  return new Map(entries.flatMap(([path, stamp]) => (asString(stamp) ? [[path, String(stamp)] as const] : [])));
}
