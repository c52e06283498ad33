/**
 * Updates the code store of a project. First the facts of each changed file are extracted. Then edges are resolved: only
 * those of the changed files when nothing visible to other files changed, else those of every file that may be affected.
 * The store therefore always equals a full rebuild.
 */
import { join } from "node:path";
import { diskError, ensureFolder } from "../../kernel/files/atomic_write.ts";
import { keptFolder } from "../../kernel/ids.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { compareText } from "../../kernel/text.ts";
import { redactText } from "../../redact/redact.ts";
import type { CodeReader, CodeTotals, CodeWriter, KnownFile } from "../../store/code.ts";
import { openCodeWriter } from "../../store/engine/code_writer.ts";
import { removeDatabase } from "../../store/engine/database.ts";
import { holdOldGeneration, holdYoungGeneration } from "../../threads/heap_generations.ts";
import { optimiseAfter } from "../../threads/late_optimiser.ts";
import { FILE_NAMES_KEY, storedFileNames } from "../answers/file_names.ts";
import type { ListedFile } from "../listing/files.ts";
import type { Problem } from "../listing/problem.ts";
import { type CodeProject, openCode } from "../project.ts";
import { isTestPath } from "../test_paths.ts";
import { Changes } from "./changes.ts";
import { toEntities } from "./entities.ts";
import { EntityTerms } from "./entity_terms.ts";
import { changedPaths, type IndexPlan, planIndex } from "./plan.ts";
import { type ReadFile, UNREADABLE } from "./read_file.ts";
import { openReaders } from "./readers.ts";
import { resolveEdges } from "./relations/resolve_edges.ts";

/** With the usual 1 MB, threads spend a tenth of their time on collecting garbage; with 16 MB they are no faster than with 8. */
const THREAD_YOUNG_MB = 8;
/** Most of what survives while relations are resolved is soon dropped, too. */
const OLD_GROWTH_PERCENT = 40;
/** Each thread compiles its own code, and most functions are not called often enough to make up for that. */
const OPTIMISED_CALLS = 40_000;

export interface IndexReport {
  root: string;
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  /** Changed files that were not read because there are more than `atMost`. */
  postponed: number;
  /** Files whose edges were resolved. */
  connected: number;
  /** Number of skipped files, by reason. */
  skipped: Record<string, number>;
  problems: { path: string; reason: string }[];
  totals: CodeTotals;
}

export interface IndexOptions {
  now: number;
  rebuild?: boolean;
  /** How long to wait for another process that indexes the same project. */
  waitMs?: number;
  /** When more files than this changed and a store exists, nothing is read. */
  atMost?: number;
  /** When nothing is indexed yet and the project has more files than this, nothing is read. */
  atMostFirst?: number;
  progress?(done: number, total: number, label: string): void;
}

/** Undefined: another process is indexing the project. */
export async function indexProject(project: CodeProject, options: IndexOptions): Promise<IndexReport | undefined> {
  return refreshIndex(project, options);
}

/**
 * Indexes only files and folders that are known to have changed, whether or not they still exist. Falls back to the whole
 * project where that is not enough: nothing is indexed yet, or an ignore file changed.
 */
export async function indexPaths(
  project: CodeProject,
  paths: readonly string[],
  options: IndexOptions,
): Promise<IndexReport | undefined> {
  const only = changedPaths(project, paths);
  return refreshIndex(project, options, only === "all" ? undefined : only);
}

async function refreshIndex(project: CodeProject, options: IndexOptions, only?: readonly string[]) {
  if (!options.rebuild) {
    const { store, missing } = openCode(project);
    try {
      const limit = missing ? options.atMostFirst : options.atMost;
      const plan = missing && limit === undefined ? undefined : planIndex(project, store, options.now, only);
      const pending = plan ? plan.files.length + plan.removed.length : 0;
      if (plan && (pending === 0 || pending > (limit ?? pending))) {
        return report(project, { ...plan, removed: [] }, store, { postponed: pending });
      }
    } finally {
      store.close();
    }
  }
  ensureFolder(join(project.path, ".."));
  const lock = acquireLock(project.lock, options.waitMs ?? 0);
  if (!lock) return undefined;
  // Nearly all that a run allocates is dropped with the file it belongs to.
  const release = holdYoungGeneration(THREAD_YOUNG_MB);
  const releaseOld = holdOldGeneration(OLD_GROWTH_PERCENT);
  const usualOptimiser = optimiseAfter(OPTIMISED_CALLS);
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
    release();
    releaseOld();
    usualOptimiser();
    lock.release();
  }
}

