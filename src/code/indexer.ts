/**
 * Bringing a project's code store up to date. First each changed file is read by itself into facts. Then edges are made:
 * for the changed files alone when nothing that other files can see has changed, for all files otherwise. So the store
 * is always what reading everything anew would give.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Analyser } from "../kernel/analyser.ts";
import { systemCode } from "../kernel/errors.ts";
import { diskError, ensureFolder } from "../kernel/files.ts";
import { acquireLock } from "../kernel/lock.ts";
import { compareText } from "../kernel/text.ts";
import type { CodeFileRow, CodeReader, CodeTotals, CodeWriter, SkippedFile } from "../store/code.ts";
import { CODE } from "../store/sqlite/code_schema.ts";
import { SqliteCodeWriter } from "../store/sqlite/code_writer.ts";
import { openForWriting, removeDatabase } from "../store/sqlite/database.ts";
import { documentTitle, readDocument } from "./documents.ts";
import { connect } from "./edges.ts";
import { toEntities } from "./entities.ts";
import { emptyFacts, type FileFacts, type Surface, surfaceOf } from "./facts.ts";
import { isBelow, type ListedFile, listFiles } from "./files.ts";
import { languageOf } from "./languages/registry.ts";
import { type CodeProject, openCode } from "./project.ts";
import { openReaders, type Readers } from "./readers.ts";
import { type Inside, insideOf } from "./resolve.ts";
import { skipByName, skipByText } from "./skip.ts";
import { isTestPath } from "./test_paths.ts";

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

/** What a file shows, or, of a file that says how imports are followed, its text. */
export interface Outside {
  surface?: Surface;
  config?: string;
}

interface Work {
  files: ListedFile[];
  removed: CodeFileRow[];
  unchanged: number;
  /** Left out by name, or already known to be. */
  skipped: SkippedFile[];
  problems: { path: string; reason: string }[];
}

/** Undefined: another process is at it. */
export async function indexProject(project: CodeProject, options: IndexOptions): Promise<IndexReport | undefined> {
  return bringUp(project, options);
}

/** The same for what is known to have changed: files and folders, there or not. Nothing else is looked at. */
export async function indexPaths(
  project: CodeProject,
  paths: readonly string[],
  options: IndexOptions,
): Promise<IndexReport | undefined> {
  return bringUp(project, options, paths);
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
    const writer = new SqliteCodeWriter(openForWriting(project.path, CODE).database);
    const isNew = writer.value("indexed") === undefined;
    try {
      return await update(project, writer, options, isNew ? undefined : only);
    } catch (error) {
      throw diskError(error, project.path);
    } finally {
      writer.close();
    }
  } finally {
    lock.release();
  }
}

/** Which files have to be read. */
function planWork(project: CodeProject, store: CodeReader, now: number, only?: readonly string[]): Work {
  const { files, problems } = listFiles(project, (path) => languageOf(path) !== undefined, now, only);
  const touched = only ? isBelow(only) : () => true;
  const rows = store.files();
  const known = new Map(rows.filter(({ path }) => touched(path)).map((row) => [row.path, row]));
  const left = new Map(store.skipped().map((each) => [each.path, each]));
  const work: Work = {
    files: [],
    removed: [],
    unchanged: rows.length - known.size,
    skipped: only ? [...left.values()].filter(({ path }) => !touched(path)) : [],
    problems,
  };
  for (const file of files) {
    const reason = skipByName(file.path, file.size);
    const before = left.get(file.path);
    if (reason !== undefined) {
      work.skipped.push({ path: file.path, stamp: "", reason });
    } else if (before?.stamp === file.stamp) {
      known.delete(file.path);
      work.skipped.push(before);
    } else if (known.get(file.path)?.stamp === file.stamp) {
      known.delete(file.path);
      work.unchanged += 1;
    } else {
      known.delete(file.path);
      work.files.push(file);
    }
  }
  work.removed = [...known.values()];
  return work;
}

