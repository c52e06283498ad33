/**
 * Databases of code and of histories whose project is gone. A disk that is not there now is no deletion: a project counts
 * as gone only where the folder it stood in is there, and holds something else. What is removed can be made anew.
 */
import { lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../kernel/errors.ts";
import { isRedactedFolder } from "../kernel/ids.ts";
import { acquireLock } from "../kernel/lock.ts";
import { compareText } from "../kernel/text.ts";
import { projectDatabases } from "./damage.ts";
import { removeDatabase, rootOfDatabase } from "./sqlite/database.ts";

export interface ForsakenProject {
  root: string;
  kind: "code" | "history";
  bytes: number;
}

export interface Forsaken {
  gone: (ForsakenProject & { path: string })[];
  /** Projects that are not there now, and may come back. */
  away: string[];
}

export function findForsaken(folders: Readonly<Record<ForsakenProject["kind"], string>>): Forsaken {
  const found: Forsaken = { gone: [], away: [] };
  for (const kind of ["code", "history"] as const) {
    for (const path of projectDatabases(folders[kind])) {
      const root = rootOfDatabase(path);
      // By a redacted path nobody can tell whether the project is still there: its database stays.
      if (root === undefined || isRedactedFolder(root)) continue;
      const state = stateOf(root);
      if (state === "gone") found.gone.push({ root, kind, path, bytes: sizeOf(path) });
      else if (state === "away") found.away.push(root);
    }
  }
  found.gone.sort((a, b) => compareText(a.root, b.root) || compareText(a.kind, b.kind));
  return { ...found, away: [...new Set(found.away)].sort(compareText) };
}

/** Those that no other process is using. */
export function removeForsaken(gone: Forsaken["gone"]): ForsakenProject[] {
  return gone.flatMap(({ path, ...project }) => {
    const lockPath = path.replace(/\.db$/, ".lock");
    const lock = acquireLock(lockPath, 0);
    if (!lock) return [];
    try {
      removeDatabase(path);
    } finally {
      lock.release();
    }
    rmSync(lockPath, { force: true });
    return [project];
  });
}

function stateOf(root: string): "there" | "gone" | "away" {
  try {
    lstatSync(root);
    return "there";
  } catch (error) {
    if (systemCode(error) !== "ENOENT") return "away";
  }
  try {
    // Where a disk is mounted there is an empty folder when it is not.
    return readdirSync(dirname(root)).length > 0 ? "gone" : "away";
  } catch {
    return "away";
  }
}

function sizeOf(path: string): number {
  return ["", "-wal", "-shm"].reduce(
    (sum, suffix) => sum + (statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