async function update(
  project: CodeProject,
  writer: CodeWriter,
  options: IndexOptions,
  requested: readonly string[] | undefined,
): Promise<IndexReport> {
  // An empty store needs all files.
  const only = writer.totals().files === 0 ? undefined : requested;
  const plan = planIndex(project, writer, options.now, only);
  const changes = new Changes(plan.first);
  const { added, changed, hasNewNames } = await readChanged(project, writer, plan, changes, options);
  writer.setSkipped(plan.skipped, only);
  writer.setValue("root", keptFolder(project.root, redactText(project.root, "printed").text));
  const connected = await resolveEdges(writer, changes, options.progress);
  writer.setValue("indexed", String(options.now));
  if (hasNewNames || writer.value(FILE_NAMES_KEY) === undefined)
    writer.setValue(FILE_NAMES_KEY, storedFileNames(writer.known()));
  writer.commit();
  return report(project, plan, writer, { added, changed, connected });
}

/** Stores the facts of all files of the plan, which then has none: what they take is free for the relations. */
async function readChanged(
  project: CodeProject,
  writer: CodeWriter,
  plan: IndexPlan,
  changes: Changes,
  options: IndexOptions,
): Promise<{ added: number; changed: number; hasNewNames: boolean }> {
  const { files, before } = plan;
  const terms = new EntityTerms();
  let [done, added, changed, hasNewNames] = [0, 0, 0, false];
  const remove = ({ path, no }: KnownFile): void => {
    hasNewNames = true;
    changes.removeFile(path, writer.outside(no));
    writer.remove(no);
  };
  for (const row of plan.removed) remove(row);
  for await (const { file, result } of readAll(project, files, before)) {
    options.progress?.(done, files.length, file.path);
    done += 1;
    const old = before.get(file.path);
    const stamp = file.recent ? `${file.stamp}?` : file.stamp;
    if (result === "same") {
      if (old) writer.touch(old.no, stamp);
      plan.unchanged += 1;
      continue;
    }
    if ("gone" in result) {
      if (old) remove(old);
      if (result.gone === "") continue;
      // A recently changed file is checked again in the next run.
      plan.skipped.push({ path: file.path, stamp: file.recent ? "" : file.stamp, reason: result.gone });
      continue;
    }
    changes.putFile(file.path, old && writer.outside(old.no), result.outside);
    const entities = toEntities(file.path, result, terms);
    writer.put({ ...result, path: file.path, stamp, test: isTestPath(file.path), entities }, terms.names);
    hasNewNames ||= old?.language !== result.language;
    if (old) changed += 1;
    else added += 1;
  }
  plan.skipped.sort((a, b) => compareText(a.path, b.path));
  plan.files = [];
  plan.before = new Map();
  writer.endFiles();
  return { added, changed, hasNewNames };
}

/** In the order of the list, reading some files ahead. */
async function* readAll(
  project: CodeProject,
  files: readonly ListedFile[],
  before: ReadonlyMap<string, KnownFile>,
): AsyncGenerator<{ file: ListedFile; result: ReadFile }> {
  const readers = openReaders(files.length);
  const ahead: { files: readonly ListedFile[]; results: Promise<ReadFile[]> }[] = [];
  const first = async function* (): AsyncGenerator<{ file: ListedFile; result: ReadFile }> {
    const batch = ahead.shift();
    for (const [at, result] of (await batch?.results)?.entries() ?? []) {
      const file = batch?.files[at];
      if (file) yield { file, result };
    }
  };
  try {
    for (let from = 0; from < files.length; from += readers.batch) {
      const batch = files.slice(from, from + readers.batch);
      const results = readers.read(
        batch.map(({ path }) => ({ root: project.root, path, known: before.get(path)?.hash })),
      );
      // They are awaited later; without a handler an early failure would end the process.
      results.catch(() => {});
      ahead.push({ files: batch, results });
      if (ahead.length >= readers.width) yield* first();
    }
    while (ahead.length > 0) yield* first();
  } finally {
    await readers.close();
  }
}

function report(
  { root }: CodeProject,
  plan: IndexPlan,
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
    removed: plan.removed.length,
    unchanged: plan.unchanged,
    postponed: done.postponed ?? 0,
    connected: done.connected ?? 0,
    skipped,
    problems: [...plan.problems, ...unread],
    totals: store.totals(),
  };
}
