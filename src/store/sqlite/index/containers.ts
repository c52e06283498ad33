/** The rows of containers: what the last read of each found, and the state from which the next read continues. */
import type { DatabaseSync } from "node:sqlite";
import type { ContainerRead } from "../../index_writer.ts";
import type { Prepare } from "../connection.ts";
import { isCorruption } from "../database.ts";
import { openUsable } from "../rebuildable.ts";
import { INDEX } from "./schema.ts";

export function containerKey(source: string, path: string): string {
  return `${source}\0${path}`;
}

/** The stamps that containers had when they were last read, by `containerKey`. */
export function readStamps(prepare: Prepare): Map<string, string> {
  const statement = prepare("SELECT source, path, stamp FROM containers");
  // Every command asks for these: a list for each row takes less time than an object.
  statement.setReturnArrays(true);
  const rows = statement.all() as unknown as [source: string, path: string, stamp: string][];
  return new Map(rows.map(([source, path, stamp]) => [containerKey(source, path), stamp]));
}

export function readState(prepare: Prepare, source: string, path: string): string | null {
  const row = prepare("SELECT state FROM containers WHERE source = ? AND path = ?").get(source, path);
  return typeof row?.state === "string" ? row.state : null;
}

export function readMalformed(prepare: Prepare): { source: string; path: string; malformed: number }[] {
  return prepare("SELECT source, path, malformed FROM containers WHERE malformed > 0 ORDER BY malformed DESC, path")
    .all()
    .map((row) => ({ source: String(row.source), path: String(row.path), malformed: Number(row.malformed) }));
}

/** Containers with excluded conversations: their number by reason. */
export function readLeftOut(prepare: Prepare): { source: string; path: string; reasons: Record<string, number> }[] {
  return prepare("SELECT source, path, left_out FROM containers WHERE left_out IS NOT NULL ORDER BY source, path")
    .all()
    .map((row) => ({
      source: String(row.source),
      path: String(row.path),
      reasons: JSON.parse(String(row.left_out)) as Record<string, number>,
    }));
}

/** Containers whose last read failed, with the reason. */
export function readFailed(prepare: Prepare): { source: string; path: string; error: string }[] {
  return prepare("SELECT source, path, error FROM containers WHERE error IS NOT NULL ORDER BY source, path")
    .all()
    .map((row) => ({ source: String(row.source), path: String(row.path), error: String(row.error) }));
}

export function writeContainer(
  prepare: Prepare,
  source: string,
  path: string,
  { stamp, state, malformed, leftOut = {}, error }: ContainerRead,
): void {
  const leftOutJson = Object.keys(leftOut).length === 0 ? null : JSON.stringify(leftOut);
  prepare(
    "INSERT OR REPLACE INTO containers (source, path, stamp, state, malformed, left_out, error) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(source, path, stamp, state, malformed, leftOutJson, error ?? null);
}

/** Copies the containers and dex's own values of another index, if this version can read it. Outside a transaction. */
export function copyContainers(database: DatabaseSync, otherIndex: string): void {
  const { database: other } = openUsable(INDEX, otherIndex);
  if (!other) return;
  other.close();
  database.prepare("ATTACH ? AS other").run(otherIndex);
  try {
    database.exec("INSERT OR REPLACE INTO meta SELECT * FROM other.meta");
    database.exec("INSERT OR REPLACE INTO containers SELECT * FROM other.containers");
  } catch (error) {
    // dex copies nothing from a damaged index: it then reads every container again, and finds nothing new in it.
    if (!isCorruption(error)) throw error;
    database.exec("DELETE FROM containers");
  } finally {
    database.exec("DETACH other");
  }
}
