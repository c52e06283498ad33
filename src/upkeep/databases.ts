/** The rebuildable databases: `dex doctor` reads each completely, and a repair rebuilds damaged ones. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { listArchived } from "../collections/archive.ts";
import type { Dex } from "../dex.ts";
import { acquireLock } from "../kernel/lock.ts";
import { plural } from "../kernel/text.ts";
import { listArchive } from "../store/archive/archive.ts";
import { rebuildableDatabases } from "../store/databases/damage.ts";
import { checkDatabase, type DatabaseCheck, type RebuildableName } from "../store/engine/check.ts";
import { removeDatabase, rootOfDatabase } from "../store/engine/database.ts";
import { type Problem, REPAIR, type Repair } from "./problem.ts";

export interface DatabaseFinding {
  path: string;
  name: RebuildableName;
  check: DatabaseCheck;
}

const WHAT: Readonly<Record<RebuildableName, string>> = {
  index: "the index of conversations",
  documents: "the index of documentation",
  code: "the index of a project's code",
  history: "the history of a repository",
};

/** Reads every database completely. */
export function examineDatabases(dex: Dex): DatabaseFinding[] {
  return rebuildableDatabases(dex.paths).map(({ path, name }) => ({ path, name, check: checkDatabase(path, name) }));
}

export function databaseProblems(dex: Dex, findings: readonly DatabaseFinding[]): Problem[] {
  return findings.flatMap(({ path, name, check }): Problem[] => {
    if (check.state === "damaged") {
      const what = `${path}, ${WHAT[name]}, is damaged: ${check.found}.`;
      return [{ code: `${name}_damaged`, what, path, fix: REPAIR }];
    }
    if (check.state === "sound" || name === "code" || name === "history") return [];
    const kept =
      name === "index" ? listArchive(dex.paths.archive).length : listArchived(dex.paths.documentArchive).length;
    if (kept === 0) return [];
    const noun = name === "index" ? "archived conversation" : "collection";
    const outdated = check.state === "outdated";
    const state = outdated ? `${path} was made by another version of dex` : `There is no ${basename(path)}`;
    const what = `${state}; ${plural(kept, noun)} can be indexed.`;
    return [{ code: `${name}_${outdated ? "outdated" : "missing"}`, what, path, fix: REPAIR }];
  });
}

/** Removes databases of projects: the next question about a project rebuilds them from its files and from git. */
export function repairProjects(findings: readonly DatabaseFinding[]): Repair {
  const fixed = findings.flatMap(({ path, name, check }) => {
    if (check.state !== "damaged" || (name !== "code" && name !== "history")) return [];
    const root = rootOfDatabase(path);
    const lock = acquireLock(path.replace(/\.db$/, ".lock"), 10_000);
    if (!lock) return [];
    try {
      if (existsSync(path)) removeDatabase(path);
    } finally {
      lock.release();
    }
    const about = root === undefined ? basename(path) : root;
    return [`Removed the damaged ${name} index of ${about}; the next question about that project rebuilds it.`];
  });
  return { fixed, lost: [] };
}
