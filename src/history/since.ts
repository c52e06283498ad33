/**
 * How many of the files that a conversation edited have changed since. Asked for every search hit, so no process is
 * started: a file not written since is unchanged; one that is gone, or that a much later commit touched, has changed.
 * Of anything else (a checkout writes files anew) nothing is known, and then nothing is said.
 */
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { FileRow } from "../store/ports.ts";
import { openHistory, type SqliteHistory } from "../store/sqlite/history/reader.ts";
import { historyPath, isCurrent } from "./place.ts";
import { findRepository, insidePath, type Repository } from "./repository.ts";

export interface Changed {
  files: number;
  of: number;
}

/** More edited files than this are not looked at. */
const MOST_FILES = 100;
/** A commit within this time is the conversation's own. */
const OWN = 6 * 3_600_000;
/** File systems and agents round times. */
const ROUNDING = 2000;

interface Place {
  repository: Repository;
  history: SqliteHistory | undefined;
}

export class ChangedSince {
  readonly #folder: string;
  readonly #places = new Map<string, Place | undefined>();

  /** `folder` has the histories. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  of(conversation: { project: string | null; updated: number }, files: readonly FileRow[]): Changed | undefined {
    const { project, updated } = conversation;
    if (project === null || !files.some(({ how }) => how === "edited")) return undefined;
    const place = this.#place(project);
    if (!place) return undefined;
    const edited = new Set<string>();
    for (const { path, how } of files) {
      const inside = how === "edited" ? insidePath(place.repository, path, project) : undefined;
      if (inside !== undefined) edited.add(inside);
    }
    if (edited.size === 0 || edited.size > MOST_FILES) return undefined;
    let changed = 0;
    for (const file of edited) {
      const is = hasChanged(place, file, updated);
      if (is === undefined) return undefined;
      if (is) changed += 1;
    }
    return { files: changed, of: edited.size };
  }

  close(): void {
    for (const place of this.#places.values()) place?.history?.close();
    this.#places.clear();
  }

  #place(project: string): Place | undefined {
    if (!this.#places.has(project)) this.#places.set(project, this.#open(project));
    return this.#places.get(project);
  }

  #open(project: string): Place | undefined {
    // A relative one would be looked for below the caller's own folder.
    const repository = isAbsolute(project) ? findRepository(project) : undefined;
    return repository && { repository, history: currentHistory(historyPath(this.#folder, repository), repository) };
  }
}

/** A history that is behind, or damaged, is for the verbs that need it to mend: here it only is not asked. */
function currentHistory(path: string, repository: Repository): SqliteHistory | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const history = openHistory(path);
    if (isCurrent(history, repository)) return history;
    history.close();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return undefined;
}

function hasChanged({ repository, history }: Place, file: string, updated: number): boolean | undefined {
  const stats = statsOf(join(repository.root, file));
  if (!stats) return stats === null ? true : undefined;
  if (stats.mtimeMs <= updated + ROUNDING) return false;
  const last = history?.lastTouch(file);
  return last && last.time > updated + OWN ? true : undefined;
}

/** Null: it is not there. Undefined: that cannot be told. */
function statsOf(path: string): { mtimeMs: number } | null | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return undefined;
  }
}
