/**
 * Forgetting conversations. Everything happens under the writer's lock, in an order that a kill cannot spoil: a mark
 * names the conversations first, so that the next command finishes the work; then come tombstones; then everything that
 * quotes them, which is recognised with the help of the index; then index and archive; then the mark goes.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Dex } from "../dex.ts";
import { forgetInHistories, ownerOf } from "../history/scan.ts";
import { DexError } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { asArray, asObject, asString, parseJson } from "../kernel/json.ts";
import { archivePath, removeArchived } from "../store/archive.ts";
import { openState } from "../store/engine/state.ts";
import type { IndexWriter } from "../store/ports.ts";
import { renewBackups } from "../store/state/backups.ts";
import type { ForgottenInState } from "../store/state.ts";
import { busyError, withWriter } from "../sync/writing.ts";
import { type ForgottenFiles, forgetInFiles } from "./files.ts";
import { type Quotes, quotesOf } from "./quotes.ts";

export interface Named {
  source: string;
  id: string;
}

/** What goes beside the conversations themselves. */
export interface Removed extends ForgottenInState, ForgottenFiles {
  /** Decisions and test results that were read out of the conversations. */
  history: number;
}

const MAX_MARK_BYTES = 16 << 20;
const WAIT_MS = 30_000;

/** What forgetting them would remove. Nothing is changed. */
export async function previewForgetting(dex: Dex, conversations: readonly Named[]): Promise<Removed> {
  const removed = await underLock(dex, WAIT_MS, (writer) => removeQuotes(dex, writer, conversations, true));
  if (!removed) throw busyError();
  return removed;
}

export async function forgetConversations(dex: Dex, conversations: readonly Named[]): Promise<Removed> {
  const removed = await underLock(dex, WAIT_MS, (writer) => carryOut(dex, writer, conversations));
  if (!removed) throw busyError();
  dex.reopen();
  return removed;
}

/** Finishes what a kill interrupted. Costs nothing where there is nothing to finish. */
export async function finishForgetting(dex: Dex): Promise<void> {
  if (!existsSync(dex.paths.forgetting)) return;
  // Another process that holds the lock may be the one that forgets: it, or the next command, finishes.
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
    for (const { source, id } of conversations) state.forget(source, id, dex.now());
  } finally {
    state.close();
  }
  const removed = removeQuotes(dex, writer, conversations, false);
  const rows = rowsOf(writer, conversations);
  writer.forgetContainers(new Set(rows.map(({ no }) => no)));
  for (const { no } of rows) writer.remove(no);
  // The index before the archive: after a kill in between, the archive tells again what is to be removed.
  writer.commit();
  for (const each of conversations) removeArchives(paths.archive, each);
  writer.purge();
  rmSync(paths.forgetting, { force: true });
  return removed;
}

/** Everything that names or quotes them, apart from index and archive. */
function removeQuotes(dex: Dex, writer: IndexWriter, conversations: readonly Named[], dry: boolean): Removed {
  const { paths } = dex;
  const rows = rowsOf(writer, conversations);
  const titles = new Map(rows.map((row) => [ownerOf(row), row.title]));
  const terms = writer.termsOnlyIn(new Set(rows.map(({ no }) => no)));
  const quotes = quotesOf(
    conversations.map(({ id }) => id),
    terms,
  );
  const told = conversations.map((each) => ({ ...each, title: titles.get(ownerOf(each)) ?? "" }));
  const inState = forgetInStateFile(dex, { conversations: told, quotes }, dry);
  // Copies of state.db hold the same quotes: one of state.db as it is now replaces them all.
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

/** In whatever month, and also what a repair set aside. */
function removeArchives(folder: string, { source, id }: Named): void {
  const name = basename(archivePath({ source, id }, "month"));
  let entries: string[];
  try {
    entries = readdirSync(join(folder, source), { recursive: true, encoding: "utf8" });
  } catch {
    return;
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
