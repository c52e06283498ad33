/** Files of a user's own folder: found, read whole although somebody writes them, and told apart without being read. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { asObject, asString, type Json, parseJson } from "../kernel/json.ts";
import { formatBytes } from "../kernel/text.ts";
import { type WalkedFile, walkFolder } from "./gather/walk.ts";
import type { CollectionSource } from "./source.ts";

const MOST_READS = 3;
/** Before the stamp of a file that could not be read: a sync tries again, a search does not. */
export const TRIED = "!";

export function walkOrFail(
  source: Extract<CollectionSource, { kind: "folder" }>,
  maxFiles: number,
): ReturnType<typeof walkFolder> {
  try {
    return walkFolder(source.root, source, maxFiles);
  } catch (error) {
    const code = systemCode(error);
    const why =
      code === "ENOENT"
        ? "does not exist"
        : code === "ENOTDIR"
          ? "is not a folder"
          : `cannot be read (${code ?? errorMessage(error)})`;
    throw new DexError("no_source", `${source.root} ${why}.`, {
      hint: "What an earlier sync took in is kept. Correct the collection's source, or remove it with `dex docs remove`.",
      cause: error,
    });
  }
}

/**
 * Undefined: it has gone. A file that is being written is read again, so that no half of it is taken for the whole.
 * `between` is told of the moment between the two looks at it.
 */
export function readSteady(path: string, maxBytes: number, between?: () => void): Buffer | undefined {
  for (let tries = 0; tries < MOST_READS; tries += 1) {
    let fd: number;
    try {
      // Without waiting: a fifo may have come into the file's place.
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
  throw new DexError("changing", "It kept changing while it was read; its earlier version stays.");
}

export function stampOf({ size, mtimeMs }: WalkedFile): string {
  return `${size}:${mtimeMs}`;
}

/** Whether it is as the last sync found it, readable or not. */
export function isAsTried(file: WalkedFile, stamp: string | undefined): boolean {
  return stamp === stampOf(file) || stamp === `${TRIED}${stampOf(file)}`;
}

export function stampsOf(state: string | undefined): Map<string, string> {
  const value: Json | undefined = state === undefined ? undefined : parseJson(state);
  const entries = Object.entries(asObject(asObject(value).stamps));
  return new Map(entries.flatMap(([path, stamp]) => (asString(stamp) ? [[path, String(stamp)] as const] : [])));
}
