/** The files of another program's SQLite database: whether they changed, and a copy of them in one consistent state. */
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Attempts to copy the files before they change again. */
const MAX_COPIES = 3;
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const COMPANIONS = ["", "-wal", "-journal"] as const;

/** A new private folder for a copy; undefined if it cannot be made. */
export function copyFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), "dex-read-"));
  } catch {
    return undefined;
  }
}

/**
 * A checkpoint moves frames of the log into the database and a commit appends to the log: a copy is valid only if
 * neither file changed meanwhile.
 */
export function copyUnchanged(path: string, copy: string): boolean {
  const stamps = (): string => COMPANIONS.map((suffix) => stampOf(path + suffix)).join();
  try {
    for (let left = MAX_COPIES; left > 0; left -= 1) {
      const before = stamps();
      for (const suffix of COMPANIONS) {
        rmSync(copy + suffix, { force: true });
        if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
      }
      if (stamps() === before) return true;
    }
  } catch {
    // The disk is full, or a file was deleted: the caller has other ways.
  }
  return false;
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

export function firstBytes(path: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const fd = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, length, 0));
  } finally {
    closeSync(fd);
  }
}
