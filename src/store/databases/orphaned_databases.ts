/**
 * Databases of code and of histories whose project was deleted. An unmounted disk is not a deletion: a project counts
 * as deleted only if its parent folder exists and contains something else. dex can rebuild everything it removes here.
 */
import { lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../kernel/errors.ts";
import { isRedactedFolder } from "../../kernel/ids.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { compareText } from "../../kernel/text.ts";
import { removeDatabase, rootOfDatabase } from "../sqlite/database.ts";
import { projectDatabases } from "./damage.ts";

export interface OrphanedProject {
  root: string;
  kind: "code" | "history";
  bytes: number;
}

export interface OrphanedDatabases {
  gone: (OrphanedProject & { path: string })[];
  /** Projects that are missing now, and may come back. */
  away: string[];
}

export function findOrphaned(folders: Readonly<Record<OrphanedProject["kind"], string>>): OrphanedDatabases {
  const found: OrphanedDatabases = { gone: [], away: [] };
  for (const kind of ["code", "history"] as const) {
    for (const path of projectDatabases(folders[kind])) {
      const root = rootOfDatabase(path);
      // A redacted path cannot be checked for existence: its database stays.
      if (root === undefined || isRedactedFolder(root)) continue;
      const state = stateOf(root);
      if (state === "gone") found.gone.push({ root, kind, path, bytes: sizeOf(path) });
      else if (state === "away") found.away.push(root);
    }
  }
  found.gone.sort((a, b) => compareText(a.root, b.root) || compareText(a.kind, b.kind));
  return { ...found, away: [...new Set(found.away)].sort(compareText) };
}

/** Databases that no other process is using. */
export function removeOrphaned(gone: OrphanedDatabases["gone"]): OrphanedProject[] {
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
    // The mount point of an unmounted disk is an empty folder.
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
