/**
 * All decisions of a project, from the surest source to the least: what people noted, records, trailers and breaking
 * changes, marks in the code, sentences of commits and conversations. What is read once is kept; records and marks are
 * read from the files as they are now.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { git } from "../history/git.ts";
import { historyPath } from "../history/place.ts";
import { insidePath, type Repository } from "../history/repository.ts";
import { type LoadConversation, pendingScan, runScan } from "../history/scan.ts";
import { withHistoryWriter } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import { readContainedText } from "../kernel/files/bounded_read.ts";
import { asObject, parseJson } from "../kernel/json.ts";
import { openHistory } from "../store/engine/history.ts";
import type { HistoryReader, HistoryWriter, OwnDecision, TrailConversation, Verdict } from "../store/history.ts";
import { commitDecisions } from "./commits.ts";
import { DECISIONS_KIND, decisionScan } from "./conversations.ts";
import { type Decision, decisionId, mentionsIn, type Names } from "./decision.ts";
import { ownDecision, storedDecision } from "./known.ts";
import { findMarkers } from "./markers.ts";
import { changedAt, readRecords, usualRecords } from "./records.ts";
import { settle } from "./status.ts";

export interface DecisionSources {
  repository: Repository;
  /** Folder of the histories. */
  folder: string;
  conversations: readonly TrailConversation[];
  load: LoadConversation;
  own: readonly OwnDecision[];
  verdicts: ReadonlyMap<string, Verdict>;
  progress?(done: number, total: number): void;
  /** What a code graph knows; undefined: it cannot tell. */
  symbol?(name: string): boolean | undefined;
}

const MOST_LISTED = 64 << 20;
const MAX_MANIFEST_BYTES = 4 << 20;
const CURSOR = "decisions_commit";

export async function projectDecisions(sources: DecisionSources): Promise<Decision[]> {
  await readNew(sources);
  const history = openHistory(historyPath(sources.folder, sources.repository));
  try {
    const names = namesOf(sources, history);
    const found = [
      ...sources.own.map(ownDecision),
      ...readRecords(sources.repository, await recordFiles(sources.repository), history, names),
      ...(await marks(sources.repository, history, names)),
      ...history.decisions().map(storedDecision),
    ];
    return settle(found, history, sources.verdicts);
  } finally {
    history.close();
  }
}

/** Looks through commits and conversations that came since the last time. */
async function readNew(sources: DecisionSources): Promise<void> {
  const { repository, folder, conversations } = sources;
  const reader = openHistory(historyPath(folder, repository));
  let pending: boolean;
  try {
    const { changed, gone } = pendingScan(reader, DECISIONS_KIND, conversations);
    const [newest] = reader.newer(Number(reader.getValue(CURSOR) ?? 0));
    pending = changed.length + gone.length > 0 || newest !== undefined;
  } finally {
    reader.close();
  }
  if (!pending) return;
  await withHistoryWriter(repository, folder, (writer) => {
    readCommits(writer, namesOf(sources, writer));
    const scan = decisionScan((row) => namesOf(sources, writer, row.project));
    runScan(writer, scan, conversations, sources.load, sources.progress);
  });
}

function readCommits(writer: HistoryWriter, names: Names): void {
  let last = Number(writer.getValue(CURSOR) ?? 0);
  for (const commit of [...writer.newer(last)]) {
    const files = commit.file_count <= 30 ? writer.filesOf(commit.no).map(({ path }) => path) : [];
    writer.addDecisions(commitDecisions(commit, files, names));
    last = commit.no;
  }
  writer.setValue(CURSOR, String(last));
  writer.commit();
}

/** Looks names up among the files that the history knows, the files there are, and the dependencies. */
export function namesOf(
  sources: Pick<DecisionSources, "repository" | "symbol">,
  history: HistoryReader,
  base = sources.repository.root,
): Names {
  const { repository } = sources;
  const known = new Map<string, string | undefined>();
  const dependencies = dependenciesOf(repository.root);
  const look = (name: string): string | undefined => {
    const inside = insidePath(repository, name, base);
    if (inside !== undefined && (history.countOf(inside) > 0 || existsSync(join(repository.root, inside))))
      return inside;
    const like = name.startsWith("/") ? [] : history.pathsLike(name.replace(/^\.\//, ""), 2);
    return like.length === 1 ? like[0] : undefined;
  };
  return {
    file: (name) => {
      if (!known.has(name)) known.set(name, look(name));
      return known.get(name);
    },
    dependency: (name) => dependencies.has(name),
    ...(sources.symbol ? { symbol: sources.symbol } : {}),
  };
}

function dependenciesOf(root: string): Set<string> {
  const manifest = asObject(parseJson(readContainedText(root, "package.json", MAX_MANIFEST_BYTES) ?? ""));
  const groups = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies];
  return new Set(groups.flatMap((group) => Object.keys(asObject(group))));
}

async function marks(repository: Repository, history: HistoryReader, names: Names): Promise<Decision[]> {
  // A tree too large to look through in time has the other sources still.
  const found = await findMarkers(repository).catch((error: unknown) => {
    if (error instanceof DexError && error.code === "git_slow") return [];
    throw error;
  });
  return found.map(({ file, line, text, because }) => {
    const { files, symbols } = mentionsIn(text, names);
    return {
      id: decisionId(`${file} ${text}`),
      origin: "marker",
      owner: file,
      place: `${file}:${line}`,
      text,
      because,
      alternatives: [],
      files: [...new Set([file, ...files])],
      symbols,
      score: 7,
      time: history.lastTouch(file)?.time ?? changedAt(join(repository.root, file)),
      status: "accepted",
      superseded_by: null,
      shown: true,
    };
  });
}

async function recordFiles(repository: Repository): Promise<string[]> {
  if (!repository.git) return usualRecords(repository.root);
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { text } = await git(repository.root, args, { maxBytes: MOST_LISTED });
  return text.split("\0");
}
