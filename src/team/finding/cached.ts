/** The conversations of this home and those of the team that are cached, as one index. Asks nobody: hooks use it. */
import { MACHINE, ME, readCache } from "../../store/engine/cached_team.ts";
import type { IndexReader } from "../../store/index_reader.ts";
import { JoinedReader } from "../../store/joined/reader.ts";
import { cacheFolder, MAX_UNCHECKED_MS } from "./places.ts";

/** Undefined if nothing is cached, or it is too old. The caller closes it, and the index of this home itself. */
export function withCached(
  local: IndexReader,
  team: string,
  now: number,
): { index: IndexReader; close(): void } | undefined {
  const cache = readCache(cacheFolder(team), now - MAX_UNCHECKED_MS);
  if (!cache) return undefined;
  const home = { owner: cache.getValue(ME) ?? "", machine: cache.getValue(MACHINE) ?? "" };
  return { index: new JoinedReader(local, cache, home), close: () => cache.close() };
}
