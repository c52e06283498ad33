/** Opens a project's changes for co-change statistics in answers about code. */
import type { Dex } from "../dex.ts";
import { historyPath } from "../history/place.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { updateOrStored } from "../history/update.ts";
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
  const history = await freshHistory(dex, root, context, "Co-changes of commits are left out.");
  const repository = repositoryOrFolder(root);
  if (!history) return { conversations: conversationChanges(repository, dex.store), close: () => undefined };
  const conversations = conversationChanges(await refreshCopies(dex, repository), dex.store);
  return { commits: commitChanges(history), conversations, close: () => history.close() };
}

/** Refreshes the history and passes its commits to `use`; none without git. */
export async function withCommits<T>(
  dex: Dex,
  root: string,
  context: RunContext,
  use: (commits: ChangeHistory | undefined) => Promise<T>,
): Promise<T> {
  const history = await freshHistory(dex, root, context, "Co-changes of commits are left out.");
  try {
    return await use(history && commitChanges(history));
  } finally {
    history?.close();
  }
}

/** How often commits changed each file, by its path; empty without a history. */
export async function projectChurn(
  dex: Dex,
  root: string,
  context: RunContext,
): Promise<ReadonlyMap<string, FileChurn>> {
  const history = await freshHistory(dex, root, context, "Changes by commits are left out.");
  try {
    return history?.churn() ?? new Map();
  } finally {
    history?.close();
  }
}

/**
 * The refreshed history; undefined outside git, or if git fails. The answer does not depend on it; `without` names what
 * is missing.
 */
async function freshHistory(dex: Dex, root: string, context: RunContext, without: string) {
  const repository = repositoryOrFolder(root);
  if (!repository.git || repository.root !== root) return undefined;
  try {
    const { behind } = await updateOrStored(repository, dex.paths.history, { progress: context.progress });
    if (behind !== undefined) dex.notice(behind);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} ${without}`);
    return undefined;
  }
  return openHistory(historyPath(dex.paths.history, repository));
}
