/** Keeps the list of a repository's copies up to date (see `history/copies`), and adds them to its roots. */
import type { Dex } from "../dex.ts";
import { COPIES, isRefused, type RepositoryCopy, storedCopies, withCopies } from "../history/copies/copies.ts";
import { findCopies, foldersElsewhere } from "../history/copies/find.ts";
import { remotesOf } from "../history/copies/names.ts";
import { historyPath } from "../history/place.ts";
import type { Repository } from "../history/repository.ts";
import { storeDerived } from "../history/update.ts";
import { contentId } from "../kernel/ids.ts";
import { openHistory } from "../store/engine/history.ts";
import type { HistoryReader } from "../store/history.ts";
import { conversationLoader } from "./loading.ts";

/** Raise it when the same evidence is judged differently. */
const COPIES_VERSION = 1;
const STAMP = "copies_stamp";

/** The repository with its copies as further roots. Call it after the history was updated. */
export async function refreshCopies(dex: Dex, repository: Repository): Promise<Repository> {
  if (!repository.git) return repository;
  const setting = dex.settings.history.copies;
  const stamp = stampOf(dex, repository);
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    if (history.getValue(STAMP) === `${stamp} ${history.getValue("head")}`) {
      return withCopies(repository, history, setting);
    }
  } finally {
    history.close();
  }
  const refreshed = await storeDerived(repository, dex.paths.history, async (writer) => {
    const source = { repository, history: writer, index: dex.store, load: conversationLoader(dex), setting };
    const copies = dex.settings.history.findCopies ? await findCopies(source) : [];
    writer.setValue(COPIES, JSON.stringify(copies));
    writer.setValue(STAMP, `${stamp} ${writer.getValue("head")}`);
    writer.commit();
    return withCopies(repository, writer, setting);
  });
  return refreshed ?? knownCopies(dex, repository);
}

/** The repository with the copies found by the last command, for callers that must not wait. */
export function knownCopies(dex: Dex, repository: Repository): Repository {
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    return withCopies(repository, history, dex.settings.history.copies);
  } finally {
    history.close();
  }
}

/**
 * A stamp that changes with the conversations of other folders, and with everything else that the search for copies
 * reads.
 */
function stampOf(dex: Dex, repository: Repository): string {
  const folders = foldersElsewhere({ repository, index: dex.store });
  const { copies, findCopies: finds } = dex.settings.history;
  return contentId(JSON.stringify([COPIES_VERSION, folders, copies, finds, remotesOf(repository)]));
}

/** The copies as the last command found them, without those that the setting refuses. */
export function listedCopies(dex: Dex, repository: Repository, history: HistoryReader): RepositoryCopy[] {
  return storedCopies(history).filter(({ folder }) => !isRefused(dex.settings.history.copies, folder, repository));
}