async function update(
  project: CodeProject,
  writer: CodeWriter,
  options: IndexOptions,
  only: readonly string[] | undefined,
): Promise<IndexReport> {
  const work = planWork(project, writer, options.now, only);
  const before = new Map(writer.files().map((row) => [row.path, row]));
  const analyser = new Analyser();
  const outsides = new Map<string, Outside>();
  const insides = new Map<string, Inside>();
  let [done, added, changed, moved] = [0, 0, 0, work.removed.length > 0];
  for (const row of work.removed) writer.remove(row.no);
  for await (const { file, result } of readAll(project, work.files, before)) {
    options.progress?.(done, work.files.length, file.path);
    done += 1;
    const old = before.get(file.path);
    if ("gone" in result) {
      if (old) {
        writer.remove(old.no);
        moved = true;
      }
      if (result.gone === "") continue;
      // What may change again at once is looked at again.
      work.skipped.push({ path: file.path, stamp: file.recent ? "" : file.stamp, reason: result.gone });
      continue;
    }
    const stamp = file.recent ? `${file.stamp}?` : file.stamp;
    if (old && result.facts === undefined) {
      writer.touch(old.no, stamp);
      work.unchanged += 1;
      continue;
    }
    if (result.facts === undefined) continue;
    const { facts, outside } = result;
    const shown = JSON.stringify(outside);
    const surface = hash("sha1", shown, "base64");
    const inside = insideOf(facts);
    writer.put(
      {
        path: file.path,
        language: facts.language,
        hash: result.hash,
        stamp,
        surface,
        lines: facts.lines,
        test: isTestPath(file.path),
        outside: shown,
        inside: JSON.stringify(inside),
        entities: toEntities(file.path, facts, result.doc, analyser),
      },
      analyser.terms,
    );
    outsides.set(file.path, outside);
    insides.set(file.path, inside);
    if (old) changed += 1;
    else added += 1;
    moved ||= old?.surface !== surface;
  }
  work.skipped.sort((a, b) => compareText(a.path, b.path));
  writer.setSkipped(work.skipped);
  const connected = connect(writer, outsides, insides, moved, options.progress);
  writer.setValue("root", project.root);
  writer.setValue("indexed", String(options.now));
  // Counting every edge takes longer than a look at whether anything changed.
  writer.setValue("totals", JSON.stringify(writer.totals()));
  writer.commit();
  return report(project, work, writer, { added, changed, connected });
}

/** In the order of the list, some of them read ahead. */
async function* readAll(
  project: CodeProject,
  files: readonly ListedFile[],
  before: ReadonlyMap<string, CodeFileRow>,
): AsyncGenerator<{ file: ListedFile; result: ReadFile }> {
  const readers = openReaders(files.length);
  const ahead: { file: ListedFile; result: Promise<ReadFile> }[] = [];
  try {
    for (const file of files) {
      const result = readFile(project, file, before.get(file.path)?.hash, readers);
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

type ReadFile =
  /** As it was. */
  | { hash: string; facts?: undefined }
  | { hash: string; facts: FileFacts; outside: Outside; doc: string }
  /** Why there is nothing to keep of it; empty: it is not there any more. */
  | { gone: string };

async function readFile(
  project: CodeProject,
  { path }: ListedFile,
  known: string | undefined,
  readers: Readers,
): Promise<ReadFile> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(project.root, path));
  } catch (error) {
    const code = systemCode(error);
    return { gone: code === "ENOENT" ? "" : `cannot be read (${code ?? "error"})` };
  }
  const text = bytes.toString("utf8");
  const content = hash("sha1", bytes, "hex");
  const name = languageOf(path);
  if (content === known) return { hash: content };
  if (name === "config") {
    const facts = { ...emptyFacts("config"), lines: text.split("\n").length };
    return { hash: content, facts, outside: { config: text }, doc: "" };
  }
  const reason = skipByText(text);
  if (reason !== undefined || name === undefined) return { gone: reason ?? "no language" };
  if (name === "document") {
    const facts = readDocument(text, path);
    return { hash: content, facts, outside: { surface: surfaceOf(facts) }, doc: documentTitle(text) };
  }
  const facts = await readers.read(name, text, path);
  if (!facts) return { gone: "cannot be parsed" };
  return { hash: content, facts, outside: { surface: surfaceOf(facts) }, doc: "" };
}

function report(
  { root }: CodeProject,
  work: Work,
  store: CodeReader,
  done: { added?: number; changed?: number; connected?: number; postponed?: number },
): IndexReport {
  const skipped: Record<string, number> = {};
  for (const { reason } of work.skipped) skipped[reason] = (skipped[reason] ?? 0) + 1;
  return {
    root,
    added: done.added ?? 0,
    changed: done.changed ?? 0,
    removed: work.removed.length,
    unchanged: work.unchanged,
    postponed: done.postponed ?? 0,
    connected: done.connected ?? 0,
    skipped,
    problems: work.problems,
    totals: (JSON.parse(store.value("totals") ?? "null") as CodeTotals | null) ?? store.totals(),
  };
}
