/** The time of a project's last full refresh, and starting one in the background. */
import { basename, join } from "node:path";
import { findCodeProject } from "../code/project.ts";
import { spawnDetachedAfter, writeStamp } from "../config/detached.ts";
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
  writeStamp(stamp);
}

/** Starts `dex refresh` for a project, unless one ran recently. */
export function refreshInBackground(
  paths: DexPaths,
  folder: string,
  vars: NodeJS.ProcessEnv,
  minIntervalMs = REFRESH_INTERVAL_MS,
): boolean {
  const { stamp } = refreshPlaces(paths, folder);
  return spawnDetachedAfter(stamp, minIntervalMs, ["refresh"], { cwd: folder, vars });
}
