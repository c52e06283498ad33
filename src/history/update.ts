/**
 * Updates the stored history of a repository: reads new commits and removes those that a rewrite dropped. The commit of
 * HEAD is written last as the cursor, so an interrupted run starts again.
 */
import { join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { isWriteRefused } from "../kernel/files/atomic_write.ts";
import { keptFolder } from "../kernel/ids.ts";
import { acquireLock } from "../kernel/lock.ts";
import { plural } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import { openHistory } from "../store/engine/history.ts";
import { openHistoryWriter } from "../store/engine/history_writer.ts";
import type { HistoryReader, HistoryWriter } from "../store/history.ts";
import type { CommitRecord } from "../store/history_records.ts";
import { git, gitChunks } from "./git.ts";
import { type LogDetail, readLog } from "./log.ts";
import { historyPath, isCurrent, shapeOf } from "./place.ts";
import { type Repository, repositoryKey } from "./repository.ts";

/** Older commits are not read: they take long and say little about today's files. */
const MAX_COMMITS = 50_000;
const COMMITS_PER_TRANSACTION = 2000;
const COMMITS_PER_REPORT = 100;
/** Stands for the cursor while commits are read. */
const READING = "reading";
/** Key of the number of commits read in part because objects are missing from the repository. */
export const INCOMPLETE = "incomplete";
/** A larger rewrite is read as a new history. */
const MAX_REMOVED = 20_000;

export interface HistoryState {
  commits: number;
  added: number;
  removed: number;
  /** The whole history was read again. */
  reread: boolean;
  /** Limits of the history, as sentences for the user. */
  notes: string[];
  /** A sentence that says why newer commits are left out. */
  behind?: string;
}

export interface UpdateOptions {
  waitMs?: number;
  progress?: ((done: number, total: number, label: string) => void) | undefined;
}

export async function updateHistory(
  repository: Repository,
  folder: string,
  options: UpdateOptions = {},
): Promise<HistoryState> {
  if (!repository.git) return { commits: 0, added: 0, removed: 0, reread: false, notes: [] };
  const head = repository.head ?? (await askHead(repository));
  const path = historyPath(folder, repository);
  const before = openHistory(path);
  try {
    if (isCurrent(before, repository, head)) return stateOf(before, repository);
  } finally {
    before.close();
  }
  const update = async (writer: HistoryWriter): Promise<HistoryState> => {
    if (isCurrent(writer, repository, head)) return stateOf(writer, repository);
    const done = await readChanges(writer, repository, head, options);
    return { ...stateOf(writer, repository), ...done };
  };
  return (await withHistoryWriter(repository, folder, update, options.waitMs)) ?? heldElsewhere(path, repository);
}

/**
 * The same for a reader: if the disk is full or may not be written, the stored history answers, and a note says so. Fails
 * only if none is stored.
 */
export async function updateOrStored(
  repository: Repository,
  folder: string,
  options: UpdateOptions = {},
): Promise<HistoryState> {
  try {
    return await updateHistory(repository, folder, options);
  } catch (error) {
    if (!isWriteRefused(error)) throw error;
    const reader = openHistory(historyPath(folder, repository));
    try {
      const head = reader.getValue("head");
      if (head === undefined || head === READING) throw error;
      return { ...stateOf(reader, repository), behind: `Newer commits are left out: ${error.message}` };
    } finally {
      reader.close();
    }
  }
}

/**
 * Stores what can be derived again. Undefined if another process holds the lock, or if the disk is full or may not be
 * written: a reader still gets its answer.
 */
export async function storeDerived<T>(
  repository: Repository,
  folder: string,
  work: (writer: HistoryWriter) => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await withHistoryWriter(repository, folder, work);
  } catch (error) {
    if (isWriteRefused(error)) return undefined;
    throw error;
  }
}

/** Opens the history for writing; undefined if another process holds its lock. */
export async function withHistoryWriter<T>(
  repository: Repository,
  folder: string,
  work: (writer: HistoryWriter) => T | Promise<T>,
  waitMs = 10_000,
): Promise<T | undefined> {
  const lock = acquireLock(join(folder, `${repositoryKey(repository)}.lock`), waitMs);
  if (!lock) return undefined;
  try {
    const writer = openHistoryWriter(historyPath(folder, repository));
    try {
      return await work(writer);
    } finally {
      writer.close();
    }
  } finally {
    lock.release();
  }
}

async function readChanges(
  writer: HistoryWriter,
  repository: Repository,
  head: string | undefined,
  options: UpdateOptions = {},
): Promise<Pick<HistoryState, "added" | "removed" | "reread">> {
  const indexed = writer.getValue("head");
  const gone = await goneSince(writer, repository, indexed, head);
  const reread = gone === undefined;
  if (gone === undefined) writer.clear();
  else writer.removeCommits(gone);
  writer.setValue("head", READING);
  const total = reread && head !== undefined && options.progress ? await countCommits(repository, head) : 0;
  let added = 0;
  let incomplete = reread ? 0 : Number(writer.getValue(INCOMPLETE) ?? 0);
  if (head !== undefined) {
    const since = reread || indexed === "" ? [] : ["--not", String(indexed)];
    for await (const commit of commits(repository, [head, ...since], () => (incomplete += 1))) {
      writer.addCommit(commit);
      if (added % COMMITS_PER_REPORT === 0) options.progress?.(added, total, "commits");
      added += 1;
      if (added % COMMITS_PER_TRANSACTION === 0) writer.commit();
    }
  }
  writer.followRenames();
  if (reread) writer.setValue("cut", added >= MAX_COMMITS ? "1" : "0");
  writer.setValue(INCOMPLETE, String(incomplete));
  writer.setValue("shape", shapeOf(repository));
  writer.setValue("root", keptFolder(repository.root, redactText(repository.root, "printed").text));
  writer.setValue("head", head ?? "");
  writer.commit();
  return { added, removed: gone?.length ?? 0, reread };
}

