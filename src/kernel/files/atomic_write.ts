/** Writes files atomically, so that a crash leaves the old content or the new, and turns disk errors into sentences. */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  DexError,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_READONLY,
  sqliteCode,
  systemCode,
} from "../errors.ts";
import { isFolder } from "./is_folder.ts";

/** Private to the user: dex's files are as confidential as the conversations themselves. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Level by level: Node's recursive mkdir never returns in places such as /proc, where nothing can be created. */
export function ensureFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !isFolder(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: FOLDER_MODE });
    } catch (error) {
      if (systemCode(error) === "EEXIST" && isFolder(folder)) continue;
      throw diskError(error, folder);
    }
  }
}

/** Throws when the path exists but is not a readable folder. */
export function checkFolder(path: string): void {
  let folder: boolean;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return;
    folder = stats.isDirectory();
    if (folder) accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw new DexError("unreadable_home", `${path} cannot be read (${systemCode(error)}).`, {
      hint: "Check its permissions, or set DEX_HOME to a folder of yours.",
      cause: error,
    });
  }
  if (!folder) throw new DexError("not_a_folder", `${path} is not a folder.`, { hint: "Set DEX_HOME to a folder." });
}

/**
 * Creates an empty file that only the user can read, unless it is there. A database opened there stays private. An
 * existing file is not opened: POSIX drops all of a process's locks on a file as soon as the process closes any
 * descriptor of it, and another process would then take the log of an open database away.
 */
export function ensurePrivateFile(path: string): void {
  ensureFolder(dirname(path));
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK);
    else closeSync(openSync(path, "a", FILE_MODE));
  } catch (error) {
    throw diskError(error, path);
  }
}

/** Never opens an existing file: a guessable name might be a planted link to another file. */
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** How `writeFileAtomic` names its temporary files, and how it did before (by process id). A kill leaves one behind. */
const TEMPORARY_FILE = /\.(?:[0-9a-f]{16}|\d+)\.tmp$/;

/** Creates or replaces a file atomically. A link at the path is replaced, not followed. */
export function writeFileAtomic(path: string, content: string | Uint8Array, mode = FILE_MODE): void {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  ensureFolder(dirname(path));
  try {
    const fd = openSync(temporary, CREATE_NEW, mode);
    try {
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw diskError(error, path);
  }
}

/** Longer than any file takes to be written. */
const LEFT_BEHIND_MS = 3_600_000;

/** Removes temporary files below a folder that killed processes left; returns how many. */
export function removeTemporaryFiles(folder: string, now: number, dryRun = false): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => TEMPORARY_FILE.test(name));
  const left = names.map((name) => join(folder, name)).filter((path) => isLeftBehind(path, now));
  if (!dryRun) for (const path of left) rmSync(path, { force: true });
  return left.length;
}

/** Whether a temporary file is older than any write takes. */
export function isLeftBehind(path: string, now: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && now - stats.mtimeMs >= LEFT_BEHIND_MS;
}

const REFUSALS: ReadonlySet<string> = new Set(["not_writable", "disk_full", "quota_exceeded"]);

/** Whether a file of dex could not be written because the disk is full or may not be written. */
export function isWriteRefused(error: unknown): error is DexError {
  return error instanceof DexError && REFUSALS.has(error.code);
}

/** A file of shared memory of SQLite has at least half of it. */
const MIN_FREE_BYTES = 64 << 10;

/** Whether the disk that a file is on has no room left. */
export function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

/** Turns a refusal of the file system or of SQLite into one sentence; other errors pass through unchanged. */
export function diskError(error: unknown, path: string): unknown {
  if (error instanceof DexError) return error;
  const code = systemCode(error);
  const sqlite = sqliteCode(error);
  const refused = (name: string, message: string, hint: string): DexError =>
    new DexError(name, message, { hint, cause: error });
  // SQLite reports the missing room for its shared memory as an input/output error.
  if (code === "ENOSPC" || sqlite === SQLITE_FULL || (sqlite === SQLITE_IOERR && isDiskFull(path))) {
    return refused(
      "disk_full",
      `The disk is full: ${path} could not be written.`,
      "Nothing was lost. Free some space, then run the command again.",
    );
  }
  if (code === "EDQUOT") {
    return refused(
      "quota_exceeded",
      `Your disk quota is used up: ${path} could not be written.`,
      "Nothing was lost. Free some of your space or raise the quota, then run the command again.",
    );
  }
  if (code === "EIO" || sqlite === SQLITE_IOERR) {
    return refused(
      "disk_failure",
      `The disk reported an input/output error at ${path}.`,
      "Check the disk and its connection, then run `dex doctor`.",
    );
  }
  if (code === "EROFS") {
    return refused(
      "not_writable",
      `${path} cannot be written: its file system is read-only.`,
      "Set DEX_HOME to a folder you can write.",
    );
  }
  if (code === "EACCES" || code === "EPERM" || code === "ENOENT" || sqlite === SQLITE_READONLY) {
    return refused(
      "not_writable",
      `${path} cannot be written (${sqlite === undefined ? code : "read-only"}).`,
      "Check its permissions, or set DEX_HOME to a folder you can write.",
    );
  }
  if (sqlite === SQLITE_CANTOPEN) {
    return refused("cannot_open", `${path} cannot be opened.`, "Check its permissions and those of its folder.");
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return refused("not_a_folder", `${path} is not a folder.`, "Set DEX_HOME to a folder.");
  }
  return error;
}
