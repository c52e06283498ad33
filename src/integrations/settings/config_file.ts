/**
 * Reads and writes the settings of other programs. They belong to someone else: dex does not write a file that it
 * cannot read completely, keeps links, modes and all other bytes, and stores the original text from before its first
 * change next to the file.
 */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import type { Scope } from "./agent_settings.ts";
import type { MadeFolders } from "./made_folders.ts";

/** Settings files are never this large. */
const MAX_FILE_BYTES = 32 << 20;
const PRIVATE = 0o600;
/** The modes of a new file. */
const MODES = {
  user: { settings: PRIVATE, program: 0o700 },
  project: { settings: 0o644, program: 0o755 },
} as const;

export function backupOf(file: string): string {
  return `${file}.dex-backup`;
}

export function badConfig(file: string, what: string, cause?: unknown): DexError {
  return new DexError("bad_agent_config", `${file} ${what}.`, {
    hint: "dex did not change the file. Correct it, then run the command again.",
    cause,
  });
}

/** Undefined if there is no file. */
export function readConfig(file: string): string | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw badConfig(file, "is a link to a missing file");
  if (!stats.isFile()) throw badConfig(file, "is not a file");
  if (stats.size > MAX_FILE_BYTES) throw badConfig(file, `is too large (${stats.size} bytes)`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw badConfig(file, `cannot be read (${systemCode(error) ?? errorMessage(error)})`, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw badConfig(file, "is not UTF-8 text", error);
  }
}

/**
 * Whether a file may contain an entry of dex. The name alone shows it even in a file that cannot be parsed. A text in
 * UTF-16 has a zero byte after each letter.
 */
export function mayNameDex(file: string): boolean {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return false;
    return stats.size > MAX_FILE_BYTES || /\bdex\b/i.test(readFileSync(file, "latin1").replaceAll("\0", ""));
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");
  }
}

/**
 * Checks beforehand whether a write would be refused. A read-only mode counts too, although a rename would ignore it.
 */
export function checkWritable(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats) {
    const target = realpathSync(file);
    if ((stats.mode & 0o222) === 0 || !may(target) || !may(dirname(target))) throw badConfig(file, "cannot be written");
    return;
  }
  let folder = dirname(file);
  while (!lstatSync(folder, { throwIfNoEntry: false }) && folder !== dirname(folder)) folder = dirname(folder);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory() || !may(folder)) {
    throw new DexError("not_writable", `${file} cannot be created: ${folder} cannot be written.`, {
      hint: "Nothing was changed. Check the permissions of that folder.",
    });
  }
}

function may(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Stores the text from before the first change. An existing backup is older, and stays. */
export function keepBackup(file: string, text: string): boolean {
  try {
    writeFileSync(backupOf(file), text, { flag: "wx", mode: PRIVATE });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw badConfig(file, `was not changed, because ${backupOf(file)} cannot be written (${systemCode(error)})`, error);
  }
}

export function writeConfig(file: string, text: string, scope: Scope, isProgram = false): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const target = mode === undefined ? file : realpathSync(file);
  // A folder in a project gets the usual mode; dex's own helper would make it private.
  if (scope === "project") mkdirSync(dirname(file), { recursive: true });
  const wanted = mode === undefined ? MODES[scope][isProgram ? "program" : "settings"] : mode & 0o7777;
  try {
    writeFileAtomic(target, text, wanted);
    // The umask may have narrowed the mode.
    if ((statSync(target).mode & 0o7777) !== wanted && mode !== undefined) chmodSync(target, wanted);
  } catch (error) {
    throw badConfig(file, `could not be written: ${errorMessage(error).replace(/\.$/, "")}`, error);
  }
}

export function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Removes a file with nothing but dex's entry, and folders with nothing but the file. */
export function removeConfig(file: string, scope: Scope, made: MadeFolders): void {
  rmSync(file, { force: true });
  for (
    let folder = dirname(file);
    (isRemovable(folder, scope) || made.has(folder)) && !isLink(folder) && readdirSync(folder).length === 0;
    folder = dirname(folder)
  ) {
    rmdirSync(folder);
  }
}

/** A folder for plugins or hooks, and an agent's folder in a project: dex creates them if they are missing. */
function isRemovable(folder: string, scope: Scope): boolean {
  const name = basename(folder);
  return /^(plugins|hooks)$/i.test(name) || (scope === "project" && name.startsWith("."));
}