/** How many commits will be read; 0 if git does not say. */
async function countCommits(repository: Repository, head: string): Promise<number> {
  try {
    const { text } = await git(repository.root, ["rev-list", "--count", `--max-count=${MAX_COMMITS}`, head, "--"]);
    return Number(text) || 0;
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return 0;
  }
}

/** Indexed commits that are no longer reachable from HEAD; undefined if unknown, and then everything is read again. */
async function goneSince(
  reader: HistoryReader,
  repository: Repository,
  indexed: string | undefined,
  head: string | undefined,
): Promise<string[] | undefined> {
  if (indexed === undefined || reader.getValue("shape") !== shapeOf(repository)) return undefined;
  if (indexed === "") return [];
  if (head === undefined || !/^[0-9a-f]{40,64}$/.test(indexed)) return undefined;
  try {
    const revisions = [`--max-count=${MAX_REMOVED + 1}`, indexed, "--not", head];
    const { text } = await git(repository.root, ["rev-list", ...revisions, "--"]);
    const shas = text.split("\n").filter((line) => line !== "");
    return shas.length > MAX_REMOVED ? undefined : shas;
  } catch (error) {
    // The indexed commit was pruned after a rewrite.
    if (error instanceof DexError && error.code === "git_failed") return undefined;
    throw error;
  }
}

/** After this many commits with missing objects, the rest is read with less detail. */
const MAX_RESUMED = 40;

/**
 * The commits, each in the detail that the repository allows. If an object is missing (a blob of a damaged repository,
 * trees of a partial clone), git stops in the middle of the log: that commit is then read with less detail, and the log
 * continues after it. `incomplete` is called for each commit with less detail.
 */
async function* commits(
  repository: Repository,
  revisions: readonly string[],
  incomplete: (commit: CommitRecord) => void,
): AsyncGenerator<CommitRecord> {
  const details: readonly LogDetail[] = repository.partial ? ["names", "none"] : ["lines", "names", "none"];
  const [most = "none"] = details;
  let read = 0;
  for (let resumed = 0, detail = most; ; resumed += 1) {
    const page = [`--max-count=${MAX_COMMITS - read}`, `--skip=${read}`];
    try {
      for await (const commit of readLog(repository, { revisions: [...page, ...revisions], detail })) {
        read += 1;
        if (detail !== most && !repository.partial) incomplete(commit);
        yield commit;
      }
      return;
    } catch (error) {
      const less = details[details.indexOf(detail) + 1];
      if (!isMissingObject(error) || less === undefined) throw error;
      if (repository.partial || resumed >= MAX_RESUMED) {
        detail = less;
        continue;
      }
    }
    const next = await commitWithLess(repository, revisions, read, details.slice(details.indexOf(detail) + 1));
    read += 1;
    incomplete(next);
    yield next;
  }
}

async function commitWithLess(
  repository: Repository,
  revisions: readonly string[],
  skip: number,
  details: readonly LogDetail[],
): Promise<CommitRecord> {
  let failure: unknown;
  for (const detail of details) {
    try {
      const page = ["--max-count=1", `--skip=${skip}`, ...revisions];
      for await (const commit of readLog(repository, { revisions: page, detail })) return commit;
    } catch (error) {
      if (!isMissingObject(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

function isMissingObject(error: unknown): boolean {
  return error instanceof DexError && error.code === "git_failed";
}

async function askHead(repository: Repository): Promise<string | undefined> {
  let text = "";
  const asked = gitChunks(repository.root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    allowedExitCodes: [1, 128],
  });
  for await (const chunk of asked) text += chunk.toString("utf8");
  return text.trim() || undefined;
}

function heldElsewhere(path: string, repository: Repository): HistoryState {
  const reader = openHistory(path);
  try {
    const state = stateOf(reader, repository);
    return { ...state, notes: [...state.notes, "another dex process is reading the history now"] };
  } finally {
    reader.close();
  }
}

function stateOf(reader: HistoryReader, repository: Repository): HistoryState {
  const notes: string[] = [];
  if (repository.shallow.length > 0) notes.push("the clone is shallow: older commits are missing");
  if (repository.partial) notes.push("the clone is partial: lines are not counted and renames are not followed");
  const incomplete = Number(reader.getValue(INCOMPLETE) ?? 0);
  if (incomplete > 0) {
    const what = plural(incomplete, "commit");
    notes.push(`objects are missing from the repository, so ${what} could not be read in full (see \`git fsck\`)`);
  }
  if (reader.getValue("cut") === "1") notes.push(`only the latest ${MAX_COMMITS} commits were read`);
  return { commits: reader.commitCount(), added: 0, removed: 0, reread: false, notes };
}
