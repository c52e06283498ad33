/**
 * Reads another program's SQLite database without leaving a trace: dex never writes its file, never makes its owner
 * wait, and neither creates nor changes a `-wal` or `-shm` file next to it.
 *
 * SQLite itself does the following (measured, see the test): with `mode=ro`, it creates both files for a database in
 * WAL mode or rewrites its `-shm`, and it locks a database in rollback mode while a statement runs. Therefore:
 * - no write-ahead log: `immutable=1`, which takes no lock at all. SQLite then trusts the file not to change, so dex
 *   compares its stamp after each read, and reads again if it changed;
 * - a log, and both files small: a private copy, deleted before the first query (on Windows, when it is closed);
 * - a log, and a big database: `readonly_shm=1`, which shares the owner's log index without writing to it. dex holds
 *   one shared lock while it reads a conversation; in WAL mode it stops no writer. (If the owner exits between dex's
 *   check and its opening, SQLite creates an empty `-wal`, as the owner's next start would.)
 *
 * A path that does not exist is never created.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { constants, DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { errorMessage } from "../../../kernel/errors.ts";
import type { Sink } from "../source.ts";
import {
  copyFolder,
  copyUnchanged,
  firstBytes,
  isHotJournal,
  namesAnotherFile,
  sizeOf,
  stampOf,
} from "./sqlite_files.ts";
import { isEndless } from "./sqlite_pages.ts";

export type Row = Record<string, SQLOutputValue>;

/** Why a database cannot be read: busy, damaged, or not a database. The message is a clause about it. */
export class ForeignDatabaseError extends Error {}

export interface ForeignOptions {
  /** If there is a log, dex copies database and log up to this total size. */
  copyLimit?: number;
}

const MAX_COPY_BYTES = 64 << 20;
/** Of one text or blob. A damaged or hostile file can state any length, and SQLite reserves the memory for it. */
const MAX_VALUE_BYTES = 128 << 20;
const ATTEMPTS = 3;
const BUSY_MS = 250;
/** A write-ahead log of this size has a header and no frames. */
const WAL_HEADER = 32;
const ENDLESS = "is damaged: its pages refer to each other without end";
const MAGIC = Buffer.from("SQLite format 3\0", "latin1");

export class ForeignDatabase {
  readonly path: string;
  /** Set if the log of a dead owner could not be used: the database is read as of its last checkpoint. */
  behind = false;
  readonly #copyLimit: number;
  readonly #statements = new Map<string, StatementSync>();
  #connection: DatabaseSync;
  /** Stamp of the file at opening, if nothing else guards the read. */
  #guard: string | undefined;
  /** Path of the private copy, if it could not be unlinked while open. */
  #copyFolder: string | undefined;

