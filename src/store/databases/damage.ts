/** Which of dex's databases is damaged: SQLite's errors do not name the file, so dex checks every candidate. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DexError } from "../../kernel/errors.ts";
import { checkDatabase, damagedDatabase, type RebuildableName } from "../sqlite/check.ts";
import { damagedState } from "../sqlite/state/state.ts";
import { checkState } from "../state/health.ts";

export interface DatabasePlaces {
  index: string;
  documents: string;
  state: string;
  /** Folders with a database for each project. */
  code: string;
  history: string;
}

/** The existing rebuildable databases. */
export function rebuildableDatabases(places: DatabasePlaces): { path: string; name: RebuildableName }[] {
  return [
    { path: places.index, name: "index" },
    { path: places.documents, name: "documents" },
    ...projectDatabases(places.code).map((path) => ({ path, name: "code" as const })),
    ...projectDatabases(places.history).map((path) => ({ path, name: "history" as const })),
  ];
}

/** Databases of projects are named by a hash of the project's folder. */
export function projectDatabases(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{16}\.db$/.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The error for damage found in one of them. */
export function damageIn(places: DatabasePlaces, cause: unknown): DexError {
  if (checkState(places.state).state === "damaged") return damagedState(places.state, cause);
  for (const { path, name } of rebuildableDatabases(places)) {
    if (checkDatabase(path, name).state === "damaged") return damagedDatabase(path, name, cause);
  }
  return new DexError("damaged_database", "A database that dex read is damaged, but none of dex's own databases is.", {
    hint: "`dex doctor` checks every file of dex.",
    cause,
  });
}
