/** Opens a project's changes for co-change statistics in answers about code. */

import type { Dex } from "../dex.ts";
import { historyPath } from "../history/place.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { updateHistory } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import type { RunContext } from "../run_context.ts";
import { openHistory } from "../store/engine/history.ts";
import type { FileChurn } from "../store/history_records.ts";
import { type ChangeHistory, commitChanges, conversationChanges } from "./changes.ts";
import { refreshCopies } from "./copies.ts";

export interface ProjectChanges {
  /** Absent without a history. */
  commits?: ChangeHistory;
  conversations: ChangeHistory;
  close(): void;
}

/** Refreshes the history and opens the changes of commits and conversations. */
export async function projectChanges(dex: Dex, root: string, context: RunContext): Promise<ProjectChanges> {
  const repository = repositoryOrFolder(root);
  const none = (): ProjectChanges => ({
    conversations: conversationChanges(repository, dex.store),
    close: () => undefined,
  });
  if (!repository.git || repository.root !== root) return none();
  try {
    await updateHistory(repository, dex.paths.history, { progress: context.progress });
  } catch (error) {
    // The rest of the answer does not need git.
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} Co-changes of commits are left out.`);
    return none();
  }
  const conversations = conversationChanges(await refreshCopies(dex, repository), dex.store);
  const history = openHistory(historyPath(dex.paths.history, repository));
  return { commits: commitChanges(history), conversations, close: () => history.close() };
}

/** How often commits changed each file, by its path; empty without a history. */
export async function projectChurn(
  dex: Dex,
  root: string,
  context: RunContext,
): Promise<ReadonlyMap<string, FileChurn>> {
  const repository = repositoryOrFolder(root);
  if (!repository.git || repository.root !== root) return new Map();
  try {
    await updateHistory(repository, dex.paths.history, { progress: context.progress });
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} Changes by commits are left out.`);
    return new Map();
  }
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    return history.churn();
  } finally {
    history.close();
  }
}
