/**
 * Finds files: listings and stamps shared by all sources. A missing folder is empty; one that exists and may not be
 * read is empty as well, and is noted for the caller (`noteRefusals`).
 */
import { type Dirent, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { normalize, sep } from "node:path";
import { systemCode } from "../../../kernel/errors.ts";
import type { Container } from "../source.ts";

/** A folder or file that exists and that the system does not let dex read. */
export interface Refusal {
  path: string;
  /** The system's code: EACCES, EPERM, EIO. */
  reason: string;
}

const REFUSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EIO"]);

let noted: Map<string, string> | undefined;

/** Runs a discovery, which is synchronous, and returns the paths that it was not allowed to read. */
export function noteRefusals<T>(discover: () => T): { result: T; refused: Refusal[] } {
  const before = noted;
  noted = new Map();
  try {
    const result = discover();
    return { result, refused: [...noted].map(([path, reason]) => ({ path, reason })) };
  } finally {
    noted = before;
  }
}

/** Undefined: the error has another cause than missing permission. */
export function refusalOf(path: string, error: unknown): Refusal | undefined {
  const reason = systemCode(error) ?? "";
  return REFUSED.has(reason) ? { path, reason } : undefined;
}

function note(path: string, error: unknown): void {
  const refusal = refusalOf(path, error);
  if (refusal) noted?.set(path, refusal.reason);
}

interface Listing {
  /** The folder's stats: a new, removed or renamed entry changes the times, and so do other permissions. */
  stats: Stats;
  readAt: number;
  entries: readonly Entry[];
}

/** A server checks the same folders at every call, and asking for a folder's times takes less time than listing it. */
const listings = new Map<string, Listing>();
/** A folder that changed this shortly before may change again and keep its times. */
const MIN_SETTLED_MS = 3000;
/** For file systems that do not keep such times. */
const MAX_LISTING_AGE_MS = 30_000;
const MAX_LISTINGS = 2000;
const MAX_KEPT_ENTRIES = 2000;

export function listDir(path: string): readonly Entry[] {
  try {
    const stats = statOrUndefined(path);
    if (!stats) return [];
    const now = Date.now();
    const known = listings.get(path);
    if (known && isUnchanged(known.stats, stats) && Math.abs(now - known.readAt) < MAX_LISTING_AGE_MS)
      return known.entries;
    const entries = readdirSync(path, { withFileTypes: true });
    keepListing(path, { stats, readAt: now, entries });
    return entries;
  } catch (error) {
    note(path, error);
    return [];
  }
}

function isUnchanged(one: Stats, other: Stats): boolean {
  return one.ctimeMs === other.ctimeMs && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}

function keepListing(path: string, listing: Listing): void {
  const { stats, readAt, entries } = listing;
  const isSettled = readAt - Math.max(stats.ctimeMs, stats.mtimeMs) >= MIN_SETTLED_MS;
  if (!isSettled || entries.length > MAX_KEPT_ENTRIES) listings.delete(path);
  else {
    if (listings.size >= MAX_LISTINGS) listings.clear();
    listings.set(path, listing);
  }
}

/** An entry of a listing, which keeps its path for as long as the listing is kept: a server asks for it at every check. */
export type Entry = Dirent & { keptPath?: string };

/** The path of an entry of a normalised folder. */
export function entryPath(folder: string, entry: Entry): string {
  entry.keptPath ??= pathIn(folder, entry.name);
  return entry.keptPath;
}

/** The path of a name in a normalised folder. */
export function pathIn(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** Asking first is cheaper than listing a folder that is most often missing: the error takes longer than the question. */
export function isPresent(path: string): boolean {
  return safeStat(path) !== undefined;
}

/**
 * Whether paths exist, most of them below one folder: most of its names are known from one listing. Names are compared
 * without their case, because some file systems do the same.
 */
export function presenceBelow(folder: string): (path: string) => boolean {
  const start = pathIn(normalize(folder), "");
  const names = lowerCaseNames(folder);
  return (path) => {
    if (names && path.startsWith(start)) {
      const end = path.indexOf(sep, start.length);
      const name = end < 0 ? path.slice(start.length) : path.slice(start.length, end);
      if (name !== "" && !names.has(name.toLowerCase())) return false;
    }
    return existsSync(path);
  };
}

/** Undefined: the folder cannot be listed, but what is below it may exist. */
function lowerCaseNames(folder: string): Set<string> | undefined {
  try {
    return new Set(readdirSync(folder).map((name) => name.toLowerCase()));
  } catch {
    return undefined;
  }
}

export function statOrUndefined(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Containers by their paths: for a server, most are the same at every check. */
const containers = new Map<string, Container>();
const MAX_CONTAINERS = 20_000;

/** A container for a plain file, or undefined if it does not exist. */
export function fileContainer(source: string, path: string): Container | undefined {
  const stats = safeStat(path);
  if (!stats?.isFile()) return undefined;
  const { size, mtimeMs } = stats;
  const known = containers.get(path);
  if (known?.source === source && known.bytes === size && known.mtimeMs === mtimeMs) return known;
  const container: Container = { source, path, stamp: `${size}:${mtimeMs}`, bytes: size, mtimeMs };
  if (containers.size >= MAX_CONTAINERS) containers.clear();
  containers.set(path, container);
  return container;
}

/** A container for a SQLite database: its write-ahead log belongs to its stamp. */
export function databaseContainer(source: string, path: string): Container | undefined {
  const container = fileContainer(source, path);
  if (!container) return undefined;
  const wal = safeStat(`${path}-wal`);
  if (!wal || wal.size === 0) return container;
  return {
    ...container,
    stamp: `${container.stamp}+${wal.size}:${wal.mtimeMs}`,
    bytes: container.bytes + wal.size,
    mtimeMs: Math.max(container.mtimeMs, wal.mtimeMs),
  };
}

/**
 * Files below `root`, at most `depth` folders down, whose name passes. Sorted by path; links to folders are not
 * followed.
 */
export function walkFiles(root: string, depth: number, accept: (name: string, path: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (folder: string, left: number): void => {
    for (const entry of listDir(folder)) {
      const path = entryPath(folder, entry);
      if (entry.isDirectory()) {
        if (left > 0) visit(path, left - 1);
      } else if ((entry.isFile() || entry.isSymbolicLink()) && accept(entry.name, path)) {
        found.push(path);
      }
    }
  };
  visit(normalize(root), depth);
  return found.sort();
}

/** Caches one value per path for as long as the path's stamp stays the same. */
export function stampedCache<T>(): (path: string, stamp: string, make: () => T) => T {
  const kept = new Map<string, { stamp: string; value: T }>();
  return (path, stamp, make) => {
    const known = kept.get(path);
    if (known?.stamp === stamp) return known.value;
    const value = make();
    kept.set(path, { stamp, value });
    return value;
  };
}

function safeStat(path: string): Stats | undefined {
  try {
    return statOrUndefined(path);
  } catch (error) {
    note(path, error);
    return undefined;
  }
}
