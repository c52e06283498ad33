/** The files of another program's SQLite database: whether they changed, and a copy of them in one consistent state. */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { temporaryFolder } from "../../../kernel/files/temporary_folder.ts";

/** Attempts to copy the files before they change again. */
const MAX_COPIES = 3;
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const COPY_CHUNK_BYTES = 1 << 20;
const COMPANIONS = ["", "-wal", "-journal"] as const;

/** A new private folder for a copy; undefined if it cannot be made. */
export function copyFolder(): string | undefined {
  try {
    return temporaryFolder("dex-read-");
  } catch {
    return undefined;
  }
}

/**
 * A checkpoint moves frames of the log into the database and a commit appends to the log: a copy is valid only if
 * neither file changed meanwhile. False also if one of them is not a regular file, or is larger than the limit by now.
 */
export function copyUnchanged(path: string, copy: string, maxBytes: number): boolean {
  const stamps = (): string => COMPANIONS.map((suffix) => stampOf(path + suffix)).join();
  try {
    for (let left = MAX_COPIES; left > 0; left -= 1) {
      const before = stamps();
      for (const suffix of COMPANIONS) {
        rmSync(copy + suffix, { force: true });
        if (existsSync(path + suffix) && !copyRegular(path + suffix, copy + suffix, maxBytes)) return false;
      }
      if (stamps() === before) return true;
    }
  } catch {
    // The disk is full, or a file was deleted: the caller has other ways.
  }
  return false;
}

/** Neither waits for the other end of a fifo nor reads a device without end. */
function copyRegular(from: string, to: string, maxBytes: number): boolean {
  const source = openRegular(from);
  if (source === undefined) return false;
  try {
    const target = openSync(to, "wx", 0o600);
    try {
      const chunk = Buffer.allocUnsafe(COPY_CHUNK_BYTES);
      for (let at = 0; at <= maxBytes; ) {
        const length = readSync(source, chunk, 0, chunk.length, at);
        if (length === 0) return true;
        for (let done = 0; done < length; ) done += writeSync(target, chunk, done, length - done);
        at += length;
      }
      return false;
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function openRegular(path: string): number | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return undefined;
}

/** Also contains the change counter of the header: two writes can fall into one tick of the file system's clock. */
export function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return "";
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${firstBytes(path, 32).toString("hex", 24)}`;
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A rollback journal with pages: its database may be half written. */
export function isHotJournal(path: string): boolean {
  return sizeOf(path) > 0 && firstBytes(path, JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC);
}

/**
 * A journal of a commit to several databases ends with the name of a file that lists them. SQLite opens that file when it
 * rolls back, and its older versions delete it: a journal from outside could name any.
 */
export function namesAnotherFile(journal: string): boolean {
  const size = sizeOf(journal);
  if (size < JOURNAL_MAGIC.length) return false;
  return bytesAt(journal, size - JOURNAL_MAGIC.length, JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC);
}

export function firstBytes(path: string, length: number): Buffer {
  return bytesAt(path, 0, length);
}

function bytesAt(path: string, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const fd = openRegular(path);
  if (fd === undefined) return bytes;
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
  } finally {
    closeSync(fd);
  }
}
