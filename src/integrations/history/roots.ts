/**
 * Finds the projects that have a history of their own: Aider, SpecStory, Crush, Firebender and AstrBot keep theirs in
 * the project folder.
 *
 * The walk of the home folder is bounded in depth and in directory entries, goes breadth first to reach near folders
 * before deep ones, and skips folders that cannot be a project. Dot folders are not entered.
 */
import { type Dirent, opendirSync } from "node:fs";
import { join } from "node:path";
import { statOrUndefined } from "./reading/files.ts";

interface RootLimits {
  /** Folders below the home folder. */
  depth?: number;
  /** Directory entries read in total. */
  entries?: number;
}

const MAX_DEPTH = 4;
const MAX_ENTRIES = 20_000;

const SKIPPED = new Set([
  "node_modules",
  "vendor",
  "Library",
  "Applications",
  "target",
  "dist",
  "build",
  "venv",
  "snap",
  "go",
]);

/** Folders of a project, and what is in them where an agent kept its history there. */
const HISTORY_FOLDERS: Readonly<Record<string, { path: readonly string[]; isFolder: boolean }>> = {
  ".specstory": { path: ["history"], isFolder: true },
  ".crush": { path: ["crush.db"], isFolder: false },
  // AstrBot, which is a project of its own most of the time.
  data: { path: ["data_v4.db"], isFolder: false },
  ".idea": { path: ["firebender", "chat_history.db"], isFolder: false },
};

/** Folders with the history of an agent, near ones first, by name within a level. */
export function findRoots(home: string, limits: RootLimits = {}): string[] {
  const { depth = MAX_DEPTH, entries = MAX_ENTRIES } = limits;
  const found: string[] = [];
  let left = entries;
  let level = [home];
  for (let down = 0; down <= depth && level.length > 0; down += 1) {
    const below: string[] = [];
    for (const folder of level) {
      if (left <= 0) return found;
      const held = listSome(folder, left);
      left -= held.length;
      if (held.some((entry) => isHistory(folder, entry))) found.push(folder);
      for (const entry of held) if (isEntered(entry)) below.push(join(folder, entry.name));
    }
    level = below;
  }
  return found;
}

function isHistory(folder: string, entry: Dirent): boolean {
  if (entry.name === ".aider.chat.history.md") return entry.isFile();
  const history = entry.isDirectory() && Object.hasOwn(HISTORY_FOLDERS, entry.name) && HISTORY_FOLDERS[entry.name];
  return history ? isThere(join(folder, entry.name, ...history.path), history.isFolder) : false;
}

function isEntered(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name);
}

function isThere(path: string, asFolder: boolean): boolean {
  try {
    const stats = statOrUndefined(path);
    return (asFolder ? stats?.isDirectory() : stats?.isFile()) ?? false;
  } catch {
    return false;
  }
}

/** At most `count` entries, sorted by name: a folder of a million files is not read to its end. */
function listSome(folder: string, count: number): Dirent[] {
  const held: Dirent[] = [];
  try {
    const dir = opendirSync(folder);
    try {
      for (let entry = dir.readSync(); entry && held.length < count; entry = dir.readSync()) held.push(entry);
    } finally {
      dir.closeSync();
    }
  } catch {
    // A folder that may not be read is empty; the entries read so far count.
  }
  return held.sort((a, b) => (a.name < b.name ? -1 : 1));
}
