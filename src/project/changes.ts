/**
 * Changes as sets of files, for co-change statistics: the commits of a repository, or the conversations that edited its
 * files, behind one interface.
 */
import { insidePath, type Repository } from "../history/repository.ts";
import type { HistoryReader } from "../store/history.ts";
import { MAX_COCHANGE_FILES, type Touch } from "../store/history_records.ts";
import type { FileRow, FileUse } from "../store/ports.ts";
import type { TrailConversation } from "../store/trails.ts";

export interface ChangeHistory {
  /** Changes of the file, the latest first. */
  touches(path: string): readonly Touch[];
  /** The number of changes of the file. */
  count(path: string): number;
  /** The number of all changes, and the last of them, the latest first. */
  total(): number;
  latest(limit: number): readonly Touch[];
}

const MAX_COMMITS = 300;
const MAX_CONVERSATIONS = 150;

/** Cached: the history must not change while the result is in use. */
export function commitChanges(reader: HistoryReader): ChangeHistory {
  const touches = new Map<string, readonly Touch[]>();
  const counts = new Map<string, number>();
  const latest = new Map<number, readonly Touch[]>();
  return {
    touches: (path) => cached(touches, path, () => reader.touches(path, MAX_COCHANGE_FILES, MAX_COMMITS)),
    count: (path) => cached(counts, path, () => reader.touchCounts([path]).get(path) ?? 0),
    total: () => reader.commitCount(),
    latest: (limit) => cached(latest, limit, () => reader.latestTouches(MAX_COCHANGE_FILES, limit)),
  };
}

/** The part of the index with the files of conversations. */
export interface EditIndex {
  trail: { conversationsIn(roots: readonly string[], limit: number): readonly TrailConversation[] };
  files(no: number): readonly FileRow[];
}

/** `without`: the id of a conversation to leave out, such as the caller's own. */
export function conversationChanges(repository: Repository, index: EditIndex, without?: string): ChangeHistory {
  const all = index.trail.conversationsIn(repository.roots, MAX_CONVERSATIONS).filter(({ id }) => id !== without);
  return changesFrom(all, (row) => ({ time: row.updated, files: editedBy(repository, index, row) }));
}

function editedBy(repository: Repository, index: EditIndex, row: TrailConversation): readonly string[] {
  return filesUsed(repository, index.files(row.no), row.project, "edited");
}

/** Cached by the list of a conversation's files, because several parts of an answer ask for the same ones. */
const used = new WeakMap<Repository, WeakMap<readonly FileRow[], Map<FileUse, readonly string[]>>>();

/** Files of the repository that a conversation in `project` used in this way, in the order of the first use. */
export function filesUsed(
  repository: Repository,
  files: readonly FileRow[],
  project: string,
  wanted: FileUse,
): readonly string[] {
  const lists = used.get(repository) ?? new WeakMap<readonly FileRow[], Map<FileUse, readonly string[]>>();
  used.set(repository, lists);
  const uses = lists.get(files) ?? new Map<FileUse, readonly string[]>();
  lists.set(files, uses);
  return cached(uses, wanted, () => {
    const own = files.filter(({ how }) => how === wanted).sort((a, b) => a.first - b.first);
    return [...new Set(own.flatMap(({ path }) => insidePath(repository, path, project) ?? []))];
  });
}

/** Changes from a list, the latest first. */
export function listedChanges(list: readonly Touch[]): ChangeHistory {
  return changesFrom(list, (touch) => touch);
}

/** Reads each change lazily and once: a prompt needs only the latest. */
function changesFrom<T>(list: readonly T[], read: (item: T) => Touch): ChangeHistory {
  const usable: Touch[] = [];
  let next = 0;
  const readUpTo = (limit: number): readonly Touch[] => {
    for (; next < list.length && usable.length < limit; next += 1) {
      const touch = read(list[next] as T);
      if (touch.files.length > 0 && touch.files.length <= MAX_COCHANGE_FILES) usable.push(touch);
    }
    return usable;
  };
  const all = (): readonly Touch[] => readUpTo(Number.POSITIVE_INFINITY);
  let byPath: Map<string, Touch[]> | undefined;
  const touches = (path: string): readonly Touch[] => {
    byPath ??= touchesByPath(all());
    return byPath.get(path) ?? [];
  };
  return {
    touches,
    count: (path) => touches(path).length,
    total: () => all().length,
    latest: (limit) => readUpTo(limit).slice(0, limit),
  };
}

function touchesByPath(all: readonly Touch[]): Map<string, Touch[]> {
  const found = new Map<string, Touch[]>();
  for (const touch of all) {
    for (const path of touch.files) {
      const known = found.get(path);
      if (known) known.push(touch);
      else found.set(path, [touch]);
    }
  }
  return found;
}

function cached<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  cache.set(key, value);
  return value;
}
