/**
 * Reads files that came with a clone or an archive. The threat: a `package.json` that is a link to an endless device,
 * a fifo that never answers, a link out of the project, a file of many gigabytes. Every reader of a project's files goes
 * through here: the path is resolved and must stay inside the root, only regular files are read, and never more bytes
 * than the caller allows.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isBelow } from "./paths.ts";

/** The bytes of a regular file; undefined where it is missing, unreadable, a link, no regular file, or larger than `maxBytes`. */
export function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
  let fd: number;
  try {
    // O_NONBLOCK: opening a fifo without a writer would otherwise wait for one.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= maxBytes ? readUpTo(fd, stats.size, maxBytes) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** The stated size is a guess: the file may grow meanwhile, and files below /proc state none. */
function readUpTo(fd: number, stated: number, maxBytes: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(Math.min(stated, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, bytes, length, bytes.length - length, null);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    if (length > maxBytes) return undefined;
    if (length === bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(bytes.length * 2, maxBytes) + 1);
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
  }
}

/** A file of a project. Follows links that stay inside the root. */
export function readContainedFile(root: string, path: string, maxBytes: number): Buffer | undefined {
  const real = containedPath(root, path);
  return real === undefined ? undefined : readRegularFile(real, maxBytes);
}

export function readContainedText(root: string, path: string, maxBytes: number): string | undefined {
  return readContainedFile(root, path, maxBytes)?.toString("utf8");
}

/** The real path of a file or folder of the project; undefined when it is missing or outside the root. */
export function containedPath(root: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(root, path));
    return isBelow(realpathSync(root), real) ? real : undefined;
  } catch {
    return undefined;
  }
}
