/**
 * Counts how many of a conversation's edited files have changed since. It runs for every search hit, so no process is
 * started: a file not written since is unchanged; a deleted one, or one that a much later commit touched, has changed.
 * Anything else is unknown (a checkout rewrites files), and then there is no answer.
 */
import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { OpenDatabases } from "../store/databases/open_databases.ts";
import { readHistory } from "../store/databases/read_history.ts";
import type { HistoryReader } from "../store/history.ts";
import type { FileRow } from "../store/ports.ts";
import { historyPath, isCurrent, shapeOf } from "./place.ts";
import { findRepository, insidePath, type Repository } from "./repository.ts";

export interface ChangedCount {
  files: number;
  of: number;
}

/** With more edited files there is no answer. */
const MAX_FILES = 100;
/** A commit within this time is the conversation's own. */
const OWN_COMMIT_MS = 6 * 3_600_000;
/** File systems and agents round times. */
const ROUNDING_MS = 2000;

interface Project {
  repository: Repository;
  /** The time of the last commit that touched the file; undefined if unknown. Called only for files that need it. */
  lastTouch(file: string): number | undefined;
}

/** When the last commit touched each of the files that were asked about. */
type LastTouches = Map<string, number | undefined>;

/** Cached for an open history until its commits change: consecutive answers ask about the same files. */
const lastTouches = new WeakMap<HistoryReader, { commits: string; touches: LastTouches }>();

function lastTouchesOf(history: HistoryReader, repository: Repository): LastTouches {
  const commits = `${repository.head} ${shapeOf(repository)}`;
  const known = lastTouches.get(history);
  if (known?.commits === commits) return known.touches;
  const touches: LastTouches = new Map();
  lastTouches.set(history, { commits, touches });
  return touches;
}

/** Create one for each answer: a repository may change before the next. */
export class ChangedSince {
  readonly #folder: string;
  readonly #histories: OpenDatabases<HistoryReader>;
  readonly #projects = new Map<string, Project | undefined>();

  /** `folder`: the folder of the history databases. */
  constructor(folder: string, histories: OpenDatabases<HistoryReader>) {
    this.#folder = folder;
    this.#histories = histories;
  }

  of(conversation: { project: string | null; updated: number }, files: readonly FileRow[]): ChangedCount | undefined {
    const { project, updated } = conversation;
    if (project === null || !files.some(({ how }) => how === "edited")) return undefined;
    const opened = this.#project(project);
    if (!opened) return undefined;
    const edited = new Set<string>();
    for (const { path, how } of files) {
      const inside = how === "edited" ? insidePath(opened.repository, path, project) : undefined;
      if (inside !== undefined) edited.add(inside);
    }
    if (edited.size === 0 || edited.size > MAX_FILES) return undefined;
    let changed = 0;
    for (const file of edited) {
      const is = hasChanged(opened, file, updated);
      if (is === undefined) return undefined;
      if (is) changed += 1;
    }
    return { files: changed, of: edited.size };
  }

  #project(project: string): Project | undefined {
    if (!this.#projects.has(project)) this.#projects.set(project, this.#open(project));
    return this.#projects.get(project);
  }

  #open(project: string): Project | undefined {
    // A relative path would be resolved in the caller's own folder.
    const repository = isAbsolute(project) ? findRepository(project) : undefined;
    if (!repository) return undefined;
    let known: Project["lastTouch"] | undefined;
    return {
      repository,
      lastTouch: (file) => {
        known ??= this.#lastTouch(repository);
        return known(file);
      },
    };
  }

  #lastTouch(repository: Repository): Project["lastTouch"] {
    const history = this.#currentHistory(repository);
    if (!history) return () => undefined;
    const touches = lastTouchesOf(history, repository);
    return (file) => {
      if (!touches.has(file)) touches.set(file, history.lastTouch(file)?.time);
      return touches.get(file);
    };
  }

  /** Ignores an outdated or damaged history: the verbs that need it repair it. */
  #currentHistory(repository: Repository): HistoryReader | undefined {
    return readHistory(this.#histories, historyPath(this.#folder, repository), (history) =>
      isCurrent(history, repository) ? history : undefined,
    );
  }
}

function hasChanged({ repository, lastTouch }: Project, file: string, updated: number): boolean | undefined {
  const stats = statsOf(join(repository.root, file));
  if (!stats) return stats === null ? true : undefined;
  if (stats.mtimeMs <= updated + ROUNDING_MS) return false;
  const last = lastTouch(file);
  return last !== undefined && last > updated + OWN_COMMIT_MS ? true : undefined;
}

/** Null: the file does not exist. Undefined: unknown. */
function statsOf(path: string): { mtimeMs: number } | null | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return undefined;
  }
}
