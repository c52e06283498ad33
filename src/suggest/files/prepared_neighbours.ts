/**
 * Reads the likely files of a file as the last refresh prepared them: computing them takes a hook longer than
 * everything else it does.
 */
import { parseJson } from "../../kernel/json.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { LikelyFile } from "./likely.ts";

/** The state of the project for which the lists were made. */
export const BASIS_KEY = "neighbours_of";

/** Whether a refresh prepared lists for files of this project: all of a small one, a part of a large one. */
export function hasNeighbours(history: HistoryReader): boolean {
  return history.getValue(BASIS_KEY) !== undefined;
}

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
