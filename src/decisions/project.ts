/**
 * All decisions of a project, from the most to the least reliable source: saved decisions, records, trailers and
 * breaking changes, marks in the code, sentences of commits and conversations. Results of commits and conversations are
 * stored; records and marks are read from the current files.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { cachedList, cacheList } from "../history/cached_list.ts";
import { historyPath } from "../history/place.ts";
import { insidePath, type Repository } from "../history/repository.ts";
import { type LoadConversation, pendingScan, runScan } from "../history/scan.ts";
import { withHistoryWriter } from "../history/update.ts";
import { treeStamp, workingFiles } from "../history/working_tree.ts";
import { DexError } from "../kernel/errors.ts";
import { isWriteRefused } from "../kernel/files/atomic_write.ts";
import { contentId } from "../kernel/ids.ts";
import { openHistory } from "../store/engine/history.ts";
import { CACHED_DECISIONS, type HistoryReader, type HistoryWriter } from "../store/history.ts";
import type { OwnDecision, Verdict } from "../store/state/recorded.ts";
import type { TrailConversation } from "../store/trails.ts";
import { type Decision, decisionId, mentionsIn, type NameResolver } from "./decision.ts";
import { dependenciesOf } from "./force/dependencies.ts";
import { settleStatuses } from "./force/status.ts";
import { namesInTree } from "./force/tree.ts";
import { ownDecision, storedDecision } from "./known.ts";
import { commitDecisions } from "./sources/commits.ts";
import { DECISIONS_KIND, decisionScan } from "./sources/conversations.ts";
import { findMarkers } from "./sources/markers.ts";
import { readDecisionRecords, recordsInUsualFolders, touchedAt } from "./sources/records.ts";
import { alternativesOf } from "./wording/alternatives.ts";

export interface DecisionSources {
  repository: Repository;
  /** The folder of the history databases. */
  folder: string;
  conversations: readonly TrailConversation[];
  load: LoadConversation;
  own: readonly OwnDecision[];
  verdicts: ReadonlyMap<string, Verdict>;
  progress?(done: number, total: number): void;
  notice?(text: string): void;
  /** Whether the code graph has the symbol; undefined if unknown. */
  symbol?(name: string): boolean | undefined;
  /** Changes with the answers of `symbol`. */
  symbolsStamp?: string;
}

/** Scores of a comment that calls itself a decision, and of one that is only worded like one. */
const NAMED_SCORE = 7;
const STATED_SCORE = 6;
/** Raise it when a change of the rules makes dex find other decisions in the same files. */
const RULES_VERSION = 5;
const CURSOR_KEY = "decisions_commit";
/**
 * Set once a code graph exists. Names that it knows make a decision more certain, so dex then scans everything again.
 */
const SYMBOLS_KEY = "decisions_symbols";

export async function projectDecisions(sources: DecisionSources): Promise<Decision[]> {
  await scanNew(sources);
  const history = openHistory(historyPath(sources.folder, sources.repository));
  try {
    const files = await filesOf(sources.repository);
    const list = { key: CACHED_DECISIONS, stamp: stampOf(sources, files, history) };
    // Without git, dex has no list of files to derive a stamp from, so it cannot cache.
    const cached = sources.repository.git ? cachedList<Decision>(history, list) : undefined;
    if (cached) return cached;
    const names = namesInProject(sources, history);
    const found = [
      ...sources.own.map(ownDecision),
      ...readDecisionRecords(sources.repository, files, history, names),
      ...(await marks(sources.repository, history, names)),
      ...history.decisions().map(storedDecision),
    ];
    const settled = settleStatuses(found, history, sources.verdicts, {
      // Without git, the files are not listed.
      names: (wanted) => (sources.repository.git ? namesInTree(sources.repository, files, wanted) : undefined),
      dependency: (name) => names.dependency?.(name) ?? false,
      file: (path) => existsSync(join(sources.repository.root, path)),
    });
    if (sources.repository.git) await cacheList(sources, list, settled);
    return settled;
  } finally {
    history.close();
  }
}

/** A stamp of everything that decisions depend on, except commits and conversations, whose changes the store tracks. */
function stampOf(
  { repository, own, verdicts, symbolsStamp = "" }: DecisionSources,
  files: readonly string[],
  history: HistoryReader,
): string {
  const notes = contentId(JSON.stringify([own, [...verdicts]]));
  return [RULES_VERSION, history.getValue("head") ?? "", treeStamp(repository, files), notes, symbolsStamp].join(" ");
}

