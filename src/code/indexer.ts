/**
 * Bringing a project's code store up to date. First each changed file is read by itself into facts. Then edges are made:
 * for the changed files alone when nothing that other files can see has changed, for all files otherwise. So the store
 * is always what reading everything anew would give.
 */
import { join } from "node:path";
import { diskError, ensureFolder } from "../kernel/files/atomic_write.ts";
import { keptFolder } from "../kernel/ids.ts";
import { acquireLock } from "../kernel/lock.ts";
import { compareText } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { CodeReader, CodeTotals, CodeWriter, KnownFile } from "../store/code.ts";
import { openCodeWriter } from "../store/engine/code_writer.ts";
import { removeDatabase } from "../store/engine/database.ts";
import { Analyser } from "../text/analyser.ts";
import { Changes } from "./changes.ts";
import { connect } from "./edges.ts";
import { toEntities } from "./entities.ts";
import type { ListedFile } from "./files.ts";
import type { Problem } from "./problem.ts";
import { type CodeProject, openCode } from "./project.ts";
import { type ReadFile, UNREADABLE } from "./read_file.ts";
import { openReaders } from "./readers.ts";
import { isTestPath } from "./test_paths.ts";
import { changedPaths, planWork, type Work } from "./work.ts";

export interface IndexReport {
  root: string;
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  /** Files that changed and were not read, because they are too many for now. */
  postponed: number;
  /** Files whose edges were worked out. */
  connected: number;
  /** How many files were left out, by reason. */
  skipped: Record<string, number>;
  problems: { path: string; reason: string }[];
  totals: CodeTotals;
}

export interface IndexOptions {
  now: number;
  rebuild?: boolean;
  /** How long another process that indexes the same project is waited for. */
  waitMs?: number;
  /** When more files than this have changed and there is a store already, nothing is read. */
  atMost?: number;
  progress?(done: number, total: number, label: string): void;
}

/** Undefined: another process is at it. */
export async function indexProject(project: CodeProject, options: IndexOptions): Promise<IndexReport | undefined> {
  return bringUp(project, options);
}

/**
 * The same for what is known to have changed: files and folders, there or not, as whoever watches them names them. Nothing
 * else is looked at. Where that is not enough (nothing is indexed yet, other files are ignored now), it is as above.
 */
export async function indexPaths(
  project: CodeProject,
  paths: readonly string[],
  options: IndexOptions,
): Promise<IndexReport | undefined> {
  const only = changedPaths(project, paths);
  return bringUp(project, options, only === "all" ? undefined : only);
}

async function bringUp(project: CodeProject, options: IndexOptions, only?: readonly string[]) {
  if (!options.rebuild) {
    const { store, missing } = openCode(project);
    try {
      const work = missing ? undefined : planWork(project, store, options.now, only);
      const pending = work ? work.files.length + work.removed.length : 0;
      if (work && (pending === 0 || pending > (options.atMost ?? pending))) {
        return report(project, { ...work, removed: [] }, store, { postponed: pending });
      }
    } finally {
      store.close();
    }
  }
  ensureFolder(join(project.path, ".."));
  const lock = acquireLock(project.lock, options.waitMs ?? 0);
  if (!lock) return undefined;
  try {
    if (options.rebuild) removeDatabase(project.path);
    const writer = openCodeWriter(project.path);
    try {
      return await update(project, writer, options, only);
    } catch (error) {
      throw diskError(error, project.path);
    } finally {
      writer.close();
    }
  } finally {
    lock.release();
  }
}

async function update(
  project: CodeProject,
  writer: CodeWriter,
  options: IndexOptions,
  asked: readonly string[] | undefined,
): Promise<IndexReport> {
  // Nothing is known of the rest either.
  const only = writer.totals().files === 0 ? undefined : asked;
  const work = planWork(project, writer, options.now, only);
  const { before } = work;
  const analyser = new Analyser();
  const changes = new Changes(work.first);
  let [done, added, changed] = [0, 0, 0];
  const remove = ({ path, no }: KnownFile): void => {
    changes.gone(path, writer.outside(no));
    writer.remove(no);
  };
  for (const row of work.removed) remove(row);
  for await (const { file, result } of readAll(project, work.files, before)) {
    options.progress?.(done, work.files.length, file.path);
    done += 1;
    const old = before.get(file.path);
    const stamp = file.recent ? `${file.stamp}?` : file.stamp;
    if (result === "same") {
      if (old) writer.touch(old.no, stamp);
      work.unchanged += 1;
      continue;
    }
    if ("gone" in result) {
      if (old) remove(old);
      if (result.gone === "") continue;
      // What may change again at once is looked at again.
      work.skipped.push({ path: file.path, stamp: file.recent ? "" : file.stamp, reason: result.gone });
      continue;
    }
    changes.put(file.path, old && writer.outside(old.no), result.outside);
    const entities = toEntities(file.path, result, analyser);
    writer.put({ ...result, path: file.path, stamp, test: isTestPath(file.path), entities }, analyser.terms);
    if (old) changed += 1;
    else added += 1;
  }
  work.skipped.sort((a, b) => compareText(a.path, b.path));
  writer.setSkipped(work.skipped, only);
  const connected = connect(writer, changes, options.progress);
  writer.setValue("root", keptFolder(project.root, redactText(project.root, "printed").text));
  writer.setValue("indexed", String(options.now));
  writer.commit();
  return report(project, work, writer, { added, changed, connected });
}

/** In the order of the list, some of them read ahead. */
async function* readAll(
  project: CodeProject,
  files: readonly ListedFile[],
  before: ReadonlyMap<string, KnownFile>,
): AsyncGenerator<{ file: ListedFile; result: ReadFile }> {
  const readers = openReaders(files.length);
  const ahead: { file: ListedFile; result: Promise<ReadFile> }[] = [];
  try {
    for (const file of files) {
      const result = readers.read({ root: project.root, path: file.path, known: before.get(file.path)?.hash });
      // Whoever waits for it first hears of a failure.
      result.catch(() => {});
      ahead.push({ file, result });
      if (ahead.length < readers.width) continue;
      const first = ahead.shift();
      if (first) yield { file: first.file, result: await first.result };
    }
    for (const { file, result } of ahead) yield { file, result: await result };
  } finally {
    await readers.close();
  }
}

function report(
  { root }: CodeProject,
  work: Work,
  store: CodeReader,
  done: { added?: number; changed?: number; connected?: number; postponed?: number },
): IndexReport {
  const skipped: Record<string, number> = {};
  const unread: Problem[] = [];
  for (const { path, reason } of store.skipped()) {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
    if (reason.startsWith(UNREADABLE)) unread.push({ path, reason });
  }
  return {
    root,
    added: done.added ?? 0,
    changed: done.changed ?? 0,
    removed: work.removed.length,
    unchanged: work.unchanged,
    postponed: done.postponed ?? 0,
    connected: done.connected ?? 0,
    skipped,
    problems: [...work.problems, ...unread],
    totals: store.totals(),
  };
}
