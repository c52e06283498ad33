/**
 * Keeping a repository's history: what came since the last time is read, what a rewrite took away is removed. The state
 * is the commit that HEAD was; it is written last, so that an interrupted run is begun again.
 */
import { join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { keptFolder } from "../kernel/ids.ts";
import { acquireLock } from "../kernel/lock.ts";
import { plural } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { CommitRecord, HistoryReader, HistoryWriter } from "../store/history.ts";
import { openHistory } from "../store/sqlite/history/reader.ts";
import { openHistoryWriter } from "../store/sqlite/history/writer.ts";
import { git, gitChunks } from "./git.ts";
import { type LogDetail, readLog } from "./log.ts";
import { historyPath, isCurrent, shapeOf } from "./place.ts";
import { type Repository, repositoryKey } from "./repository.ts";

/** Older commits of a repository are not read: what they say of today's files is little, and reading them takes long. */
const MOST_COMMITS = 50_000;
const BATCH = 2000;
/** How many commits lack a part because objects are missing from the repository. */
const INCOMPLETE = "incomplete";
/** A rewrite of more than this is read as a new history. */
const MOST_REMOVED = 20_000;

export interface HistoryState {
  commits: number;
  added: number;
  removed: number;
  /** Read from the beginning. */
  anew: boolean;
  /** What a reader of the answers should know. */
  notes: string[];
}

export interface UpdateOptions {
  waitMs?: number;
  progress?(done: number): void;
}

export async function updateHistory(
  repository: Repository,
  folder: string,
  options: UpdateOptions = {},
): Promise<HistoryState> {
  if (!repository.git) return { commits: 0, added: 0, removed: 0, anew: false, notes: [] };
  const head = repository.head ?? (await askHead(repository));
  const path = historyPath(folder, repository);
  const before = openHistory(path);
  try {
    if (isCurrent(before, repository, head)) return stateOf(before, repository);
  } finally {
    before.close();
  }
  const lock = acquireLock(join(folder, `${repositoryKey(repository)}.lock`), options.waitMs ?? 10_000);
  if (!lock) return heldElsewhere(path, repository);
  try {
    const writer = openHistoryWriter(path);
    try {
      if (isCurrent(writer, repository, head)) return stateOf(writer, repository);
      const done = await bring(writer, repository, head, options);
      return { ...stateOf(writer, repository), ...done };
    } finally {
      writer.close();
    }
  } finally {
    lock.release();
  }
}

/** The history opened for writing what is read out of it; undefined when another process has it. */
export async function withHistoryWriter<T>(
  repository: Repository,
  folder: string,
  work: (writer: HistoryWriter) => T | Promise<T>,
): Promise<T | undefined> {
  const lock = acquireLock(join(folder, `${repositoryKey(repository)}.lock`), 10_000);
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

async function bring(
  writer: HistoryWriter,
  repository: Repository,
  head: string | undefined,
  options: UpdateOptions,
): Promise<Pick<HistoryState, "added" | "removed" | "anew">> {
  const indexed = writer.getValue("head");
  const gone = await goneSince(writer, repository, indexed, head);
  const anew = gone === undefined;
  if (gone === undefined) writer.clear();
  else writer.removeCommits(gone);
  writer.setValue("head", "reading");
  let added = 0;
  let incomplete = anew ? 0 : Number(writer.getValue(INCOMPLETE) ?? 0);
  if (head !== undefined) {
    const since = anew || indexed === "" ? [] : ["--not", String(indexed)];
    for await (const commit of commits(repository, [head, ...since], () => (incomplete += 1))) {
      writer.addCommit(commit);
      added += 1;
      if (added % BATCH !== 0) continue;
      writer.commit();
      options.progress?.(added);
    }
  }
  writer.followRenames();
  if (anew) writer.setValue("cut", added >= MOST_COMMITS ? "1" : "0");
  writer.setValue(INCOMPLETE, String(incomplete));
  writer.setValue("shape", shapeOf(repository));
  writer.setValue("root", keptFolder(repository.root, redactText(repository.root, "printed").text));
  writer.setValue("head", head ?? "");
  writer.commit();
  return { added, removed: gone?.length ?? 0, anew };
}

/** The indexed commits that HEAD no longer leads to; undefined when that cannot be told, and all is read again. */
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
    const revisions = [`--max-count=${MOST_REMOVED + 1}`, indexed, "--not", head];
    const { text } = await git(repository.root, ["rev-list", ...revisions, "--"]);
    const shas = text.split("\n").filter((line) => line !== "");
    return shas.length > MOST_REMOVED ? undefined : shas;
  } catch (error) {
    // What was indexed has been pruned since: the rewrite took its objects with it.
    if (error instanceof DexError && error.code === "git_failed") return undefined;
    throw error;
  }
}

/** Commits whose objects are missing are read one by one up to here; then the rest is read without counting lines. */
const MAX_RESUMED = 40;

/**
 * The commits, each with as much as the repository has of it. Where an object is missing (a blob of a damaged repository,
 * the trees of a partial clone), git stops in the middle of the log: that commit is then asked for with less detail, and
 * the log goes on behind it. `incomplete` is told of each commit that has less than it should.
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
    const page = [`--max-count=${MOST_COMMITS - read}`, `--skip=${read}`];
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
  const asked = gitChunks(repository.root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { fine: [1, 128] });
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
  if (repository.shallow.length > 0) notes.push("the clone is shallow: older commits are not here");
  if (repository.partial) notes.push("the clone is partial: lines are not counted and renames are not followed");
  const incomplete = Number(reader.getValue(INCOMPLETE) ?? 0);
  if (incomplete > 0) {
    const what = plural(incomplete, "commit");
    notes.push(`objects are missing from the repository, so that ${what} could not be read in full (see \`git fsck\`)`);
  }
  if (reader.getValue("cut") === "1") notes.push(`only the latest ${MOST_COMMITS} commits were read`);
  return { commits: reader.commitCount(), added: 0, removed: 0, anew: false, notes };
}
