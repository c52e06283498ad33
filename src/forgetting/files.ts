/** Removes files in dex's home, other than databases and archives, that name or quote a forgotten conversation. */
import { closeSync, type Dirent, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { lockChat } from "../chat/sessions.ts";
import type { DexPaths } from "../config/paths.ts";
import { systemCode } from "../kernel/errors.ts";
import { compareText } from "../kernel/text.ts";
import { filterLines } from "../traces/remove.ts";
import type { Quotes } from "./quotes.ts";

export interface ForgottenFiles {
  traces: number;
  log_lines: number;
  summaries: number;
  workflow_runs: string[];
  chats: string[];
  /** Other files in dex's home. */
  files: string[];
  /** Chats that are open in another terminal, and therefore stay. */
  open_chats: string[];
  /** Files and folders that could not be read: they stay, and may quote the conversations. */
  unreadable: string[];
}

const CHUNK_BYTES = 4 << 20;
/** A quotation may span two chunks. */
const OVERLAP_BYTES = 1 << 10;
const DATABASE = /\.db(-wal|-shm|-journal)?$/;

/** With `dry` nothing is removed; the result counts what would be. */
export function forgetInFiles(paths: DexPaths, quotes: Quotes, dry: boolean): ForgottenFiles {
  const { home } = paths;
  const unreadable = new Set<string>();
  const missed: Missed = (path) => unreadable.add(relative(home, path));
  const doesQuote = (path: string): boolean => fileQuotes(path, quotes, missed);
  const found: ForgottenFiles = {
    traces: filesIn(paths.traces, missed).reduce((sum, path) => sum + filterLines(path, quotes, dry), 0),
    log_lines: filterLines(paths.hooksLog, quotes, dry) + filterLines(paths.askHistory, quotes, dry),
    summaries: 0,
    workflow_runs: [],
    chats: [],
    files: [],
    open_chats: [],
    unreadable: [],
  };
  for (const run of foldersIn(paths.workflows, missed)) {
    if (!filesIn(run, missed).some(doesQuote)) continue;
    found.workflow_runs.push(relative(paths.workflows, run));
    if (!dry) rmSync(run, { recursive: true, force: true });
  }
  for (const chat of foldersIn(paths.chats, missed)) {
    if (!filesIn(chat, missed).some(doesQuote)) continue;
    const name = relative(paths.chats, chat);
    const lock = lockChat(paths.chats, name);
    lock?.release();
    (lock ? found.chats : found.open_chats).push(name);
    if (lock && !dry) rmSync(chat, { recursive: true, force: true });
  }
  const { config, token, trust, forgetting, running, hooksLog, askHistory } = paths;
  // Tombstones must keep the ids, and hold nothing else.
  const tombstones = join(paths.backups, "forgotten.json");
  const own = new Set([config, token, trust, forgetting, running, hooksLog, askHistory, tombstones]);
  // dex's own compiled code has common words but quotes no conversation.
  const compiled = join(home, "compile-cache");
  const elsewhere = new Set([
    paths.archive,
    paths.documentArchive,
    paths.traces,
    paths.workflows,
    paths.chats,
    compiled,
  ]);
  for (const path of filesIn(home, missed, elsewhere)) {
    if (own.has(path) || DATABASE.test(path) || !doesQuote(path)) continue;
    if (path.startsWith(paths.summaries + sep)) found.summaries += 1;
    else found.files.push(relative(home, path));
    if (!dry) rmSync(path, { force: true });
  }
  return { ...found, unreadable: [...unreadable].sort() };
}

/** Called with a path that exists and cannot be read. */
type Missed = (path: string) => void;

function fileQuotes(path: string, quotes: Quotes, missed: Missed): boolean {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (systemCode(error) !== "ENOENT") missed(path);
    return false;
  }
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES + OVERLAP_BYTES);
    let kept = 0;
    for (;;) {
      const count = readSync(fd, buffer, kept, CHUNK_BYTES, null);
      if (count === 0) return false;
      const filled = kept + count;
      if (quotes(buffer.toString("utf8", 0, filled))) return true;
      kept = Math.min(OVERLAP_BYTES, filled);
      buffer.copyWithin(0, filled - kept, filled);
    }
  } finally {
    closeSync(fd);
  }
}

/** Regular files below a folder, except in the folders `without`. Does not follow links. */
function filesIn(folder: string, missed: Missed, without: ReadonlySet<string> = new Set()): string[] {
  return entriesIn(folder, missed).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !without.has(path) ? filesIn(path, missed, without) : [];
  });
}

function foldersIn(folder: string, missed: Missed): string[] {
  return entriesIn(folder, missed)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

/** Folder by folder: Node's recursive listing gives nothing at all if one folder is unreadable, or was deleted just now. */
function entriesIn(folder: string, missed: Missed): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch (error) {
    if (systemCode(error) !== "ENOENT") missed(folder);
    return [];
  }
}
