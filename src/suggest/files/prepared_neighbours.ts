/**
 * The likely files of a single file, as the last refresh prepared them: finding them takes a hook longer than everything
 * else it does.
 */
import { parseJson } from "../../kernel/json.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { LikelyFile } from "./likely.ts";

/** Undefined if they were not prepared. */
export function preparedNeighbours(
  history: HistoryReader,
  path: string,
  exists: (path: string) => boolean,
): LikelyFile[] | undefined {
  const text = history.neighboursOf(path);
  const list = text === undefined ? undefined : parseJson(text);
  if (!Array.isArray(list)) return undefined;
  return (list as unknown as LikelyFile[]).filter((each) => exists(each.path));
}
