/** The time of a project's last full refresh, and starting one in the background. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findCodeProject } from "../code/project.ts";
import { spawnDetached } from "../config/detached.ts";
import type { DexPaths } from "../config/paths.ts";

/** The shortest time between two background refreshes. */
const REFRESH_INTERVAL_MS = 5 * 60_000;

export interface RefreshPlaces {
  lock: string;
  /** A file; its modification time is the time of the last refresh. */
  stamp: string;
}

export function refreshPlaces(paths: DexPaths, folder: string): RefreshPlaces {
  const name = basename(findCodeProject(paths.code, folder).path, ".db");
  return { lock: join(paths.watch, `${name}.refresh.lock`), stamp: join(paths.watch, `${name}.refreshed`) };
}

export function stampRefresh({ stamp }: RefreshPlaces): void {
  mkdirSync(dirname(stamp), { recursive: true, mode: 0o700 });
  writeFileSync(stamp, "", { mode: 0o600 });
}

/** Starts `dex refresh` for a project, unless one ran recently. */
export function refreshInBackground(
  paths: DexPaths,
  folder: string,
  vars: NodeJS.ProcessEnv,
  minIntervalMs = REFRESH_INTERVAL_MS,
): boolean {
  const places = refreshPlaces(paths, folder);
  const last = statSync(places.stamp, { throwIfNoEntry: false })?.mtimeMs;
  const now = Date.now();
  // A time in the future means that the clock was set back.
  if (last !== undefined && last <= now && now - last < minIntervalMs) return false;
  stampRefresh(places);
  spawnDetached(["refresh"], { cwd: folder, vars });
  return true;
}
