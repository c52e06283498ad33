/** When a project was last brought up to date as a whole, and starting that where nobody waits for it. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runBehind } from "../agents/behind.ts";
import { findProject } from "../code/project.ts";
import type { DexPaths } from "../config/paths.ts";

/** A session asks for it at most this often. */
const APART = 5 * 60_000;

export interface RefreshPlaces {
  lock: string;
  /** Its time is that of the last refresh. */
  stamp: string;
}

export function refreshPlaces(paths: DexPaths, folder: string): RefreshPlaces {
  const name = basename(findProject(paths.code, folder).path, ".db");
  return { lock: join(paths.watch, `${name}.refresh.lock`), stamp: join(paths.watch, `${name}.refreshed`) };
}

export function stampRefresh({ stamp }: RefreshPlaces): void {
  mkdirSync(dirname(stamp), { recursive: true, mode: 0o700 });
  writeFileSync(stamp, "", { mode: 0o600 });
}

/** Starts `dex refresh` for a project unless that was done lately. */
export function refreshBehind(paths: DexPaths, folder: string, vars: NodeJS.ProcessEnv): boolean {
  const places = refreshPlaces(paths, folder);
  const last = statSync(places.stamp, { throwIfNoEntry: false })?.mtimeMs;
  const now = Date.now();
  // A time that is yet to come is that of a clock that was set back.
  if (last !== undefined && last <= now && now - last < APART) return false;
  stampRefresh(places);
  runBehind(["refresh"], { cwd: folder, vars });
  return true;
}
