/**
 * Caches lists that are slow to find, together with a project's history, until something they depend on changes. The
 * stamp stands for everything they depend on.
 */
import { parseJson } from "../kernel/json.ts";
import { type HistoryReader, stampKey } from "../store/history.ts";
import { VERSION } from "../version.ts";
import type { Repository } from "./repository.ts";
import { storeDerived } from "./update.ts";

/** A list whose text is longer would take longer to read than to find. */
const MAX_CHARS = 16 << 20;

export interface CachedList {
  /** The key of the list in the store. */
  key: string;
  stamp: string;
}

/** Undefined if there is none, or if it has another stamp. Its items are as this version of dex wrote them. */
export function cachedList<T>(history: HistoryReader, { key, stamp }: CachedList): T[] | undefined {
  if (history.getValue(stampKey(key)) !== withVersion(stamp)) return undefined;
  const list = parseJson(history.getValue(key) ?? "");
  return Array.isArray(list) ? (list as T[]) : undefined;
}

export async function cacheList(
  place: { repository: Repository; folder: string },
  { key, stamp }: CachedList,
  list: readonly unknown[],
): Promise<void> {
  const text = JSON.stringify(list);
  if (text.length > MAX_CHARS) return;
  await storeDerived(place.repository, place.folder, (writer) => {
    writer.setValue(key, text);
    writer.setValue(stampKey(key), withVersion(stamp));
    writer.commit();
  });
}

function withVersion(stamp: string): string {
  return `${VERSION} ${stamp}`;
}