/** Scans commits and conversations that are new since the last run. */
async function scanNew(sources: DecisionSources): Promise<void> {
  const { repository, folder, conversations } = sources;
  const reader = openHistory(historyPath(folder, repository));
  let pending: boolean;
  const resolves = sources.symbol !== undefined;
  let isFirst: boolean;
  try {
    isFirst = resolves && reader.getValue(SYMBOLS_KEY) === undefined;
    const { changed, gone } = pendingScan(reader, DECISIONS_KIND, conversations);
    const [newest] = reader.newer(Number(reader.getValue(CURSOR_KEY) ?? 0));
    pending = isFirst || changed.length + gone.length > 0 || newest !== undefined;
  } finally {
    reader.close();
  }
  if (!pending) return;
  try {
    await withHistoryWriter(repository, folder, (writer) => {
      if (isFirst) forgetScans(writer);
      const dependencies = dependenciesOf(repository.root, writer);
      readCommits(writer, namesInProject(sources, writer, repository.root, dependencies));
      const scan = decisionScan((row) => namesInProject(sources, writer, row.project, dependencies));
      runScan(writer, scan, conversations, sources.load, sources.progress);
    });
  } catch (error) {
    if (!isWriteRefused(error)) throw error;
    sources.notice?.(`Decisions of new commits and conversations are left out: ${error.message}`);
  }
}

function forgetScans(writer: HistoryWriter): void {
  for (const owner of writer.marks(DECISIONS_KIND).keys()) writer.removeMark(DECISIONS_KIND, owner);
  writer.setValue(CURSOR_KEY, "0");
  writer.setValue(SYMBOLS_KEY, "known");
}

function readCommits(writer: HistoryWriter, names: NameResolver): void {
  let last = Number(writer.getValue(CURSOR_KEY) ?? 0);
  for (const commit of [...writer.newer(last)]) {
    const files = commit.file_count <= 30 ? writer.filesOf(commit.no).map(({ path }) => path) : [];
    writer.removeDecisions(commit.sha);
    writer.addDecisions(commitDecisions(commit, files, names));
    last = commit.no;
  }
  writer.setValue(CURSOR_KEY, String(last));
  writer.commit();
}

/** Resolves names among the files of the history, existing files, and dependencies. */
export function namesInProject(
  sources: Pick<DecisionSources, "repository" | "symbol">,
  history: HistoryReader,
  base = sources.repository.root,
  dependencies = dependenciesOf(sources.repository.root, history),
): NameResolver {
  const { repository } = sources;
  const known = new Map<string, string | undefined>();
  let byName: Map<string, string[]> | undefined;
  const resolveFile = (name: string): string | undefined => {
    const inside = insidePath(repository, name, base);
    if (inside !== undefined && (history.countOf(inside) > 0 || existsSync(join(repository.root, inside))))
      return inside;
    if (name.startsWith("/")) return undefined;
    const end = name.replace(/^\.\//, "");
    // Records name hundreds of files, and the database would read all paths for each.
    byName ??= Map.groupBy(history.allPaths(), (path) => basename(path));
    const like = (byName.get(basename(end)) ?? []).filter((path) => path === end || path.endsWith(`/${end}`));
    return like.length === 1 ? like[0] : undefined;
  };
  return {
    file: (name) => {
      if (!known.has(name)) known.set(name, resolveFile(name));
      return known.get(name);
    },
    dependency: (name) => dependencies.has(name.toLowerCase()),
    ...(sources.symbol ? { symbol: sources.symbol } : {}),
  };
}

async function marks(repository: Repository, history: HistoryReader, names: NameResolver): Promise<Decision[]> {
  // If the tree is too large to search in time, the other sources still count.
  const found = await findMarkers(repository).catch((error: unknown) => {
    if (error instanceof DexError && error.code === "git_slow") return [];
    throw error;
  });
  return found.map(({ file, line, text, because, named }) => {
    const { files, symbols } = mentionsIn(text, names);
    return {
      id: decisionId(`${file} ${text}`),
      origin: "marker",
      owner: file,
      place: `${file}:${line}`,
      text,
      because,
      // A comment that is only worded like a decision mostly weighs more options than it rejects.
      alternatives: named ? alternativesOf(text) : [],
      files: [...new Set([file, ...files])],
      symbols,
      score: named ? NAMED_SCORE : STATED_SCORE,
      time: touchedAt(repository, file, history),
      status: "accepted",
      superseded_by: null,
      shown: true,
    };
  });
}

/** All files that git does not ignore; without git, only the records. */
async function filesOf(repository: Repository): Promise<string[]> {
  return repository.git ? workingFiles(repository) : recordsInUsualFolders(repository.root);
}