  constructor(path: string, options: ForeignOptions = {}) {
    this.path = path;
    this.#copyLimit = options.copyLimit ?? MAX_COPY_BYTES;
    this.#connection = attempt(() => this.#open());
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return attempt(() => this.#prepare(sql).all(...values));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return attempt(() => this.#prepare(sql).get(...values));
  }

  /** Columns of a table; none if it does not exist. */
  columns(table: string): ReadonlySet<string> {
    return new Set(this.all("SELECT name FROM pragma_table_info(?)", table).map((row) => String(row.name)));
  }

  /**
   * Runs the queries of `read` on one snapshot of the database. If the file changed meanwhile, they run again from the
   * start, so `read` must have no effect except its return value.
   */
  snapshot<T>(read: () => T): T {
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      const result = this.#try(read);
      const moved = this.#guard !== undefined && this.#guard !== attempt(() => stampOf(this.path));
      if (!moved && "value" in result) return result.value;
      if (left === 0 || (!moved && !result.retry)) {
        if ("error" in result) throw result.error;
        throw new ForeignDatabaseError("changes all the time");
      }
      this.#reopen();
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
    if (this.#copyFolder) rmSync(this.#copyFolder, { recursive: true, force: true });
    this.#copyFolder = undefined;
  }

  #try<T>(read: () => T): { value: T; retry?: never } | { error: unknown; retry: boolean } {
    try {
      attempt(() => this.#connection.exec("BEGIN"));
      return { value: read() };
    } catch (error) {
      // Without a guard, the owner may have deleted its log during the read.
      return { error, retry: error instanceof ForeignDatabaseError && this.#guard === undefined };
    } finally {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #reopen(): void {
    this.close();
    this.#connection = attempt(() => this.#open());
  }

  #open(): DatabaseSync {
    this.#guard = undefined;
    this.behind = false;
    const file = statSync(this.path);
    if (!file.isFile()) throw new ForeignDatabaseError("is not a file");
    const guard = stampOf(this.path);
    if (file.size > 0 && !firstBytes(this.path, MAGIC.length).equals(MAGIC)) {
      throw new ForeignDatabaseError("is not a SQLite database");
    }
    const log = sizeOf(`${this.path}-wal`);
    const hot = isHotJournal(`${this.path}-journal`);
    if (log <= WAL_HEADER && !hot) return this.#openStill(guard);
    if (file.size + log + sizeOf(`${this.path}-journal`) <= this.#copyLimit) {
      const copy = this.#openCopy();
      if (copy) return copy;
    }
    if (hot) throw new ForeignDatabaseError("is being written to");
    if (existsSync(`${this.path}-shm`)) return connect(this.path, "?mode=ro&readonly_shm=1");
    this.behind = true;
    return this.#openStill(guard);
  }

  #openStill(guard: string): DatabaseSync {
    this.#guard = guard;
    // A file that is being written to may look so for a moment.
    if (isEndless(this.path) && stampOf(this.path) === guard) throw new ForeignDatabaseError(ENDLESS);
    return connect(this.path, "?mode=ro&immutable=1");
  }

  /** Undefined if no copy can be made: the disk is full, or the owner writes all the time. */
  #openCopy(): DatabaseSync | undefined {
    const folder = copyFolder();
    if (folder === undefined) return undefined;
    try {
      const copy = join(folder, "copy.db");
      if (!copyUnchanged(this.path, copy, this.#copyLimit)) return undefined;
      if (namesAnotherFile(`${copy}-journal`)) throw new ForeignDatabaseError("is being written to");
      return this.#openOwn(copy, folder);
    } finally {
      if (this.#copyFolder !== folder) rmSync(folder, { recursive: true, force: true });
    }
  }

  #openOwn(copy: string, folder: string): DatabaseSync {
    merge(copy);
    if (isEndless(copy)) throw new ForeignDatabaseError(ENDLESS);
    const connection = new DatabaseSync(copy, { timeout: BUSY_MS });
    try {
      // Without a log, the copy can be unlinked while it is open. It need not outlive a crash.
      connection.exec("PRAGMA synchronous=OFF; PRAGMA journal_mode=DELETE");
      harden(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    if (process.platform === "win32") this.#copyFolder = folder;
    return connection;
  }
}

/**
 * Opens a database, uses it, closes it. A problem of the database is reported as malformed and returns undefined; any
 * other error is thrown.
 */
export function withDatabase<T>(
  path: string,
  sink: Pick<Sink, "malformed">,
  use: (database: ForeignDatabase) => T,
  options: ForeignOptions = {},
): T | undefined {
  let database: ForeignDatabase | undefined;
  try {
    database = new ForeignDatabase(path, options);
    if (database.behind) sink.malformed(path, "is read as of its last checkpoint: its log has no index");
    return use(database);
  } catch (error) {
    if (!(error instanceof ForeignDatabaseError)) throw error;
    sink.malformed(path, error.message);
    return undefined;
  } finally {
    database?.close();
  }
}

/** A value as text: columns of either kind contain JSON. */
export function columnText(value: SQLOutputValue | undefined): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
  return typeof value === "string" ? value : "";
}

/** Merges log and journal into a copy, without reading its schema. */
function merge(copy: string): void {
  const connection = new DatabaseSync(copy, { timeout: BUSY_MS });
  try {
    connection.exec("BEGIN IMMEDIATE; ROLLBACK");
  } finally {
    connection.close();
  }
}

function connect(path: string, query: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.search = query;
  const connection = new DatabaseSync(url, { readOnly: true, timeout: BUSY_MS });
  try {
    harden(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/**
 * Nothing is ever written, and a foreign schema runs nothing: a view in the place of a table could compute without end, so
 * dex reads tables alone.
 */
function harden(connection: DatabaseSync): void {
  connection.exec("PRAGMA query_only=ON; PRAGMA trusted_schema=OFF; PRAGMA mmap_size=0; PRAGMA cell_size_check=ON");
  // The first releases of Node 24 have neither.
  if ("limits" in connection) connection.limits.length = MAX_VALUE_BYTES;
  connection.setAuthorizer?.((action, _one, _other, _database, view) =>
    view !== null || action === constants.SQLITE_RECURSIVE ? constants.SQLITE_DENY : constants.SQLITE_OK,
  );
}

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ForeignDatabaseError) throw error;
    throw new ForeignDatabaseError(reason(error), { cause: error });
  }
}

const REASONS = new Map([
  [5, "is locked by its owner"],
  [6, "is locked by its owner"],
  [11, "is damaged"],
  [26, "is not a SQLite database"],
]);

function reason(error: unknown): string {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  const known = REASONS.get(code);
  return known ? `${known} (${errorMessage(error)})` : `cannot be read: ${errorMessage(error)}`;
}
