/**
 * Reading and writing the settings of other programs. They are someone else's: what cannot be read whole is not
 * written, a link stays a link, mode and bytes stay, and the text from before dex's first change is kept beside it.
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

/** No settings file is so large; a larger one is not what it seems. */
const MAX_FILE_BYTES = 32 << 20;
const PRIVATE = 0o600;
const SHARED = 0o644;

export function backupOf(file: string): string {
  return `${file}.dex-backup`;
}

export function badConfig(file: string, what: string, cause?: unknown): DexError {
  return new DexError("bad_agent_config", `${file} ${what}.`, {
    hint: "The file was left as it is. Put it right, then run the command again.",
    cause,
  });
}

/** Undefined where there is no file. */
export function readConfig(file: string): string | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw badConfig(file, "is a link to nothing");
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

/** Says beforehand what writing would be refused. Also a file whose mode says so, whoever asks: rename would not care. */
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
    throw new DexError("not_writable", `${file} cannot be made: ${folder} cannot be written.`, {
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

/** Keeps the text from before the first change. One that is there is older, and stays. */
export function keepBackup(file: string, text: string): boolean {
  try {
    writeFileSync(backupOf(file), text, { flag: "wx", mode: PRIVATE });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw badConfig(file, `was not changed, because ${backupOf(file)} cannot be written (${systemCode(error)})`, error);
  }
}

export function writeConfig(file: string, text: string, scope: Scope): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const target = mode === undefined ? file : realpathSync(file);
  // A folder of the project is as open as its others; dex's own way of making one keeps it private.
  if (scope === "project") mkdirSync(dirname(file), { recursive: true });
  const wanted = mode === undefined ? (scope === "project" ? SHARED : PRIVATE) : mode & 0o7777;
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

/** Removes a file that held nothing but dex, and folders that held nothing but the file. */
export function removeConfig(file: string, scope: Scope): void {
  rmSync(file, { force: true });
  for (let folder = dirname(file); mayGo(folder, scope) && readdirSync(folder).length === 0; folder = dirname(folder)) {
    rmdirSync(folder);
  }
}

/** A folder for plugins, and an agent's folder in a project: dex makes them where they are missing. */
function mayGo(folder: string, scope: Scope): boolean {
  const name = basename(folder);
  return name === "plugins" || (scope === "project" && name.startsWith("."));
}
