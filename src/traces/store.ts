/**
 * Trace rows on disk: numbered files of JSON lines. dex appends to the newest.
 *
 * Several processes write at once without a lock. A row is one write() in append mode. When a file is full, writers move
 * on to the next number instead of renaming the file, so two processes that find it full use the same new file. dex
 * deletes the oldest files. A row that cannot be written is dropped: a command never fails because of its trace.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { systemCode } from "../kernel/errors.ts";
import { ensureFolder } from "../kernel/files/atomic_write.ts";
import { parseJson } from "../kernel/json.ts";
import { MAX_ROW_BYTES, serialize } from "./build.ts";
import { type Trace, traceSchema } from "./trace.ts";

/** The newest file and four older ones. */
const MAX_FILES = 5;
const NAME = /^(\d{8,15})\.ndjson$/;
const CHUNK_BYTES = 64 << 10;
const NEWLINE = 0x0a;
/** Other processes may rotate the files meanwhile; each try lists them again. */
const MAX_TRIES = 3;
/** A pipe at the path must not block dex, and a link must not redirect the write. Windows has neither flag. */
const APPEND = constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The file that the last row of this process went to: it is the newest until the next number is there. */
let lastFile: { folder: string; number: number } | undefined;

export function appendTrace(folder: string, trace: Trace, maxBytes: number): boolean {
  const row = serialize(trace);
  try {
    if (appendToLast(folder, row, maxBytes)) return true;
    ensureFolder(folder);
    for (let left = MAX_TRIES; left > 0; left -= 1) {
      if (tryAppend(folder, row, maxBytes)) return true;
    }
  } catch {
    // The disk is read-only or full, or the folder is missing: the command must not fail for its trace.
  }
  return false;
}

function appendToLast(folder: string, row: Buffer, maxBytes: number): boolean {
  if (lastFile?.folder !== folder || isThere(pathOf(folder, lastFile.number + 1))) return false;
  return appendTo(pathOf(folder, lastFile.number), row, maxBytes);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** False when the file was deleted meanwhile. */
function tryAppend(folder: string, row: Buffer, maxBytes: number): boolean {
  const numbers = fileNumbers(folder);
  const newest = numbers[0];
  if (newest !== undefined && appendTo(pathOf(folder, newest), row, maxBytes)) {
    lastFile = { folder, number: newest };
    return true;
  }
  // Create only a new number: a file that another process has just deleted stays deleted.
  if (newest !== undefined && !isThere(pathOf(folder, newest))) return false;
  const number = (newest ?? 0) + 1;
  appendTo(pathOf(folder, number), row, Number.POSITIVE_INFINITY, constants.O_CREAT);
  lastFile = { folder, number };
  for (const old of numbers.slice(MAX_FILES - 1)) rmSync(pathOf(folder, old), { force: true });
  return true;
}

/** False when the file is gone, or has no room for the row. */
function appendTo(path: string, row: Buffer, maxBytes: number, creating = 0): boolean {
  let fd: number;
  try {
    fd = openSync(path, APPEND | creating, 0o600);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    if (size + row.length > maxBytes) return false;
    writeSync(fd, endsTorn(fd, size) ? Buffer.concat([Buffer.from("\n"), row]) : row);
    return true;
  } finally {
    closeSync(fd);
  }
}

/** A row that was cut short by a full disk must not swallow the next one. */
function endsTorn(fd: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/** The last rows, newest first. */
export function tailTraces(folder: string, count: number): Trace[] {
  const rows: Trace[] = [];
  for (const line of newestLines(folder)) {
    if (rows.length >= count) break;
    const trace = parseTrace(line);
    if (trace) rows.push(trace);
  }
  return rows;
}

export function findTrace(folder: string, id: string): Trace | undefined {
  const mark = `"${id}"`;
  for (const line of newestLines(folder)) {
    if (!line.includes(mark)) continue;
    const trace = parseTrace(line);
    if (trace?.trace_id === id) return trace;
  }
  return undefined;
}

/** Every id, newest first. */
export function* traceIds(folder: string): Generator<string> {
  for (const line of newestLines(folder)) {
    const id = /^\{"trace_id":"(T-[0-9a-f]{12})"/.exec(line)?.[1];
    if (id !== undefined) yield id;
  }
}

function parseTrace(line: string): Trace | undefined {
  const parsed = traceSchema.safeParse(parseJson(line));
  return parsed.success ? parsed.data : undefined;
}

/** Newest number first. */
export function fileNumbers(folder: string): number[] {
  const numbers: number[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const number = entry.isFile() ? NAME.exec(entry.name)?.[1] : undefined;
    if (number !== undefined) numbers.push(Number(number));
  }
  return numbers.sort((a, b) => b - a);
}

export function pathOf(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, "0")}.ndjson`);
}

function* newestLines(folder: string): Generator<string> {
  let numbers: number[];
  try {
    numbers = fileNumbers(folder);
  } catch {
    return;
  }
  for (const number of numbers) {
    try {
      yield* linesFromEnd(pathOf(folder, number));
    } catch (error) {
      // A rotation deleted the file, or dex may not read it.
      if (systemCode(error) === undefined) throw error;
    }
  }
}

/** Lines from last to first, with no more than a chunk and a row in memory. Skips longer lines. */
function* linesFromEnd(path: string): Generator<string> {
  const fd = openSync(path, "r");
  try {
    let position = fstatSync(fd).size;
    let rest: Buffer = Buffer.alloc(0);
    let tooLong = false;
    const whole = (line: Buffer): string | undefined =>
      tooLong || line.length === 0 || line.length > MAX_ROW_BYTES ? undefined : line.toString("utf8");
    while (position > 0) {
      const length = Math.min(CHUNK_BYTES, position);
      position -= length;
      const chunk = Buffer.alloc(length);
      readSync(fd, chunk, 0, length, position);
      const bytes = Buffer.concat([chunk, rest]);
      let end = bytes.length;
      for (let at = bytes.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)) {
        const line = whole(bytes.subarray(at + 1, end));
        tooLong = false;
        end = at;
        if (line !== undefined) yield line;
      }
      rest = bytes.subarray(0, end);
      if (rest.length <= MAX_ROW_BYTES) continue;
      tooLong = true;
      rest = Buffer.alloc(0);
    }
    const first = whole(rest);
    if (first !== undefined) yield first;
  } finally {
    closeSync(fd);
  }
}
