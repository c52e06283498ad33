/** The copies of a repository as the last refresh found them, for callers that must not wait for another one. */
import type { OwnedCaches } from "../../kernel/owned_caches.ts";
import { openHistories } from "../../store/databases/open_databases.ts";
import { readHistory } from "../../store/databases/read_history.ts";
import { historyPath } from "../place.ts";
import type { Repository } from "../repository.ts";
import { type CopySetting, withCopies } from "./copies.ts";

/** The part of the opened application that is needed. */
interface Opened {
  paths: { history: string };
  settings: { history: { copies: CopySetting } };
  caches: OwnedCaches;
}

/** The folders of the repository: its working trees, and its copies. */
export function foldersWithCopies(repository: Repository, { paths, settings, caches }: Opened): readonly string[] {
  if (!repository.git) return repository.roots;
  const found = readHistory(caches.of(openHistories), historyPath(paths.history, repository), (history) =>
    withCopies(repository, history, settings.history.copies),
  );
  return (found ?? repository).roots;
}
