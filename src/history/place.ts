/** The database of a repository's history, and whether it is current, without starting git. */
import { join } from "node:path";
import { isKeptFolder } from "../kernel/ids.ts";
import type { HistoryReader } from "../store/history.ts";
import { type Repository, repositoryKey } from "./repository.ts";

export function historyPath(folder: string, repository: Repository): string {
  return join(folder, `${repositoryKey(repository)}.db`);
}

/** Changes when a clone is deepened or its filter changes: then the same commits have other data. */
export function shapeOf(repository: Repository): string {
  return `${repository.partial ? "partial" : "whole"} ${[...repository.shallow].sort().join(",")}`;
}

export function isCurrent(reader: HistoryReader, repository: Repository, head = repository.head): boolean {
  return (
    reader.getValue("head") === (head ?? "") &&
    reader.getValue("shape") === shapeOf(repository) &&
    isKeptFolder(reader.getValue("root"), repository.root)
  );
}
