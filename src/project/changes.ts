/**
 * What was changed together, as a row of sets of files: the commits of a repository, or the conversations that edited
 * its files. Both are asked the same questions.
 */
import { MOST_TOGETHER } from "../history/cochange.ts";
import { insidePath, type Repository } from "../history/repository.ts";
import type { HistoryReader, Touch, TrailConversation } from "../store/history.ts";
import type { FileRow } from "../store/ports.ts";

export interface Changes {
  /** Those that changed the file, the latest first. */
  touches(path: string): readonly Touch[];
  /** How many changed the file. */
  count(path: string): number;
  /** All of them, and the last few of them, the latest first. */
  total(): number;
  latest(limit: number): readonly Touch[];
}

const MOST_COMMITS = 300;
const MOST_CONVERSATIONS = 150;

/** Of a history that stays as it is as long as this is asked. */
export function commitChanges(reader: HistoryReader): Changes {
  const touches = new Map<string, readonly Touch[]>();
  const counts = new Map<string, number>();
  const latest = new Map<number, readonly Touch[]>();
  return {
    touches: (path) => remembered(touches, path, () => reader.touches(path, MOST_TOGETHER, MOST_COMMITS)),
    count: (path) => remembered(counts, path, () => reader.touchCounts([path], MOST_TOGETHER).get(path) ?? 0),
    total: () => reader.commitCount(),
    latest: (limit) => remembered(latest, limit, () => reader.latestTouches(MOST_TOGETHER, limit)),
  };
}

/** What conversations did to files, as the index knows it. */
export interface EditIndex {
  trail: { conversationsIn(roots: readonly string[], limit: number): TrailConversation[] };
  files(no: number): FileRow[];
}

/** `without`: a conversation that does not count, such as the one that is asking, by its id. */
export function conversationChanges(repository: Repository, index: EditIndex, without?: string): Changes {
  const all = index.trail.conversationsIn(repository.roots, MOST_CONVERSATIONS).filter(({ id }) => id !== without);
  return listedChanges(all.map((row) => ({ time: row.updated, files: editedBy(repository, index, row) })));
}

/** Files of the repository that the conversation edited, the first edited first. */
function editedBy(repository: Repository, index: EditIndex, row: TrailConversation): string[] {
  const found = new Set<string>();
  for (const { path, how } of index.files(row.no)) {
    const inside = how === "edited" ? insidePath(repository, path, row.project) : undefined;
    if (inside !== undefined) found.add(inside);
  }
  return [...found];
}

/** Of a list, the latest first. */
export function listedChanges(list: readonly Touch[]): Changes {
  const kept = list.filter(({ files }) => files.length > 0 && files.length <= MOST_TOGETHER);
  const byPath = new Map<string, Touch[]>();
  for (const touch of kept) {
    for (const path of touch.files) {
      const known = byPath.get(path);
      if (known) known.push(touch);
      else byPath.set(path, [touch]);
    }
  }
  return {
    touches: (path) => byPath.get(path) ?? [],
    count: (path) => byPath.get(path)?.length ?? 0,
    total: () => kept.length,
    latest: (limit) => kept.slice(0, limit),
  };
}

function remembered<K, V>(kept: Map<K, V>, key: K, make: () => V): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const value = make();
  kept.set(key, value);
  return value;
}
