/**
 * Forgets conversations, under the writer's lock and in an order that survives a kill. dex first writes a mark that names
 * the conversations, so that the next command can finish the work; then the tombstones. Then it removes everything that
 * quotes them (it needs the index to recognize quotations), the rows of the index, the archive, and last the mark.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Dex } from "../dex.ts";
import { forgetInHistories, ownerOf } from "../history/scan.ts";
import { DexError, systemCode } from "../kernel/errors.ts";
import { diskError, writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { asArray, asObject, asString, parseJson } from "../kernel/json.ts";
import { archivePath, removeArchived } from "../store/archive/archive.ts";
import { openState } from "../store/engine/state.ts";
import type { IndexWriter } from "../store/index_writer.ts";
import { renewBackups } from "../store/state/backups.ts";
import type { ForgottenInState } from "../store/state/state.ts";
import { busyError, withWriter } from "../sync/writing.ts";
import { removeCache } from "../team/finding/places.ts";
import { hasTeam } from "../team/joined.ts";
import { type ForgottenFiles, forgetInFiles } from "./files.ts";
import { type Quotes, quotesOf } from "./quotes.ts";

export interface Named {
  source: string;
  id: string;
}

/** Counts of what is removed in addition to the conversations themselves. */
export interface Removed extends ForgottenInState, ForgottenFiles {
  /** Decisions and test results extracted from the conversations. */
  history: number;
}

const MAX_MARK_BYTES = 16 << 20;
const LOCK_WAIT_MS = 30_000;

/** Counts what forgetting would remove, without changing anything. */
export async function previewForgetting(dex: Dex, conversations: readonly Named[]): Promise<Removed> {
  const removed = await underLock(dex, LOCK_WAIT_MS, (writer) => removeQuotes(dex, writer, conversations, true));
  if (!removed) throw busyError();
  return removed;
}

export async function forgetConversations(dex: Dex, conversations: readonly Named[]): Promise<Removed> {
  const removed = await underLock(dex, LOCK_WAIT_MS, (writer) => carryOut(dex, writer, conversations));
  if (!removed) throw busyError();
  dex.reopen();
  return removed;
}

/** Finishes a forgetting that a kill interrupted. Costs nothing when there is none. */
export async function finishForgetting(dex: Dex): Promise<void> {
  if (!existsSync(dex.paths.forgetting)) return;
  // The process that holds the lock may be the one that forgets; otherwise the next command finishes.
  await underLock(dex, 0, (writer) => carryOut(dex, writer, []));
  dex.reopen();
}

function underLock<T>(dex: Dex, waitMs: number, use: (writer: IndexWriter) => T): Promise<T | undefined> {
  return withWriter({ places: dex.places, waitMs, now: dex.now }, use);
}

function carryOut(dex: Dex, writer: IndexWriter, named: readonly Named[]): Removed {
  const { paths } = dex;
  const conversations = [...readMark(paths.forgetting), ...named];
  writeFileAtomic(
    paths.forgetting,
    JSON.stringify({ conversations: conversations.map(({ source, id }) => ({ source, id })) }),
  );
  const state = openState(paths.state);
  try {
    const joined = hasTeam(paths.team);
    for (const { source, id } of conversations) {
      state.forget(source, id, dex.now());
      // The team forgets it, too: now, or when its server can be reached again.
      if (joined) state.team.queueForget(source, id, dex.now());
    }
  } finally {
    state.close();
  }
  // The blocks fetched from a team may contain their words, too.
  removeCache(paths.team);
  const removed = removeQuotes(dex, writer, conversations, false);
  const rows = rowsOf(writer, conversations);
  writer.forgetContainers(new Set(rows.map(({ no }) => no)));
  for (const { no } of rows) writer.remove(no);
  // The index before the archive: after a kill in between, the archive still names what is to be removed.
  writer.commit();
  for (const each of conversations) removeArchives(paths.archive, each);
  writer.purge();
  rmSync(paths.forgetting, { force: true });
  return removed;
}

/** Removes everything that names or quotes the conversations, except in the index and the archive. */
function removeQuotes(dex: Dex, writer: IndexWriter, conversations: readonly Named[], dry: boolean): Removed {
  const { paths } = dex;
  const rows = rowsOf(writer, conversations);
  const titles = new Map(rows.map((row) => [ownerOf(row), row.title]));
  const terms = writer.termsOnlyIn(new Set(rows.map(({ no }) => no)));
  const quotes = quotesOf(
    conversations.map(({ id }) => id),
    terms,
  );
  const titled = conversations.map((each) => ({ ...each, title: titles.get(ownerOf(each)) ?? "" }));
  const inState = forgetInStateFile(dex, { conversations: titled, quotes }, dry);
  // The backups of state.db hold the same quotations: one new backup replaces them all.
  if (!dry) renewBackups(paths.state, dex.now());
  const history = forgetInHistories(paths.history, conversations.map(ownerOf), quotes, dry);
  if (history === false) {
    throw new DexError("busy", "Another dex process is reading the history of a repository.", {
      hint: "Wait for it to finish and run the command again.",
    });
  }
  return { ...inState, ...forgetInFiles(paths, quotes, dry), history };
}

function forgetInStateFile(
  { paths }: Dex,
  forgetting: { conversations: (Named & { title: string })[]; quotes: Quotes },
  dry: boolean,
): ForgottenInState {
  if (!existsSync(paths.state)) return { suggestions: 0, deliveries: 0, told: 0 };
  const state = openState(paths.state);
  try {
    const counts = state.forgetQuotes(forgetting, dry);
    if (!dry) state.purge();
    return counts;
  } finally {
    state.close();
  }
}

function rowsOf(writer: IndexWriter, conversations: readonly Named[]) {
  return conversations.flatMap(({ source, id }) => writer.find(source, id) ?? []);
}

/** In every month's folder, including copies that a repair set aside. */
function removeArchives(folder: string, { source, id }: Named): void {
  const name = basename(archivePath({ source, id }, "month"));
  let entries: string[];
  try {
    entries = readdirSync(join(folder, source), { recursive: true, encoding: "utf8" });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw diskError(error, join(folder, source));
  }
  for (const entry of entries) {
    const file = basename(entry);
    if (dirname(entry) !== "." && (file === name || file.startsWith(`${name}.`)))
      removeArchived(folder, join(source, entry));
  }
}

function readMark(path: string): Named[] {
  const text = readRegularFile(path, MAX_MARK_BYTES)?.toString("utf8") ?? "";
  return asArray(asObject(parseJson(text)).conversations).flatMap((each) => {
    const { source, id } = asObject(each);
    const named = { source: asString(source), id: asString(id) };
    return named.source === undefined || named.id === undefined ? [] : [{ source: named.source, id: named.id }];
  });
}
