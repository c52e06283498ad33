/**
 * Copies of state.db, whose content no archive can restore: pins, notes, decisions, verdicts, subscriptions, feedback
 * and the tombstones of forgotten conversations. They are in `backups` next to it.
 *
 * dex makes a copy at most once an hour, if state.db changed, and before every migration. It checks the copy before it
 * renames it, so every `state-<time>.db` was undamaged when it was made. dex keeps the two newest, then one for each of
 * the days before, at most `MAX_BACKUPS` in all.
 *
 * A forgotten conversation must not come back from here: `renewBackups` replaces all copies by one of the current
 * state.db. `dex forget` calls it after it has removed the text from state.db; the tombstone (source, id) stays in
 * state.db, hence in the new copy, and in the list of tombstones next to the copies.
 */
import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DexError } from "../../kernel/errors.ts";
import { ensureFolder, ensurePrivateFile } from "../../kernel/files/atomic_write.ts";
import { acquireLock, type Lock } from "../../kernel/lock.ts";
import { lockTimeout } from "../../kernel/lock_timeout.ts";
import { removeDatabase } from "../sqlite/database.ts";
import { mergeTombstones, savedTombstones, saveTombstones } from "./tombstones.ts";

const HOUR = 3_600_000;
export const MAX_BACKUPS = 6;
/** All copies together; the newest is kept whatever its size. */
const MAX_BACKUP_BYTES = 256 << 20;
/** Kept whatever their day. */
const NEWEST_BACKUPS = 2;
const LOCK_WAIT_MS = 5000;
const NAME = /^state-(\d{8}T\d{9}Z)\.db$/;

export interface StateBackup {
  path: string;
  /** Its creation time, in milliseconds. */
  time: number;
  bytes: number;
}

export function backupFolder(statePath: string): string {
  return join(dirname(statePath), "backups");
}

/** Newest first. */
export function listBackups(statePath: string): StateBackup[] {
  const folder = backupFolder(statePath);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => {
      const time = timeOf(NAME.exec(name)?.[1]);
      const path = join(folder, name);
      const stats = time === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
      return time !== undefined && stats?.isFile() ? [{ path, time, bytes: stats.size }] : [];
    })
    .sort((a, b) => b.time - a.time);
}

/** The newest undamaged copy. */
export function newestSound(statePath: string): StateBackup | undefined {
  return listBackups(statePath).find(({ path }) => isSoundBackup(path));
}

/** Two or three system calls if no copy is due. A failed copy is retried the next time. */
export function backupIfDue(statePath: string, now: number): void {
  const stats = statSync(statePath, { throwIfNoEntry: false });
  if (!stats || stats.size === 0) return;
  const [newest] = listBackups(statePath);
  const made = newest && (newest.time <= now ? newest.time : statSync(newest.path).mtimeMs);
  // A copy with a future time was made while the clock was wrong: it says nothing about when the next one is due.
  if (made !== undefined && made <= now + HOUR) {
    if (Math.abs(now - made) < HOUR) return;
    const log = statSync(`${statePath}-wal`, { throwIfNoEntry: false });
    const changed = Math.max(stats.mtimeMs, log?.size ? log.mtimeMs : 0);
    if (changed < made) return;
  }
  backupState(statePath, now);
}

/** Undefined: no copy was made, because state.db is damaged, or the folder is not writable. */
export function backupState(statePath: string, now: number): StateBackup | undefined {
  const folder = backupFolder(statePath);
  // Later than all others, even if the clock was set back: a repair uses the newest.
  const time = Math.max(now, (listBackups(statePath)[0]?.time ?? 0) + 1);
  const path = join(folder, `state-${new Date(time).toISOString().replace(/[-:.]/g, "")}.db`);
  const making = `${path}.${process.pid}.tmp`;
  try {
    ensureFolder(folder);
    ensurePrivateFile(making);
    copyDatabase(statePath, making);
    if (!isSoundBackup(making)) return undefined;
    renameSync(making, path);
    prune(statePath);
    return { path, time, bytes: statSync(path).size };
  } catch {
    return undefined;
  } finally {
    removeDatabase(making);
  }
}

/** Files in the folder that are not copies. */
const NOT_COPIES = new Set(["lock.db", "forgotten.json"]);

/**
 * Replaces everything in the folder by one copy of the current state.db, and removes damaged files that were set aside.
 * This includes files that dex did not name: a copy that a person made there contains the same text.
 */
export function renewBackups(statePath: string, now: number): void {
  const folder = backupFolder(statePath);
  const made = backupState(statePath, now);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (path !== made?.path && !NOT_COPIES.has(name)) rmSync(path, { force: true });
  }
  for (const path of setAsideStates(statePath)) rmSync(path, { force: true });
}

/** Files that a repair set aside: `state.db.damaged-<time>`. */
export function setAsideStates(statePath: string): string[] {
  const folder = dirname(statePath);
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith("state.db.damaged-"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Whether state.db is missing or empty, like a new one. */
export function isBlank(statePath: string): boolean {
  return (statSync(statePath, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/**
 * Replaces a missing or empty state.db by the newest undamaged copy. Undefined if nothing was lost, or there is no
 * copy.
 */
export function restoreLostState(statePath: string): StateBackup | undefined {
  if (!isBlank(statePath) || listBackups(statePath).length === 0) return undefined;
  const lock = lockBackups(statePath);
  if (!lock) return undefined;
  try {
    // Another process may have restored it meanwhile.
    if (!isBlank(statePath)) return undefined;
    const backup = newestSound(statePath);
    if (!backup) return undefined;
    const making = `${statePath}.${process.pid}.tmp`;
    copyFileSync(backup.path, making);
    chmodSync(making, 0o600);
    removeDatabase(statePath);
    renameSync(making, statePath);
    return backup;
  } finally {
    lock.release();
  }
}

/** One process at a time restores or repairs. Undefined: another one does, or the folder is not writable. */
export function lockBackups(statePath: string): Lock | undefined {
  try {
    return acquireLock(join(backupFolder(statePath), "lock.db"), lockTimeout(LOCK_WAIT_MS));
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
}

function copyDatabase(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true, timeout: lockTimeout(1000) });
  try {
    database.prepare("VACUUM INTO ?").run(to);
    const rows = database.prepare("SELECT source, id FROM forgotten").all();
    const own = rows.map((row) => ({ source: String(row.source), id: String(row.id) }));
    saveTombstones(from, mergeTombstones(own, savedTombstones(from) ?? []));
  } finally {
    database.close();
  }
}

/** Whether a copy can be restored. */
export function isSoundBackup(path: string): boolean {
  if (!existsSync(path)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    return version > 0 && database.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
  } catch {
    return false;
  } finally {
    if (database?.isOpen) database.close();
  }
}

function prune(statePath: string): void {
  const days = new Set<string>();
  let kept = 0;
  let bytes = 0;
  for (const [i, backup] of listBackups(statePath).entries()) {
    const day = new Date(backup.time).toISOString().slice(0, 10);
    const wanted = i < NEWEST_BACKUPS || !days.has(day);
    days.add(day);
    bytes += backup.bytes;
    if (i > 0 && (!wanted || kept >= MAX_BACKUPS || bytes > MAX_BACKUP_BYTES)) removeDatabase(backup.path);
    else kept += 1;
  }
}

function timeOf(stamp: string | undefined): number | undefined {
  const parts = stamp?.match(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, milli] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`);
  return Number.isNaN(time) ? undefined : time;
}
