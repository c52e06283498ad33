/**
 * Repairs a damaged state.db: dex copies every readable row into a new file, and completes tables that it could not
 * read to their end from the newest undamaged backup. It sets the damaged file aside and does not delete it.
 */
import { closeSync, copyFileSync, existsSync, openSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ensureFolder } from "../../kernel/files/atomic_write.ts";
import { removeDatabase } from "../sqlite/database.ts";
import { SqliteState, STATE_VERSION } from "../sqlite/state/state.ts";
import { backupFolder, newestSound, type StateBackup } from "./backups.ts";
import { savedTombstones } from "./tombstones.ts";

export interface SalvagedTable {
  table: string;
  /** Rows read from the damaged file, and rows that only the backup had. */
  rows: number;
  restored: number;
  /** The damaged file was read to the end of this table. */
  complete: boolean;
}

export interface Salvage {
  tables: SalvagedTable[];
  /** The backup that completed the tables which could not be read. */
  backup: StateBackup | undefined;
  /** The new path of the damaged file. */
  setAside: string;
}

/** The caller holds the lock of the backups. */
export function salvageState(statePath: string, now: number): Salvage {
  const folder = backupFolder(statePath);
  ensureFolder(folder);
  const copy = join(folder, `salvage.${process.pid}.tmp`);
  const making = join(folder, `salvaged.${process.pid}.tmp`);
  removeDatabase(making);
  const backup = newestSound(statePath);
  try {
    new SqliteState(making).close();
    const fresh = new DatabaseSync(making);
    const old = openDamaged(statePath, copy);
    const kept = backup ? new DatabaseSync(backup.path, { readOnly: true }) : undefined;
    let tables: SalvagedTable[];
    try {
      tables = tableNames(fresh).map((table) => copyTable(table, fresh, old, kept));
      addTombstones(fresh, savedTombstones(statePath) ?? [], now);
      fresh.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      fresh.close();
      old?.close();
      kept?.close();
    }
    const setAside = `${statePath}.damaged-${new Date(now).toISOString().replace(/[-:.]/g, "")}`;
    if (existsSync(statePath)) renameSync(statePath, setAside);
    removeDatabase(statePath);
    renameSync(making, statePath);
    const used = tables.some(({ complete }) => !complete);
    return { tables, backup: used ? backup : undefined, setAside };
  } finally {
    removeDatabase(copy);
    removeDatabase(making);
  }
}

/** A copy of the damaged file with its log; with a new header if its header is lost. Undefined: nothing can be read. */
function openDamaged(statePath: string, copy: string): DatabaseSync | undefined {
  for (const repair of [false, true]) {
    removeDatabase(copy);
    if (!existsSync(statePath)) return undefined;
    copyFileSync(statePath, copy);
    if (existsSync(`${statePath}-wal`)) copyFileSync(`${statePath}-wal`, `${copy}-wal`);
    if (repair && !writeHeader(copy)) return undefined;
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(copy);
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
      return database;
    } catch {
      if (database?.isOpen) database.close();
    }
  }
  return undefined;
}

/** dex never sets a page size: it is SQLite's default. */
const PAGE_BYTES = 4096;
const HEADER_BYTES = 100;

/**
 * The first 100 bytes of a SQLite file are nearly the same for all files that dex writes (sqlite.org/fileformat2.html).
 */
function writeHeader(path: string): boolean {
  const { size } = statSync(path);
  if (size < PAGE_BYTES) return false;
  const fd = openSync(path, "r+");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(fd, header, 0, HEADER_BYTES, 0);
    const changes = header.readUInt32BE(92);
    header.write("SQLite format 3\0", 0, "latin1");
    header.writeUInt16BE(PAGE_BYTES, 16);
    header.set([2, 2, 0, 64, 32, 32], 18);
    header.writeUInt32BE(changes, 24);
    header.writeUInt32BE(Math.floor(size / PAGE_BYTES), 28);
    // No list of free pages: nothing is written to this copy.
    header.fill(0, 32, 40);
    header.writeUInt32BE(1, 40);
    header.writeUInt32BE(4, 44);
    header.fill(0, 48, 56);
    header.writeUInt32BE(1, 56);
    header.writeUInt32BE(STATE_VERSION, 60);
    writeSync(fd, header, 0, HEADER_BYTES, 0);
    return true;
  } finally {
    closeSync(fd);
  }
}

function tableNames(database: DatabaseSync): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map((row) => String(row.name));
}

function copyTable(
  table: string,
  fresh: DatabaseSync,
  old: DatabaseSync | undefined,
  backup: DatabaseSync | undefined,
): SalvagedTable {
  const salvaged = old ? copyRows(table, old, fresh) : { rows: 0, complete: false };
  if (salvaged.complete || !backup) return { table, ...salvaged, restored: 0 };
  return { table, ...salvaged, restored: copyRows(table, backup, fresh).rows };
}

/** From the first row on until one cannot be read, then from the last row back. */
function copyRows(table: string, from: DatabaseSync, to: DatabaseSync): { rows: number; complete: boolean } {
  let rows = 0;
  let columns: string[];
  let key: string;
  try {
    const known = new Set(columnsOf(to, table).map(({ name }) => name));
    const own = columnsOf(from, table).filter(({ name }) => known.has(name));
    // A file of an older version has no such table yet.
    if (own.length === 0) return { rows, complete: true };
    columns = own.map(({ name }) => `"${name}"`);
    const primary = own.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    key = primary.length > 0 ? primary.map(({ name }) => `"${name}" DESC`).join(", ") : "rowid DESC";
  } catch {
    return { rows, complete: false };
  }
  const list = columns.join(", ");
  const insert = to.prepare(`INSERT OR IGNORE INTO "${table}" (${list}) VALUES (${columns.map(() => "?").join(", ")})`);
  let complete = false;
  for (const order of ["", `ORDER BY ${key}`]) {
    try {
      for (const row of from.prepare(`SELECT ${list} FROM "${table}" ${order}`).iterate()) {
        try {
          rows += Number(insert.run(...Object.values(row)).changes);
        } catch {
          // A value that the table rejects: the row is damaged.
        }
      }
      complete ||= order === "";
      break;
    } catch {
      // Everything up to the damage was copied.
    }
  }
  return { rows, complete };
}

function columnsOf(database: DatabaseSync, table: string): { name: string; pk: number }[] {
  return database
    .prepare("SELECT name, pk FROM pragma_table_info(?)")
    .all(table)
    .map((row) => ({ name: String(row.name), pk: Number(row.pk) }));
}

function addTombstones(fresh: DatabaseSync, tombstones: readonly { source: string; id: string }[], now: number): void {
  const insert = fresh.prepare("INSERT OR IGNORE INTO forgotten (source, id, at) VALUES (?, ?, ?)");
  for (const { source, id } of tombstones) insert.run(source, id, now);
}
